// SPDX-License-Identifier: Apache-2.0
// This file steps through the application's instructions by the processor's trap flag. Its signal handler writes
// registers to a table, and nothing else.
#include "check/host/host_steps.h"

#include "check/host/host_watch.h"
#include "check/host/machine_code.h"
#include "support/thread_end.h"

#include <link.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace clarity::check {

// Sanitizers and other processors do without.
#if defined(__x86_64__) && \
    !(defined(__has_feature) && (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer)))
namespace {

constexpr std::uint64_t trapFlag = 0x100;
constexpr std::size_t mostSteps = 12'000;
/// The most instructions outside of the driver and in it.
constexpr std::size_t mostTraps = 3 * mostSteps;

struct Step {
  std::uint64_t instruction = 0;
  MachineRegisters registers{};
};

/// The steps of a thread.
struct Steps {
  std::array<Step, mostSteps> taken{};
  std::size_t count = 0, traps = 0;
  std::vector<StepWatch::Range> ranges;
};
constinit thread_local Steps* active [[gnu::tls_model("initial-exec")]] = nullptr;  ///< null: the thread is not watched
constinit thread_local Steps* kept [[gnu::tls_model("initial-exec")]] = nullptr;    ///< for the next time

struct sigaction trapBefore;
std::uint64_t driverBegin = 0, driverEnd = 0;

/// System calls that leave the signals of the thread as they are. Others are made with the flag off: where signals are
/// blocked, a trap ends the process.
bool isHarmless(std::uint64_t call) {
  switch (call) {
    case SYS_read:
    case SYS_write:
    case SYS_writev:
    case SYS_lseek:
    case SYS_fstat:
    case SYS_newfstatat:
    case SYS_mmap:
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_madvise:
    case SYS_brk:
    case SYS_futex:
    case SYS_getpid:
    case SYS_clock_gettime:
    case SYS_openat:
    case SYS_close:
    case SYS_fcntl:
    case SYS_ioctl:
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_sendto:
    case SYS_unlink:
    case SYS_getrandom:
    case SYS_clock_nanosleep: return true;
    default: return false;
  }
}

void onTrap(int signal, siginfo_t* info, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  // Virtual machines lose the reason of a step now and then.
  const bool isStep = info->si_code == TRAP_TRACE ||
                      (info->si_code == TRAP_BRKPT && (static_cast<std::uint64_t>(registers[REG_EFL]) & trapFlag) != 0);
  if (!isStep) {
    if (passToHandler(trapBefore, signal, info, context)) return;
    std::signal(signal, SIG_DFL);
    return;
  }
  Steps* const steps = active;
  const auto now = static_cast<std::uint64_t>(registers[REG_RIP]);
  bool goesOn = steps && ++steps->traps < mostTraps;
  if (goesOn && (now < driverBegin || now >= driverEnd)) {
    Step& step = steps->taken[steps->count++];
    step.instruction = now;
    constexpr std::array order = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                  REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    for (std::size_t i = 0; i < order.size(); ++i) step.registers[i] = static_cast<std::uint64_t>(registers[order[i]]);
    const auto* const code = reinterpret_cast<const unsigned char*>(now);  // NOLINT(performance-no-int-to-ptr)
    const bool isSystemCall = code[0] == 0x0f && code[1] == 0x05;
    goesOn = steps->count < mostSteps && !(isSystemCall && !isHarmless(static_cast<std::uint64_t>(registers[REG_RAX])));
  }
  if (!goesOn) registers[REG_EFL] &= ~static_cast<greg_t>(trapFlag);
}

int findDriver(dl_phdr_info* object, std::size_t, void*) {
  const auto own = reinterpret_cast<std::uint64_t>(&findDriver);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) & part = object->dlpi_phdr[i];
    const std::uint64_t begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || own - begin >= part.p_memsz) continue;
    driverBegin = begin;
    driverEnd = begin + part.p_memsz;
    return 1;
  }
  return 0;
}

