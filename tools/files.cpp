// SPDX-License-Identifier: Apache-2.0
// This file implements reading and writing whole files.
#include "files.h"

#include "command.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
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

// No source is as long.
constexpr size_t mostText = size_t{64} << 20;

// The most bytes of a pipe or a device, which may have no end.
constexpr size_t mostFromPipe = size_t{512} << 20;

// The most bytes of data: the machine's memory holds them beside a copy in a buffer.
size_t mostData() {
  return static_cast<size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(::sysconf(_SC_PAGESIZE)) / 4;
}

std::string sizeText(size_t bytes) { return fmt::format("{} MiB", bytes >> 20); }

// An open file, closed by the destructor; "-" is standard input.
class Input {
public:
  explicit Input(const std::filesystem::path& name)
      : name_(name), file_(name == "-" ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (file_ < 0) fail("open", name, errno);
  }
  ~Input() {
    if (file_ != STDIN_FILENO) ::close(file_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  struct stat state() const {
    struct stat state{};
    if (::fstat(file_, &state) != 0) fail("read", name_, errno);
    return state;
  }

  bool isTerminal() const { return ::isatty(file_) != 0; }

  // Waits for the first writer of a named pipe, but not for ever.
  void waitForWriter() const {
    // Until the first writer has come, poll() waits. Opened and silent, the pipe has no end: EAGAIN.
    if (!isReady(patience) && isAtEnd())
      throw Failure(
          fmt::format("cannot read '{}': no program has opened this pipe for writing in 10 seconds", name_.string()));
  }

  // The number of bytes that are read; 0 at the end. A program at the other end, or a person, may take any time.
  size_t read(void* to, size_t room, bool mayTakeLong) const {
    for (;;) {
      const ssize_t got = ::read(file_, to, room);
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EAGAIN && errno != EINTR) fail("read", name_, errno);
      if (errno == EAGAIN && !isReady(mayTakeLong ? -1 : patience))
        throw Failure(
            fmt::format("cannot read '{}': it has given nothing for 10 seconds, and has no end", name_.string()));
    }
  }

private:
  static constexpr int patience = 10'000;  // milliseconds

  bool isReady(int milliseconds) const {
    pollfd ready{file_, POLLIN, 0};
    return ::poll(&ready, 1, milliseconds) != 0;
  }

  bool isAtEnd() const {
    std::byte none;
    return !isReady(0) && ::read(file_, &none, 1) == 0;
  }

  const std::filesystem::path& name_;
  int file_;
};

template <typename Container>
Container readAll(const std::filesystem::path& name, size_t most) {
  const Input file(name);
  const struct stat state = file.state();
  if (S_ISDIR(state.st_mode)) fail("read", name, EISDIR);
  const auto tooLarge = [&](const std::string& size) {
    throw Failure(
        fmt::format("cannot read '{}': it has {}, and at most {} are read", name.string(), size, sizeText(most)));
  };
  const auto size = static_cast<size_t>(state.st_size);
  if (!S_ISREG(state.st_mode)) most = std::min(most, mostFromPipe);
  if (S_ISREG(state.st_mode) && size > most) tooLarge(sizeText(size));
  const bool isStandardInput = name == "-", isPipe = S_ISFIFO(state.st_mode);
  if (isPipe && !isStandardInput) file.waitForWriter();
  const bool mayTakeLong = isStandardInput || isPipe || file.isTerminal();
  Container content;
  size_t used = 0;
  for (;;) {
    if (content.size() - used < (size_t{1} << 15))
      content.resize(std::max(used + (size_t{1} << 16), std::min(used + used / 2, most)));
    const size_t got = file.read(content.data() + used, content.size() - used, mayTakeLong);
    used += got;
    if (got == 0) break;
    if (used > most) tooLarge("more, perhaps no end");
  }
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

std::string readText(const std::filesystem::path& file) { return readAll<std::string>(file, mostText); }

std::vector<std::byte> readBytes(const std::filesystem::path& file) {
  return readAll<std::vector<std::byte>>(file, mostData());
}

std::string readData(const std::filesystem::path& file) { return readAll<std::string>(file, mostData()); }

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
