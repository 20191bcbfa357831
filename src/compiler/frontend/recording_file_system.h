// SPDX-License-Identifier: Apache-2.0
// This file is the disk as clang sees it, with every answer written down.
#pragma once

#include "compiler/frontend/dependencies.h"

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <string>
#include <vector>

namespace clarity::compiler {

/// Passes everything on to another file system and records what was asked for and found. Refuses to open what is not
/// a regular file: reading a device or a FIFO could wait for ever.
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
