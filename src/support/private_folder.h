// SPDX-License-Identifier: Apache-2.0
// This file opens folders and files whose content no other user can have written: what the cache loads is executed.
#pragma once

#include <sys/stat.h>
#include <string>
#include <utility>

namespace clarity::support {

/// A file descriptor that is closed with its owner.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  explicit operator bool() const { return fd_ >= 0; }
  operator int() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  /// Closes the file; false if the system could not write everything (a full disk may show only here).
  bool close();

private:
  int fd_ = -1;
};

/// The treatment of missing folders.
enum class IfMissing { Nothing, Create };

/// The functions below return no descriptor if there is nothing of the name, and then leave `why` empty; or if what is
/// there is refused, with a sentence in `why`. Folders that are created are for this user alone (mode 0700).
///
/// A folder or file is ours if this process's effective user or root owns it and no other user may write to it.
/// Symbolic links are followed on the way to a folder, where these two have made them: many keep their ~/.cache on
/// another disk.

/// The folder of this path, for the functions below and for the system's functions that end in "at". Its parents are
/// not checked: whoever may write to them can put another folder of ours in its place, and none of their own.
Descriptor openFolder(const std::string& path, IfMissing, std::string& why);
/// A folder in a folder; never a link. `path` is the folder's, for sentences.
Descriptor openFolderIn(int folder, const std::string& path, const char* name, IfMissing, std::string& why);
/// A file in a folder, to be read, and what the system says of it; never a link.
Descriptor openFileIn(int folder, const std::string& path, const char* name, struct stat& about, std::string& why);

}  // namespace clarity::support
