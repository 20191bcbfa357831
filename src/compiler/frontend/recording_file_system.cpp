// SPDX-License-Identifier: Apache-2.0
// This file records the compiler's queries to the file system.
#include "compiler/frontend/recording_file_system.h"

#include <llvm/Support/MemoryBuffer.h>

#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

namespace clarity::compiler {
namespace {

constexpr std::uint64_t mostFileBytes = std::uint64_t{256} << 20;

/// Whether a file is one that the kernel makes up, such as those of /proc: it may tell of the process, or never end.
bool isOfTheKernel(const std::string& path) {
  static constexpr std::int64_t systems[] = {PROC_SUPER_MAGIC, SYSFS_MAGIC,        DEBUGFS_MAGIC,      TRACEFS_MAGIC,
                                             SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC};
  struct statfs its{};
  return ::statfs(path.c_str(), &its) == 0 && std::ranges::find(systems, its.f_type) != std::end(systems);
}

}  // namespace

/// A file whose content is hashed when it is read.
class RecordingFile final : public llvm::vfs::File {
public:
  RecordingFile(std::unique_ptr<llvm::vfs::File> file, Dependency& answer) : file_(std::move(file)), answer_(answer) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, std::int64_t size,
                                                               bool terminated, bool isVolatile) override {
    auto buffer = file_->getBuffer(name, size, terminated, isVolatile);
    if (buffer) {
      const llvm::StringRef text = (*buffer)->getBuffer();
      answer_.state = Dependency::State::Content;
      answer_.hash = support::hashOf({text.data(), text.size()});
    }
    return buffer;
  }

private:
  std::unique_ptr<llvm::vfs::File> file_;
  Dependency& answer_;
};

void RecordingFileSystem::record(const std::string& path, const llvm::ErrorOr<llvm::vfs::Status>& found) {
  auto [entry, isNew] = answers_.try_emplace(path);
  if (!isNew) return;
  entry->second.path = path;
  if (found) entry->second.state = found->isDirectory() ? Dependency::State::Folder : Dependency::State::Exists;
}

llvm::ErrorOr<llvm::vfs::Status> RecordingFileSystem::status(const llvm::Twine& path) {
  auto found = ProxyFileSystem::status(path);
  record(path.str(), found);
  return found;
}

bool RecordingFileSystem::exists(const llvm::Twine& path) { return static_cast<bool>(status(path)); }

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> RecordingFileSystem::openFileForRead(const llvm::Twine& path) {
  const auto found = status(path);
  if (!found) return found.getError();
  if (!found->isRegularFile())
    return std::make_error_code(found->isDirectory() ? std::errc::is_a_directory : std::errc::not_supported);
  if (found->getSize() > mostFileBytes) return std::make_error_code(std::errc::file_too_large);
  if (isOfTheKernel(path.str())) return std::make_error_code(std::errc::not_supported);
  auto file = ProxyFileSystem::openFileForRead(path);
  if (!file) return file.getError();
  return std::unique_ptr<llvm::vfs::File>(std::make_unique<RecordingFile>(std::move(*file), answers_[path.str()]));
}

std::vector<Dependency> RecordingFileSystem::dependencies() const {
  std::vector<Dependency> all;
  all.reserve(answers_.size());
  for (const auto& [path, answer] : answers_) all.push_back(answer);
  return all;
}

}  // namespace clarity::compiler
