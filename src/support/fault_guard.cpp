// SPDX-License-Identifier: Apache-2.0
// This file implements fault_guard.h with sigsetjmp and handlers for the signals of faults.
#include "support/fault_guard.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <csetjmp>
#include <cstring>
#include <mutex>
#include <utility>

namespace clarity::support {
namespace {

/// One active guard. The signal handler accesses trivial data only.
struct Frame {
  sigjmp_buf resume;
  int signal = 0;
  int code = 0;
  const void* address = nullptr;
  const void* instruction = nullptr;
  const void* stackPointer = nullptr;
  std::uint64_t errorBits = 0;
  bool hasErrorBits = false;
};

// Initial-exec: other models allocate at a thread's first use, which the handler must not do.
constinit thread_local Frame* innermost [[gnu::tls_model("initial-exec")]] = nullptr;

/// The lowest address of the stack that this thread runs on, if that is not the one it was created with.
constinit thread_local const void* otherStack [[gnu::tls_model("initial-exec")]] = nullptr;

constexpr std::array handledSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
std::array<struct sigaction, handledSignals.size()> previousActions;

struct sigaction& previousAction(int signal) {
  for (std::size_t i = 0; i < handledSignals.size(); ++i)
    if (handledSignals[i] == signal) return previousActions[i];
  return previousActions[0];
}

void record(Frame& frame, int signal, const siginfo_t& info, const ucontext_t& context) {
  frame.signal = signal;
  frame.code = info.si_code;
  frame.address = info.si_addr;
#if defined(__x86_64__)
  frame.instruction = reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RIP]);
  frame.stackPointer = reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RSP]);
  constexpr auto pageFaultTrap = 14;
  frame.hasErrorBits = context.uc_mcontext.gregs[REG_TRAPNO] == pageFaultTrap;
  frame.errorBits = static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_ERR]);
#elif defined(__aarch64__)
  frame.instruction = reinterpret_cast<const void*>(context.uc_mcontext.pc);
  frame.stackPointer = reinterpret_cast<const void*>(context.uc_mcontext.sp);
#else
  (void)context;
#endif
}

/// The fault is outside all guards: the handler that was installed before gets it.
void passOn(int signal, siginfo_t* info, void* context) {
  const struct sigaction& previous = previousAction(signal);
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN) {
    // With the default action restored, a faulting instruction faults again and ends the process. A signal that was
    // sent by a process must be raised again.
    struct sigaction standard = {};
    standard.sa_handler = SIG_DFL;
    const bool sent = info->si_code <= 0;
    if (sent && previous.sa_handler == SIG_IGN) return;
    sigaction(signal, &standard, nullptr);
    if (sent) raise(signal);
  } else {
    previous.sa_handler(signal);
  }
}

void onFault(int signal, siginfo_t* info, void* context) {
  Frame* const frame = innermost;
  const bool sent = info->si_code <= 0;  // by kill() or the like, not by the processor
  if (!frame || sent) return passOn(signal, info, context);
  const auto& interrupted = *static_cast<ucontext_t*>(context);
  record(*frame, signal, *info, interrupted);
  // The jump does not restore the signal mask, and code between the kernel and this handler may have blocked signals.
  pthread_sigmask(SIG_SETMASK, &interrupted.uc_sigmask, nullptr);
  siglongjmp(frame->resume, 1);
}

void installHandlers() {
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  // NODEFER: the handler is left by a jump that does not restore the signal mask.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < handledSignals.size(); ++i) sigaction(handledSignals[i], &action, &previousActions[i]);
}

/// A stack for the handler, so that a stack overflow can be handled; one for each thread, unless the application has
/// installed one.
class AlternateStack {
public:
  AlternateStack() {
    stack_t current = {};
    if (sigaltstack(nullptr, &current) == 0 && !(current.ss_flags & SS_DISABLE)) return;
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t ours = {};
    ours.ss_sp = memory;
    ours.ss_size = bytes;
    if (sigaltstack(&ours, nullptr) == 0)
      memory_ = memory;
    else
      munmap(memory, bytes);
  }
  ~AlternateStack() {
    if (!memory_) return;
    stack_t current = {};
    if (sigaltstack(nullptr, &current) == 0 && current.ss_sp == memory_) {
      stack_t off = {};
      off.ss_flags = SS_DISABLE;
      if (sigaltstack(&off, nullptr) != 0) return;  // in use: the memory is not freed
    }
    munmap(memory_, bytes);
  }
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;

private:
  static constexpr std::size_t bytes = 64 * 1024;  // vector registers make signal frames of several KiB
  void* memory_ = nullptr;
};

