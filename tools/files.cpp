// SPDX-License-Identifier: Apache-2.0
// This file implements reading and writing whole files.
#include "files.h"

#include "command.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

namespace clarity::tools {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdin && file != stdout) std::fclose(file);
  }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail(const char* what, const std::filesystem::path& file, int error) {
  throw Failure(fmt::format("cannot {} '{}': {}", what, file.string(), std::strerror(error)));
}

template <typename Container>
Container readAll(const std::filesystem::path& name) {
  std::error_code ignored;
  if (std::filesystem::is_directory(name, ignored)) fail("read", name, EISDIR);
  File file(name == "-" ? stdin : std::fopen(name.c_str(), "rb"));
  if (!file) fail("open", name, errno);
  Container content;
  size_t used = 0;
  for (;;) {
    content.resize(used + (size_t{1} << 16));
    const size_t got = std::fread(content.data() + used, 1, content.size() - used, file.get());
    used += got;
    if (got == 0) break;
  }
  if (std::ferror(file.get())) fail("read", name, errno);
  content.resize(used);
  return content;
}

void writeAll(const std::filesystem::path& name, const void* data, size_t bytes) {
  File file(name == "-" ? stdout : std::fopen(name.c_str(), "wb"));
  if (!file) fail("write", name, errno);
  if (std::fwrite(data, 1, bytes, file.get()) != bytes || std::fflush(file.get()) != 0) fail("write", name, errno);
  // Some file systems report a full disk only here.
  if (std::FILE* const closing = name == "-" ? nullptr : file.release(); closing && std::fclose(closing) != 0)
    fail("write", name, errno);
}

}  // namespace

std::string readText(const std::filesystem::path& file) { return readAll<std::string>(file); }

std::vector<std::byte> readBytes(const std::filesystem::path& file) { return readAll<std::vector<std::byte>>(file); }

void writeText(const std::filesystem::path& file, std::string_view text) { writeAll(file, text.data(), text.size()); }

void writeBytes(const std::filesystem::path& file, std::span<const std::byte> bytes) {
  writeAll(file, bytes.data(), bytes.size());
}

void requireWritable(const std::filesystem::path& file) {
  if (file == "-") return;
  std::error_code ignored;
  const bool isNew = !std::filesystem::exists(file, ignored);
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  // A pipe whose reader has not come yet can be written to later.
  if (opened < 0 && errno != ENXIO) fail("write", file, errno);
  if (opened >= 0) ::close(opened);
  if (opened >= 0 && isNew) ::unlink(file.c_str());
}

std::filesystem::path ownExecutable() {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw Failure(fmt::format("cannot find the clarity executable: /proc/self/exe: {}", error.message()));
  return self;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "clarity-XXXXXX").string();
  if (!::mkdtemp(name.data())) fail("make the folder", name, errno);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace clarity::tools
