// SPDX-License-Identifier: Apache-2.0
// This file is the file system that clang reads, with every result recorded.
#pragma once

#include "compiler/frontend/dependencies.h"

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <string>
#include <vector>

namespace clarity::compiler {

/// Forwards to another file system and records every query and its result. Does not open what is not a regular file:
/// reading from a device or a FIFO could block forever.
class RecordingFileSystem final : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  bool exists(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;

  /// Everything recorded so far.
  std::vector<Dependency> dependencies() const;

private:
  friend class RecordingFile;
  void record(const std::string& path, const llvm::ErrorOr<llvm::vfs::Status>& found);

  std::map<std::string, Dependency> answers_;
};

}  // namespace clarity::compiler
