// SPDX-License-Identifier: Apache-2.0
// This file walks to a folder name by name, so that each link on the way is looked at and nothing can be exchanged
// between a check and the use of what was checked.
#include "support/private_folder.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <string_view>
#include <vector>

namespace clarity::support {
namespace {

constexpr unsigned mostLinks = 40;  // as many as the system itself follows
constexpr int placeFlags = O_PATH | O_NOFOLLOW | O_CLOEXEC;

bool isTrusted(uid_t user) { return user == ::geteuid() || user == 0; }

/// Why the folder or file is not ours, or nothing.
std::string objection(const struct stat& about, const std::string& what) {
  if (!isTrusted(about.st_uid))
    return fmt::format("{} belongs to user {}, and this process runs as user {}", what, about.st_uid, ::geteuid());
  if (about.st_mode & (S_IWGRP | S_IWOTH))
    return fmt::format("other users may write to {}, whose mode is {:04o}: chmod go-w takes that away", what,
                       about.st_mode & 07777);
  return {};
}

std::string quoted(const std::string& path, const char* name) { return fmt::format("'{}/{}'", path, name); }

Descriptor placeIn(int folder, const char* name, IfMissing missing) {
  Descriptor place(::openat(folder, name, placeFlags));
  if (place || errno != ENOENT || missing == IfMissing::Nothing) return place;
  ::mkdirat(folder, name, 0700);
  return Descriptor(::openat(folder, name, placeFlags));
}

/// Puts the names of a path on top of those that are left to be walked: the next one is the last.
void pushNames(std::vector<std::string>& left, std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = path.rfind('/');
    const std::string_view name = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
    if (!name.empty() && name != ".") left.emplace_back(name);
    path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
  }
}

Descriptor beginOf(std::string_view path) { return Descriptor(::open(path.starts_with('/') ? "/" : ".", placeFlags)); }

}  // namespace

bool Descriptor::close() { return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0; }

Descriptor openFolder(const std::string& path, IfMissing missing, std::string& why) {
  std::vector<std::string> left;
  pushNames(left, path);
  Descriptor at = beginOf(path);
  struct stat about{};
  unsigned links = 0;
  while (at && !left.empty()) {
    const std::string name = std::move(left.back());
    left.pop_back();
    Descriptor next = placeIn(at, name.c_str(), missing);
    if (!next || ::fstat(next, &about) != 0) return {};
    if (!S_ISLNK(about.st_mode)) {
      at = std::move(next);
      continue;
    }
    if (!isTrusted(about.st_uid)) {
      why = fmt::format("the symbolic link '{}' on the way to '{}' is one of user {}, and this process runs as user {}",
                        name, path, about.st_uid, ::geteuid());
      return {};
    }
    std::string target(4096, '\0');
    const ssize_t size = ::readlinkat(next, "", target.data(), target.size());
    if (size <= 0 || ++links > mostLinks) return {};
    target.resize(static_cast<std::size_t>(size));
    pushNames(left, target);
    if (target.starts_with('/')) at = beginOf(target);
  }
  if (!at || ::fstat(at, &about) != 0 || !S_ISDIR(about.st_mode)) return {};
  why = objection(about, fmt::format("'{}'", path));
  return why.empty() ? std::move(at) : Descriptor();
}

Descriptor openFolderIn(int folder, const std::string& path, const char* name, IfMissing missing, std::string& why) {
  Descriptor place = placeIn(folder, name, missing);
  struct stat about;
  if (!place || ::fstat(place, &about) != 0) return {};
  if (S_ISLNK(about.st_mode))
    why = fmt::format("{} is a symbolic link", quoted(path, name));
  else if (!S_ISDIR(about.st_mode))
    why = fmt::format("{} is not a folder", quoted(path, name));
  else
    why = objection(about, quoted(path, name));
  return why.empty() ? std::move(place) : Descriptor();
}

Descriptor openFileIn(int folder, const std::string& path, const char* name, struct stat& about, std::string& why) {
  Descriptor file(::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file) {
    if (errno == ELOOP) why = fmt::format("{} is a symbolic link", quoted(path, name));
    return {};
  }
  if (::fstat(file, &about) != 0) return {};
  why = S_ISREG(about.st_mode) ? objection(about, quoted(path, name))
                               : fmt::format("{} is not a file", quoted(path, name));
  return why.empty() ? std::move(file) : Descriptor();
}

}  // namespace clarity::support
