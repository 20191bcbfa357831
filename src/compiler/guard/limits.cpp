// SPDX-License-Identifier: Apache-2.0
// This file measures compiles. The system does not say how much memory one thread holds, so two numbers must both
// exceed the limit: by how much the process has grown, and how much memory this thread can have touched for the first
// time. Memory that the application allocates meanwhile on other threads is not the compile's.
#include "compiler/guard/limits.h"

#include "support/memory_reserve.h"
#include "support/process_end.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <mutex>
#include <new>
#include <string_view>

namespace clarity::compiler {
namespace {

constexpr unsigned callsBetween = 16;
constexpr std::chrono::milliseconds timeBetween{5};
constexpr std::uint64_t hugePage = 2 << 20;

std::atomic<std::uint64_t> mostBytes{0};
std::atomic<std::chrono::milliseconds> mostTime{};
std::atomic<bool> aheadIsCancelled{false};
thread_local LimitedCompile* current = nullptr;
thread_local bool isAhead = false;

CompileLimits limits() { return {mostBytes.load(std::memory_order_relaxed), mostTime.load(std::memory_order_relaxed)}; }

/// The beginning of a small file of the system's.
template <std::size_t Size>
std::string_view contentOf(const char* path, std::array<char, Size>& room) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t got = ::read(file, room.data(), room.size());
  ::close(file);
  return {room.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

std::uint64_t pageBytes() {
  static const auto bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Bytes of the process that are in memory: the second number of statm, in pages. 0 if the system does not say.
std::uint64_t residentBytes() {
  std::array<char, 128> room;
  const std::string_view text = contentOf("/proc/self/statm", room);
  const std::size_t blank = text.find(' ');
  std::uint64_t pages = 0;
  if (blank != std::string_view::npos) std::from_chars(text.data() + blank + 1, text.data() + text.size(), pages);
  return pages * pageBytes();
}

/// The most that one fault can bring into memory.
std::uint64_t bytesOfFault() {
  static const std::uint64_t bytes = [] {
    std::array<char, 128> room;
    const std::string_view text = contentOf("/sys/kernel/mm/transparent_hugepage/enabled", room);
    return text.contains("[always]") ? hugePage : pageBytes();
  }();
  return bytes;
}

std::uint64_t faultsOfThread() {
  rusage usage{};
  if (::getrusage(RUSAGE_THREAD, &usage) != 0) return 0;
  return static_cast<std::uint64_t>(usage.ru_minflt) + static_cast<std::uint64_t>(usage.ru_majflt);
}

std::string timeExceeded(std::chrono::milliseconds time) {
  return fmt::format("the compile was given up after {} seconds (CLARITY_COMPILE_SECONDS)",
                     std::chrono::duration<double>(time).count());
}
std::string memoryExceeded(std::uint64_t taken, std::uint64_t limit) {
  return fmt::format("the compile was given up when it had taken {} MiB of memory (CLARITY_COMPILE_MEMORY_MB is {})",
                     taken >> 20, limit >> 20);
}

/// Page faults of one of this process's threads: the 10th and the 12th number of its stat, the first two of which are a
/// number and a name in parentheses.
std::uint64_t faultsOfThread(pid_t thread) {
  std::array<char, 512> room;
  std::string_view text = contentOf(fmt::format("/proc/self/task/{}/stat", thread).c_str(), room);
  text.remove_prefix(std::min(text.rfind(')') + 1, text.size()));
  std::uint64_t sum = 0;
  for (int field = 3; field <= 12 && !text.empty(); ++field) {
    text.remove_prefix(1);
    std::uint64_t value = 0;
    if (field == 10 || field == 12) std::from_chars(text.data(), text.data() + text.size(), value);
    sum += value;
    text.remove_prefix(std::min(text.find(' '), text.size()));
  }
  return sum;
}

}  // namespace

void configureLimits(const CompileLimits& wanted) {
  mostBytes.store(wanted.memoryBytes, std::memory_order_relaxed);
  mostTime.store(wanted.time, std::memory_order_relaxed);
}

std::size_t mostBytesAtOnce() { return limits().memoryBytes; }

std::string tooMuchAtOnce(std::size_t bytes) {
  return fmt::format(
      "the compile was given up when it asked for {} MiB of memory at once (CLARITY_COMPILE_MEMORY_MB "
      "is {})",
      bytes >> 20, limits().memoryBytes >> 20);
}

LimitedCompile::LimitedCompile() : limits_(limits()), outer_(current) {
  current = outer_ ? outer_ : this;
  if (outer_ || limits_.memoryBytes == 0) return;
  residentAtBegin_ = residentBytes();
  faultsAtBegin_ = faultsOfThread();
}

LimitedCompile::~LimitedCompile() { current = outer_; }

void LimitedCompile::check() {
  if (support::MemoryReserve::spent()) throw std::bad_alloc();
  if (isAhead && (support::processEnds() || aheadIsCancelled.load(std::memory_order_relaxed)))
    throw LimitExceeded("the compile was given up, as no launch waited for it yet");
  if (++calls_ % callsBetween != 0) return;
  const Clock::time_point now = Clock::now();
  if (now - checked_ < timeBetween) return;
  checked_ = now;
  if (limits_.time.count() != 0 && now - begin_ > limits_.time) throw LimitExceeded(timeExceeded(limits_.time));
  if (limits_.memoryBytes == 0) return;
  if ((faultsOfThread() - faultsAtBegin_) * bytesOfFault() <= limits_.memoryBytes) return;
  const std::uint64_t resident = residentBytes();
  if (resident > residentAtBegin_ && resident - residentAtBegin_ > limits_.memoryBytes)
    throw LimitExceeded(memoryExceeded(resident - residentAtBegin_, limits_.memoryBytes));
}

CompileWatch::CompileWatch(pid_t thread) : limits_(limits()), thread_(thread) {
  if (limits_.memoryBytes == 0) return;
  residentAtBegin_ = residentBytes();
  faultsAtBegin_ = faultsOfThread(thread);
}

std::string CompileWatch::exceeded() const {
  const std::chrono::milliseconds most = limits_.time + limits_.time / 10 + std::chrono::milliseconds(500);
  if (limits_.time.count() != 0 && Clock::now() - begin_ > most) return timeExceeded(limits_.time);
  if (limits_.memoryBytes == 0) return {};
  const std::uint64_t mostBytesTaken = limits_.memoryBytes + limits_.memoryBytes / 10;
  if ((faultsOfThread(thread_) - faultsAtBegin_) * bytesOfFault() <= mostBytesTaken) return {};
  const std::uint64_t resident = residentBytes();
  if (resident <= residentAtBegin_ || resident - residentAtBegin_ <= mostBytesTaken) return {};
  return memoryExceeded(resident - residentAtBegin_, limits_.memoryBytes);
}

CompileAhead::CompileAhead(bool ahead) { isAhead = ahead; }

CompileAhead::~CompileAhead() { isAhead = false; }

void cancelAhead(bool isGivenUp) noexcept { aheadIsCancelled.store(isGivenUp, std::memory_order_relaxed); }

void checkLimits() {
  if (current) current->check();
}

}  // namespace clarity::compiler