/// The code of the application: its executable, and libraries that are none of the system's.
std::vector<StepWatch::Range> applicationCode() {
  std::vector<StepWatch::Range> parts;
  const auto add = [](dl_phdr_info* object, std::size_t, void* to) {
    const std::string_view path = object->dlpi_name ? object->dlpi_name : "";
    const bool isOfSystem = path.starts_with("/lib") || path.starts_with("/usr/lib") || path.starts_with("linux-") ||
                            path.find("libOpenCL.so") != path.npos;
    for (int i = 0; i < object->dlpi_phnum && !isOfSystem; ++i) {
      const ElfW(Phdr) & part = object->dlpi_phdr[i];
      const std::uint64_t begin = object->dlpi_addr + part.p_vaddr;
      if (part.p_type == PT_LOAD && (part.p_flags & PF_X) && begin != driverBegin)
        static_cast<std::vector<StepWatch::Range>*>(to)->push_back({.address = begin, .bytes = part.p_memsz});
    }
    return 0;
  };
  ::dl_iterate_phdr(add, &parts);
  return parts;
}

/// Whether a debugger, which uses the flag itself, follows the process.
bool isTraced() {
  std::FILE* const status = std::fopen("/proc/self/status", "re");
  if (!status) return true;
  std::array<char, 256> line{};
  int tracer = 1;
  while (std::fgets(line.data(), line.size(), status))
    if (std::sscanf(line.data(), "TracerPid: %d", &tracer) == 1) break;
  std::fclose(status);
  return tracer != 0;
}

bool install() {
  if (isTraced() || ::dl_iterate_phdr(&findDriver, nullptr) == 0) return false;
  struct sigaction action{};
  action.sa_sigaction = &onTrap;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  return ::sigaction(SIGTRAP, &action, &trapBefore) == 0;
}

/// Whether a trap can be taken here: it is not blocked, and there is room for the signal's frame.
bool mayTrap() {
  constexpr std::size_t leastStack = 32768;
  sigset_t blocked;
  stack_t stack{};
  if (::pthread_sigmask(SIG_BLOCK, nullptr, &blocked) != 0 || sigismember(&blocked, SIGTRAP) != 0) return false;
  return ::sigaltstack(nullptr, &stack) == 0 && ((stack.ss_flags & SS_DISABLE) || stack.ss_size >= leastStack);
}

}  // namespace

bool StepWatch::isPossible() {
  static const bool installed = install();
  return installed && mayTrap();
}

void StepWatch::begin(std::vector<Range> ranges) {
  if (!kept) {
    kept = new Steps;
    const bool isKnown = support::atThreadEnd(
        [](void*) {
          active = nullptr;
          delete std::exchange(kept, nullptr);
        },
        nullptr);
    if (!isKnown) return delete std::exchange(kept, nullptr);
  }
  kept->count = kept->traps = 0;
  kept->ranges = std::move(ranges);
  active = kept;
  asm volatile(
      "lea -128(%%rsp), %%rsp\n\t"
      "pushfq\n\t"
      "orq %0, (%%rsp)\n\t"
      "popfq\n\t"
      "lea 128(%%rsp), %%rsp" ::"i"(trapFlag)
      : "memory", "cc");
}

