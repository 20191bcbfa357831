// SPDX-License-Identifier: Apache-2.0
// This file implements the cache: one file for each entry, in sixteen sub-folders named after the key's first digit.
#include "support/disk_cache.h"

#include <fmt/format.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

namespace clarity::support {
namespace {

constexpr std::string_view kTemporaryPrefix = ".new-";
constexpr std::time_t kTemporaryAge = 3600;  // seconds after which a temporary file is a crashed process's
constexpr std::time_t kUseResolution = 60;   // seconds; the time of use is updated at most this often

/// What precedes the content in an entry's file.
struct FileHeader {
  char magic[8] = {'C', 'L', 'R', 'T', 'Y', 'C', 'A', '1'};
  std::uint64_t size = 0;
  Hash128 key;
  Hash128 checksum;
};
static_assert(sizeof(FileHeader) == 48);

class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  explicit operator bool() const { return fd_ >= 0; }
  operator int() const { return fd_; }
  /// Closes the file; false if the system could not write everything (a full disk may show only here).
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

private:
  int fd_;
};

bool readAll(int fd, char* to, std::size_t size) {
  while (size) {
    const ssize_t got = ::read(fd, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool writeAll(int fd, const char* from, std::size_t size) {
  while (size) {
    const ssize_t put = ::write(fd, from, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    from += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

/// Creates the folder and its parents; true if it exists afterwards.
bool makeFolders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    ::mkdir(path.substr(0, slash).c_str(), 0700);
  return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST;
}

/// The content of an entry's file, or nullptr if there is none. `damaged`: there is a file, but it is not what was
/// written for this key.
std::shared_ptr<const std::string> load(const std::string& path, const Hash128& key, bool& damaged) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat about;
  if (!file || ::fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return nullptr;
  damaged = true;
  FileHeader header;
  const FileHeader expected;
  const auto fileSize = static_cast<std::uint64_t>(about.st_size);
  if (fileSize < sizeof header || !readAll(file, reinterpret_cast<char*>(&header), sizeof header)) return nullptr;
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 || header.key != key ||
      header.size != fileSize - sizeof header)
    return nullptr;
  auto content = std::make_shared<std::string>();
  content->resize(header.size);
  if (!readAll(file, content->data(), content->size()) || hashOf(*content) != header.checksum) return nullptr;
  damaged = false;
  if (std::time(nullptr) - about.st_mtime > kUseResolution) ::futimens(file, nullptr);  // for the eviction's order
  return content;
}

}  // namespace

DiskCache::DiskCache(std::string folder, std::uint64_t maxBytes, std::uint64_t maxMemoryBytes)
    : folder_(std::move(folder)), maxBytes_(maxBytes), maxMemoryBytes_(maxMemoryBytes) {}

std::string DiskCache::subfolderOf(const Hash128& key) const { return folder_ + "/" + key.hex().substr(0, 1); }

std::string DiskCache::pathOf(const Hash128& key) const {
  const std::string name = key.hex();
  return folder_ + "/" + name.substr(0, 1) + "/" + name.substr(1);
}

bool DiskCache::folderIsOurs() {
  {
    std::lock_guard lock(mutex_);
    if (state_ != Folder::Unknown) return state_ == Folder::Ours;
  }
  struct stat about;
  if (!makeFolders(folder_) || ::stat(folder_.c_str(), &about) != 0) return false;
  const bool ours = S_ISDIR(about.st_mode) && about.st_uid == ::geteuid() && !(about.st_mode & (S_IWGRP | S_IWOTH));
  std::lock_guard lock(mutex_);
  state_ = ours ? Folder::Ours : Folder::Refused;
  return ours;
}

std::optional<std::string> DiskCache::get(const Hash128& key) try {
  if (!enabled()) return std::nullopt;
  if (Content content = recall(key)) return *content;
  if (!folderIsOurs()) return std::nullopt;
  bool damaged = false;
  const std::string path = pathOf(key);
  Content content = load(path, key, damaged);
  if (damaged) ::unlink(path.c_str());
  if (!content) return std::nullopt;
  remember(key, content);
  return *content;
} catch (const std::exception&) {  // no memory: as if the entry were not there
  return std::nullopt;
}

void DiskCache::put(const Hash128& key, std::string_view bytes) try {
  if (!enabled()) return;
  remember(key, std::make_shared<std::string>(bytes));
  if (bytes.size() + sizeof(FileHeader) > maxBytes_ / kSubfolders || !folderIsOurs()) return;
  write(key, bytes);
  if (trimIsDue(key, bytes.size() + sizeof(FileHeader))) trim(subfolderOf(key));
} catch (const std::exception&) {
}

void DiskCache::remove(const Hash128& key) try {
  if (!enabled()) return;
  forget(key);
  if (folderIsOurs()) ::unlink(pathOf(key).c_str());
} catch (const std::exception&) {
}

DiskCache::Content DiskCache::recall(const Hash128& key) {
  std::lock_guard lock(mutex_);
  const auto found = memory_.find(key);
  if (found == memory_.end()) return nullptr;
  uses_.splice(uses_.begin(), uses_, found->second.use);
  return found->second.content;
}

void DiskCache::remember(const Hash128& key, Content content) {
  if (content->size() > maxMemoryBytes_ / 4) return forget(key);
  std::lock_guard lock(mutex_);
  auto [entry, isNew] = memory_.try_emplace(key);
  if (isNew) {
    uses_.push_front(key);
    entry->second.use = uses_.begin();
  } else {
    memoryBytes_ -= entry->second.content->size();
    uses_.splice(uses_.begin(), uses_, entry->second.use);
  }
  memoryBytes_ += content->size();
  entry->second.content = std::move(content);
  while (memoryBytes_ > maxMemoryBytes_) {
    const auto oldest = memory_.find(uses_.back());
    memoryBytes_ -= oldest->second.content->size();
    memory_.erase(oldest);
    uses_.pop_back();
  }
}

void DiskCache::forget(const Hash128& key) {
  std::lock_guard lock(mutex_);
  const auto found = memory_.find(key);
  if (found == memory_.end()) return;
  memoryBytes_ -= found->second.content->size();
  uses_.erase(found->second.use);
  memory_.erase(found);
}

void DiskCache::write(const Hash128& key, std::string_view bytes) {
  static std::atomic<unsigned> counter{0};
  const std::string subfolder = subfolderOf(key);
  const std::string temporary = fmt::format("{}/{}{}-{}", subfolder, kTemporaryPrefix, ::getpid(),
                                            counter.fetch_add(1, std::memory_order_relaxed));
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  int fd = ::open(temporary.c_str(), flags, 0600);
  if (fd < 0 && errno == ENOENT && makeFolders(subfolder)) fd = ::open(temporary.c_str(), flags, 0600);
  Descriptor file(fd);
  if (!file) return;
  FileHeader header;
  header.size = bytes.size();
  header.key = key;
  header.checksum = hashOf(bytes);
  const bool written = writeAll(file, reinterpret_cast<const char*>(&header), sizeof header) &&
                       writeAll(file, bytes.data(), bytes.size()) && file.close();
  if (!written || ::rename(temporary.c_str(), pathOf(key).c_str()) != 0) ::unlink(temporary.c_str());
}

// Scanning a sub-folder costs a stat for each entry. One put in eight scans, chosen by the key, so that many short
// processes scan as often as one long one; so does a process that has written an eighth of the folder's share.
bool DiskCache::trimIsDue(const Hash128& key, std::uint64_t written) {
  const std::uint64_t share = maxBytes_ / kSubfolders;
  std::lock_guard lock(mutex_);
  std::uint64_t& since = writtenSinceTrim_[key.high >> 60];
  since += written;
  if ((key.low & 7) != 0 && since < share / 8) return false;
  since = 0;
  return true;
}

void DiskCache::trim(const std::string& subfolder) {
  struct Entry {
    std::int64_t seconds, nanoseconds;
    std::uint64_t size;
    std::string path;
    bool operator<(const Entry& o) const {
      return std::pair(seconds, nanoseconds) < std::pair(o.seconds, o.nanoseconds);
    }
  };
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(subfolder.c_str()), ::closedir);
  if (!folder) return;
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  const std::time_t now = std::time(nullptr);
  while (const dirent* item = ::readdir(folder.get())) {
    struct stat about;
    if (::fstatat(::dirfd(folder.get()), item->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode))
      continue;
    std::string path = subfolder + "/" + item->d_name;
    if (std::string_view(item->d_name).starts_with(kTemporaryPrefix)) {
      if (now - about.st_mtime > kTemporaryAge) ::unlink(path.c_str());
      continue;
    }
    total += static_cast<std::uint64_t>(about.st_size);
    entries.push_back(
        {about.st_mtim.tv_sec, about.st_mtim.tv_nsec, static_cast<std::uint64_t>(about.st_size), std::move(path)});
  }
  const std::uint64_t share = maxBytes_ / kSubfolders;
  if (total <= share) return;
  std::sort(entries.begin(), entries.end());
  for (const Entry& entry : entries) {
    if (total <= share - share / 8) break;  // leaves room, so that the next put does not delete again
    if (::unlink(entry.path.c_str()) == 0) total -= entry.size;
  }
}

}  // namespace clarity::support