void prepareThread() {
  static std::once_flag once;
  std::call_once(once, installHandlers);
  thread_local AlternateStack stack;
  (void)stack;
}

/// Whether an address is just below the stack pointer or below this thread's stack: an overflow of the stack.
bool isStackOverflow(const void* address, const void* stackPointer) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto top = reinterpret_cast<std::uintptr_t>(stackPointer);
  constexpr std::uintptr_t reach = 1 << 20;
  if (!top || at > top + reach || at + reach < top) return false;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  void* low = nullptr;
  std::size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  const auto bottom = reinterpret_cast<std::uintptr_t>(low);
  return known && at < bottom + 65536 && at + reach > bottom;
}

bool isInGuardPage(const void* address, const void* low) {
  const auto at = reinterpret_cast<std::uintptr_t>(address), begin = reinterpret_cast<std::uintptr_t>(low);
  return at >= begin && at - begin < static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
}

/// `stack`: the lowest address of the stack that the thread was on, if that was not the one it was created with.
void describeFault(const Frame& frame, const void* stack, Fault& out) {
  out.signal = frame.signal;
  out.instruction = frame.instruction;
  out.address = frame.address;
  if (frame.signal != SIGSEGV && frame.signal != SIGBUS) return;
  if (frame.hasErrorBits) {
    constexpr std::uint64_t writing = 2, fetching = 16;
    out.access = frame.errorBits & fetching  ? Fault::Access::Execute
                 : frame.errorBits & writing ? Fault::Access::Write
                                             : Fault::Access::Read;
    out.stackOverflow =
        stack ? isInGuardPage(frame.address, stack) : isStackOverflow(frame.address, frame.stackPointer);
  }
}

}  // namespace

std::string Fault::describe() const {
  if (signal == 0) return text;
  if (stackOverflow) return "needs more private memory than the stack of a thread has";
  switch (signal) {
    case SIGFPE: return "divided an integer by zero, or the smallest one by -1";
    case SIGILL:
    case SIGTRAP: return fmt::format("executed an illegal instruction or a trap at {}", instruction);
    default: break;
  }
  switch (access) {
    case Access::Read: return fmt::format("read from address {}, which it may not access", address);
    case Access::Write: return fmt::format("wrote to address {}, which it may not access", address);
    case Access::Execute: return fmt::format("jumped to address {}, which is not executable", address);
    // The processor does not report the address of an access that is not canonical (upper bits).
    case Access::Unknown: return "accessed an address that is not canonical or not aligned";
  }
  return "faulted";
}

// noinline: a function that calls setjmp must keep its frame.
[[gnu::noinline]] bool FaultGuard::call(void (*function)(void*), void* argument, Fault& out) {
  thread_local const bool prepared = (prepareThread(), true);
  (void)prepared;

  struct Innermost {
    Frame* outer;
    explicit Innermost(Frame& frame) : outer(std::exchange(innermost, &frame)) {}
    ~Innermost() { innermost = outer; }
  };
  const void* const stack = otherStack;
  Frame frame;
  const Innermost scope(frame);
  if (sigsetjmp(frame.resume, 0) == 0) {
    function(argument);
    return true;
  }
  const void* const left = std::exchange(otherStack, stack);
  out.text.clear();
  if (frame.signal == 0) {
    out.signal = 0;
    if (frame.address) {
      auto* const text = static_cast<std::string*>(const_cast<void*>(frame.address));
      out.text = std::move(*text);
      delete text;
    }
  } else {
    describeFault(frame, left, out);
  }
  return false;
}

void FaultGuard::abandon(std::string text) {
  Frame* const frame = innermost;
  if (!frame) return;
  frame->signal = 0;
  frame->address = new std::string(std::move(text));  // call() frees it; this frame's objects are not destroyed
  siglongjmp(frame->resume, 1);
}

bool FaultGuard::active() noexcept { return innermost != nullptr; }

FaultGuard::OtherStack::OtherStack(const void* low) noexcept : before_(std::exchange(otherStack, low)) {}
FaultGuard::OtherStack::~OtherStack() { otherStack = before_; }

FaultGuard::Outside::Outside() noexcept : suspended_(std::exchange(innermost, nullptr)) {}
FaultGuard::Outside::~Outside() { innermost = static_cast<Frame*>(suspended_); }

}  // namespace clarity::support
