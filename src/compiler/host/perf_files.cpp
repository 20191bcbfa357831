// SPDX-License-Identifier: Apache-2.0
// This file writes perf's map and its jitdump (tools/perf/Documentation/jitdump-specification.txt of Linux).
#include "compiler/host/perf_files.h"

#include "support/clock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <mutex>
#include <string>

namespace clarity::compiler {
namespace {

constexpr std::uint32_t machineX86 = 62;  ///< EM_X86_64, whose header has macros with names of LLVM's

enum Record : std::uint32_t { CodeLoad = 0, DebugInfo = 2 };

/// Numbers one behind the other.
class Bytes {
public:
  template <class T>
  Bytes& add(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  /// With a zero at the end.
  Bytes& text(std::string_view text) {
    bytes_.append(text);
    bytes_ += '\0';
    return *this;
  }
  Bytes& raw(std::string_view bytes) {
    bytes_.append(bytes);
    return *this;
  }
  const std::string& take() const { return bytes_; }

private:
  std::string bytes_;
};

/// A file of this user's in a folder that all users share; -1 if there is none.
int openOwn(const std::string& name, int flags) {
  const int file = ::open(name.c_str(), O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
  struct stat facts{};
  if (file >= 0 && (::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid())) {
    ::close(file);
    return -1;
  }
  return file;
}

void write(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// The files of this process. A child of fork() opens its own.
class Files {
public:
  void add(std::span<const NamedCode> functions, std::span<const LineRow> rows, std::uint64_t entry) {
    open();
    std::string map;
    for (const NamedCode& function : functions)
      map += fmt::format("{:x} {:x} {}\n", function.address, function.bytes, function.name);
    if (map_ >= 0) write(map_, map);
    if (dump_ < 0) return;
    for (const NamedCode& function : functions) {
      addLines(function, rows, entry);
      addCode(function);
    }
  }

private:
  void open() {
    if (process_ == ::getpid()) return;
    if (map_ >= 0) ::close(map_);
    if (dump_ >= 0) ::close(dump_);
    process_ = ::getpid();
    map_ = openOwn(fmt::format("/tmp/perf-{}.map", process_), O_WRONLY | O_TRUNC | O_APPEND);
    dump_ = openOwn(fmt::format("/tmp/jit-{}.dump", process_), O_RDWR | O_TRUNC);
    if (dump_ < 0) return;
    write(dump_, Bytes()
                     .add(std::uint32_t{0x4A695444})
                     .add(std::uint32_t{1})
                     .add(std::uint32_t{40})
                     .add(machineX86)
                     .add(std::uint32_t{0})
                     .add(static_cast<std::uint32_t>(process_))
                     .add(support::hostTime())
                     .add(std::uint64_t{0})
                     .take());
    // `perf record` notes which files are mapped for execution, which is how `perf inject` finds this one.
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    (void)::mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump_, 0);
  }

  void record(Record kind, const std::string& content) const {
    constexpr std::size_t headBytes = 16;
    write(dump_, Bytes()
                     .add<std::uint32_t>(kind)
                     .add(static_cast<std::uint32_t>(headBytes + content.size()))
                     .add(support::hostTime())
                     .raw(content)
                     .take());
  }

  void addLines(const NamedCode& function, std::span<const LineRow> rows, std::uint64_t entry) const {
    Bytes lines;
    std::uint64_t count = 0;
    for (const LineRow& row : rows) {
      const std::uint64_t address = entry + static_cast<std::uint64_t>(row.offset);
      if (row.place.line == 0 || address < function.address || address >= function.address + function.bytes) continue;
      lines.add(address).add(row.place.line).add(std::uint32_t{0}).text(row.place.file);
      ++count;
    }
    if (count > 0) record(DebugInfo, Bytes().add(function.address).add(count).raw(lines.take()).take());
  }

  void addCode(const NamedCode& function) {
    record(CodeLoad, Bytes()
                         .add(static_cast<std::uint32_t>(process_))
                         .add(static_cast<std::uint32_t>(::syscall(SYS_gettid)))
                         .add(function.address)
                         .add(function.address)
                         .add(function.bytes)
                         .add(codes_++)
                         .text(function.name)
                         .raw({reinterpret_cast<const char*>(function.address), function.bytes})
                         .take());
  }

  pid_t process_ = 0;
  int map_ = -1, dump_ = -1;
  std::uint64_t codes_ = 0;
};

}  // namespace

void writePerfFiles(std::span<const NamedCode> functions, std::span<const LineRow> rows, std::uint64_t entry) {
  static auto& mutex = *new std::mutex;
  static auto& files = *new Files;
  const std::lock_guard lock(mutex);
  files.add(functions, rows, entry);
}

}  // namespace clarity::compiler