namespace {

/// The part of memory that a system call takes, which writes to a file or a socket, as offset; none if it takes none.
std::optional<std::uint64_t> takenBySystem(const StepWatch::Range& range, const Step& step) {
  constexpr std::size_t rax = 0, rdx = 2, rsi = 6;
  const std::uint64_t call = step.registers[rax], begin = step.registers[rsi], bytes = step.registers[rdx];
  if (call != SYS_write && call != SYS_pwrite64 && call != SYS_sendto) return std::nullopt;
  const bool overlaps = bytes != 0 && begin < range.address + range.bytes && range.address < begin + bytes;
  return overlaps ? std::optional(std::max(begin, range.address) - range.address) : std::nullopt;
}

/// The calls of the application that have not returned.
class OpenCalls {
public:
  void take(const Step& step, std::span<const std::byte> code) {
    constexpr std::size_t stackPointer = 4;
    const std::uint64_t stack = step.registers[stackPointer];
    while (!calls_.empty() && stack >= calls_.back().second) calls_.pop_back();
    const auto second = static_cast<unsigned>(code[1]);
    if (code[0] == std::byte{0xe8} || (code[0] == std::byte{0xff} && (second >> 3 & 7) == 2))
      calls_.emplace_back(step.instruction, stack);
  }
  Frames framesFrom(const void* instruction) const {
    Frames frames{};
    if (!instruction) return frames;
    frames[0] = static_cast<const std::byte*>(instruction) + 1;
    std::size_t to = 1;
    for (auto call = calls_.rbegin(); call != calls_.rend() && to < frames.size(); ++call)
      if (call->first != reinterpret_cast<std::uint64_t>(instruction))
        frames[to++] = reinterpret_cast<const void*>(call->first + 1);  // NOLINT(performance-no-int-to-ptr)
    return frames;
  }

private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> calls_;  ///< instruction, and the stack ahead of it
};

/// Whether code is part of a stub that jumps to a library: no line of the source.
bool isStub(std::span<const std::byte> code) {
  constexpr std::array<std::array<unsigned char, 4>, 7> beginnings = {
      {{0xff, 0x25}, {0xf2, 0xff, 0x25}, {0xff, 0x35}, {0x68}, {0xe9}, {0xf2, 0xe9}, {0xf3, 0x0f, 0x1e, 0xfa}}};
  return std::ranges::any_of(beginnings, [&](const auto& beginning) {
    for (std::size_t i = 0; i < beginning.size() && beginning[i] != 0; ++i)
      if (code[i] != std::byte{beginning[i]}) return false;
    return true;
  });
}

}  // namespace

std::vector<StepWatch::Touch> StepWatch::end() {
  Steps* const steps = std::exchange(active, nullptr);
  if (!steps) return {};
  // The handler turns the flag off at the next instruction.
  static std::mutex& mutex = *new std::mutex;
  static MachineCode* const reader = MachineCode::create().release();
  const std::lock_guard lock(mutex);
  std::vector<Touch> touches;
  if (!reader) return touches;
  const std::vector<Range> own = applicationCode();
  const auto isOwn = [&](std::uint64_t address) {
    return std::ranges::any_of(own, [&](const Range& part) { return address - part.address < part.bytes; });
  };
  const void* last = nullptr;
  OpenCalls calls;
  for (const Step& step : std::span(steps->taken).first(steps->count)) {
    std::array<std::byte, 16> code{};
    std::size_t bytes = code.size();
    while (bytes > 0 && !PageWatch::read(code.data(), step.instruction, bytes)) bytes /= 2;
    const auto* const place = reinterpret_cast<const void*>(step.instruction);  // NOLINT(performance-no-int-to-ptr)
    if (isOwn(step.instruction) && !isStub(code)) {
      last = place;
      calls.take(step, code);
    }
    const bool isSystemCall = code[0] == std::byte{0x0f} && code[1] == std::byte{0x05};
    for (Range& range : steps->ranges)
      if (const auto offset = isSystemCall && !range.writesOnly ? takenBySystem(range, step) : std::nullopt) {
        touches.push_back({range.owner, range.address + *offset, false, last, place, calls.framesFrom(last)});
        range.bytes = 0;  // once
      }
    for (const MachineAccess& access : reader->accesses(step.instruction, std::span(code).first(bytes), step.registers))
      for (Range& range : steps->ranges) {
        if (range.systemOnly || access.address - range.address >= range.bytes || (range.writesOnly && !access.writes))
          continue;
        touches.push_back({range.owner, access.address, access.writes, last, place, calls.framesFrom(last)});
        range.bytes = 0;  // once
      }
  }
  return touches;
}
#else
bool StepWatch::isPossible() { return false; }
void StepWatch::begin(std::vector<Range>) {}
std::vector<StepWatch::Touch> StepWatch::end() { return {}; }
#endif

}  // namespace clarity::check
