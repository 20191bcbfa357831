// SPDX-License-Identifier: Apache-2.0
// This file checks whether recorded dependencies are still up to date.
#include "compiler/frontend/dependencies.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>

namespace clarity::compiler {
namespace {

bool hasContent(const Dependency& dependency, std::size_t size) {
  const int fd = ::open(dependency.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  std::string content(size, '\0');
  std::size_t got = 0;
  while (got < size) {
    const ssize_t count = ::read(fd, content.data() + got, size - got);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    got += static_cast<std::size_t>(count);
  }
  ::close(fd);
  return got == size && support::hashOf(content) == dependency.hash;
}

}  // namespace

bool isUnchanged(const Dependency& dependency) {
  struct stat about;
  const bool there = ::stat(dependency.path.c_str(), &about) == 0;
  switch (dependency.state) {
    case Dependency::State::Absent: return !there;
    case Dependency::State::Folder: return there && S_ISDIR(about.st_mode);
    case Dependency::State::Exists: return there && !S_ISDIR(about.st_mode);
    case Dependency::State::Content:
      return there && S_ISREG(about.st_mode) && hasContent(dependency, static_cast<std::size_t>(about.st_size));
  }
  return false;
}

}  // namespace clarity::compiler
