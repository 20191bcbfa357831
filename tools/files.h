// SPDX-License-Identifier: Apache-2.0
// This file declares reading and writing whole files, with errors that name the file and the reason.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace clarity::tools {

/// The whole file; "-" is standard input. Throws Failure, also where there is more than the command takes, as in a file
/// without end: 64 MiB of text; of data a quarter of the machine's memory, from pipes and devices 512 MiB. A named pipe
/// that no program opens for writing within 10 seconds is a failure, too.
std::string readText(const std::filesystem::path& file);
std::vector<std::byte> readBytes(const std::filesystem::path& file);
/// The bytes of a file that has data and text in one.
std::string readData(const std::filesystem::path& file);

/// Writes the whole file; "-" is standard output. Throws Failure.
void writeText(const std::filesystem::path& file, std::string_view text);
void writeBytes(const std::filesystem::path& file, std::span<const std::byte> bytes);

/// Throws Failure if the file cannot be written, before time is spent on its content. Leaves no new file behind.
void requireWritable(const std::filesystem::path& file);

/// The path of this executable.
std::filesystem::path ownExecutable();

/// A new folder under the system's temporary folder, removed with its content by the destructor.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

}  // namespace clarity::tools
