// SPDX-License-Identifier: Apache-2.0
// This file implements fault_guard.h with sigsetjmp and handlers for the signals of faults.
#include "support/fault_guard.h"

#include "support/fault_handlers.h"
#include "support/signal_context.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__has_feature) && __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__has_feature) && __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#endif

#include <csetjmp>
#include <cstring>
#include <optional>
#include <utility>

namespace clarity::support {
namespace {

/// One active guard. The signal handler accesses trivial data only.
struct Frame {
  sigjmp_buf resume;
  Frame* outer = nullptr;
  FaultGuard::OtherStack* firstSwitch = nullptr;  ///< from the stack that the guard is on
  const std::atomic<bool>* endable = nullptr;     ///< the flag that Endable was given for this guard
  bool (*endableWhere)(const void*) = nullptr;
#if defined(__has_feature) && __has_feature(thread_sanitizer)
  void* fiber = __tsan_get_current_fiber();
#endif
  int signal = 0;
  int code = 0;
  const void* address = nullptr;
  const void* instruction = nullptr;
  const void* stackPointer = nullptr;
  decltype(Fault::stackWords) stackWords;
  std::optional<std::uint64_t> pageFaultBits;
  std::size_t textBytes = 0;  ///< bytes of abandon()'s text, which must not need memory
  char text[FaultGuard::mostText];
};

// Initial-exec: other models allocate at a thread's first use, which the handler must not do.
constinit thread_local Frame* innermost [[gnu::tls_model("initial-exec")]] = nullptr;

/// The flag that Endable was given, for the next guard.
constinit thread_local const std::atomic<bool>* endable [[gnu::tls_model("initial-exec")]] = nullptr;
using Where = bool (*)(const void*);
constinit thread_local Where endableWhere [[gnu::tls_model("initial-exec")]] = nullptr;

/// Its address is what requests come with, so that signals that others send are not taken for them.
const char requestMark = 0;

/// The stack that this thread runs on, if that is not the one it was created with.
constinit thread_local StackRange otherStack [[gnu::tls_model("initial-exec")]];

#if defined(__has_feature) && (__has_feature(thread_sanitizer) || __has_feature(address_sanitizer))
/// Keeps requests to end away while a sanitizer changes fibers: a handler would find it halfway. Not inlined where the
/// stack has been changed and AddressSanitizer has not been told yet: it keeps local objects elsewhere.
[[gnu::noinline]] void holdRequests(bool hold) {
  sigset_t request;
  sigemptyset(&request);
  sigaddset(&request, SIGTRAP);
  pthread_sigmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &request, nullptr);
}
#endif

#if defined(__has_feature) && __has_feature(thread_sanitizer)
/// The fiber that a thread is to ThreadSanitizer while it runs on stacks of the driver. ThreadSanitizer forgets a jump
/// buffer when another one is made at a higher address: a guard inside of a kernel would take away the one around it.
struct Fiber {
  void* its = nullptr;

  /// Not the one that this thread is: the process ends on that stack.
  void end() {
    if (its && its != __tsan_get_current_fiber()) __tsan_destroy_fiber(std::exchange(its, nullptr));
  }
  ~Fiber() { end(); }
};
thread_local Fiber fiber;
#endif

void record(Frame& frame, int signal, const siginfo_t& info, const ucontext_t& context) {
  frame.signal = signal;
  frame.code = info.si_code;
  frame.address = info.si_addr;
  frame.instruction = instructionOf(context);
  frame.stackPointer = stackPointerOf(context);
  frame.pageFaultBits = pageFaultBitsOf(context);
  frame.stackWords = {};
  const auto* word = static_cast<const std::byte*>(frame.stackPointer);
  for (const void*& each : frame.stackWords) {
    if (!otherStack.low || !otherStack.contains(word) || !otherStack.contains(word + sizeof each - 1)) break;
    std::memcpy(&each, word, sizeof each);
    word += sizeof each;
  }
}

/// Leaves the innermost guarded call, which is not guarded any more: should going on fault too, the process ends.
[[noreturn]] void leave(Frame& frame) {
  innermost = nullptr;
#if defined(__has_feature) && __has_feature(thread_sanitizer)
  holdRequests(true);  // until call() has them again
  if (__tsan_get_current_fiber() != frame.fiber) __tsan_switch_to_fiber(frame.fiber, 0);
#endif
  siglongjmp(frame.resume, 1);
}

/// Whether a signal is a request of requestEnd().
bool isRequest(int signal, const siginfo_t& info) {
  return signal == SIGTRAP && info.si_code == SI_QUEUE && info.si_value.sival_ptr == &requestMark;
}

bool endGuardedCall(int signal, const siginfo_t& info, const ucontext_t& context) {
  Frame* const frame = innermost;
  if (isRequest(signal, info)) {
    // The guarded function has begun where the thread is on a stack of its own: what it comes back to is known.
    const bool isOut = otherStack.low && otherStack.contains(stackPointerOf(context));
    const bool mayEnd =
        frame && frame->endable && frame->endable->load(std::memory_order_relaxed) &&
        (isOut || (!otherStack.low && frame->endableWhere && frame->endableWhere(instructionOf(context))));
    if (!mayEnd) return true;
    frame->signal = 0;
    frame->textBytes = 0;
    frame->instruction = nullptr;
  } else {
    if (!frame || info.si_code <= 0) return false;  // sent by kill() or the like, not by the processor
    record(*frame, signal, info, context);
  }
  // The jump does not restore the signal mask, and code between the kernel and this handler may have blocked signals.
  pthread_sigmask(SIG_SETMASK, &context.uc_sigmask, nullptr);
  leave(*frame);
}

/// Milliseconds of a clock that the kernel moves on at every tick: reading it takes a fifth of the time that reading a
/// processor's counter takes.
std::int64_t coarseTime() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return time.tv_sec * std::int64_t{1000} + time.tv_nsec / 1'000'000;
}

/// The result of this thread's last look at its signals.
struct Look {
  std::int64_t at = 0;   ///< 0: there was none
  bool blocked = false;  ///< some fault's signal is
};
constinit thread_local Look lastLook [[gnu::tls_model("initial-exec")]];

void look(std::int64_t now) {
  lastLook = {now, false};
  installFaultHandlers(endGuardedCall);
  ensureAlternateStack();
  lastLook.blocked = blocksFaultSignals();
}

/// Lets a thread that blocks the signals of faults have them: a fault would end the process.
class Unblocked {
public:
  explicit Unblocked(bool needed) : needed_(needed) {
    if (needed_) unblockFaultSignals(before_);
  }
  ~Unblocked() {
    if (needed_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Unblocked(const Unblocked&) = delete;
  Unblocked& operator=(const Unblocked&) = delete;

private:
  bool needed_;
  sigset_t before_;
};

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

/// `stack`: what the thread was on, if that was not the stack it was created with.
void describeFault(const Frame& frame, const StackRange& stack, Fault& out) {
  out.signal = frame.signal;
  out.instruction = frame.instruction;
  out.address = frame.address;
  out.stackWords = frame.stackWords;
  if (frame.signal != SIGSEGV && frame.signal != SIGBUS) return;
  if (frame.pageFaultBits) {
    constexpr std::uint64_t writing = 2, fetching = 16;
    out.access = *frame.pageFaultBits & fetching  ? Fault::Access::Execute
                 : *frame.pageFaultBits & writing ? Fault::Access::Write
                                                  : Fault::Access::Read;
    out.stackOverflow = stack.low ? stack.isBelow(frame.address) : isStackOverflow(frame.address, frame.stackPointer);
    out.stackOverrun = stack.low && stack.isAbove(frame.address);
  }
}

}  // namespace

std::string Fault::describe() const {
  if (signal == 0) return text;
  const char* const verb = access == Access::Write ? "wrote" : access == Access::Read ? "read" : "jumped";
  if (stackOverflow)
    return fmt::format("needs more private memory than the stack of a thread has, or {} below it", verb);
  if (stackOverrun) return fmt::format("{} beyond the end of its private memory", verb);
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

// always_inline: this object may lie where the frames of functions that are called from now on will be.
[[gnu::always_inline]] void FaultGuard::OtherStack::abandoned() noexcept {
#if defined(__has_feature) && __has_feature(address_sanitizer)
  const StackRange left = range_;
  const void* const fromLow = fromLow_;
  const std::size_t fromBytes = fromBytes_;
  void* const frames = frames_;
  // `this` does not tell where frames are: AddressSanitizer keeps local objects elsewhere.
  constexpr std::size_t below = 4096;
  const auto* const low = static_cast<const std::byte*>(leftAt_) - below;
  const auto* const here = static_cast<const std::byte*>(__builtin_frame_address(0));
  __sanitizer_start_switch_fiber(nullptr, fromLow, fromBytes);
  __sanitizer_finish_switch_fiber(frames, nullptr, nullptr);
  // Frames between the guard and the switch were left without a word, and so were those on the other stack.
  if (low < here) __asan_unpoison_memory_region(low, static_cast<std::size_t>(here - low));
  __asan_unpoison_memory_region(left.low, left.bytes());
  __asan_handle_no_return();  // frees what it keeps for functions that were left
#elif defined(__has_feature) && __has_feature(thread_sanitizer)
  fiber.end();  // in whose signal handler the thread is for ever
#endif
}

// noinline: a function that calls setjmp must keep its frame.
[[gnu::noinline]] bool FaultGuard::call(void (*function)(void*), void* argument, Fault& out) {
  const std::int64_t now = coarseTime();
  if (now - lastLook.at >= lookIntervalMilliseconds || lastLook.at == 0) look(now);
  const Unblocked unblocked(lastLook.blocked);

  struct Innermost {
    Frame* outer;
    explicit Innermost(Frame& frame) : outer(std::exchange(innermost, &frame)) {}
    ~Innermost() { innermost = outer; }
  };
  const StackRange stack = otherStack;
  Frame frame;
  frame.endable = std::exchange(endable, nullptr);
  frame.endableWhere = std::exchange(endableWhere, nullptr);
  const Innermost scope(frame);
  if (sigsetjmp(frame.resume, 0) == 0) {
    function(argument);
    return true;
  }
  const StackRange left = std::exchange(otherStack, stack);
  if (frame.firstSwitch) frame.firstSwitch->abandoned();
#if defined(__has_feature) && __has_feature(thread_sanitizer)
  holdRequests(false);
#endif
  out = {};
  if (frame.signal == 0) {
    out.text.assign(frame.text, frame.textBytes);
    out.instruction = frame.instruction;
  } else {
    describeFault(frame, left, out);
  }
  return false;
}

void FaultGuard::abandon(std::string_view text, const void* instruction) {
  Frame* const frame = innermost;
  if (!frame) return;
  frame->signal = 0;
  frame->instruction = instruction;
  frame->textBytes = text.copy(frame->text, mostText);
  leave(*frame);
}

void FaultGuard::endIfWanted() {
  if (innermost && innermost->endable && innermost->endable->load(std::memory_order_relaxed)) abandon({});
}

FaultGuard::Endable::Endable(const std::atomic<bool>* ended) noexcept : Endable(ended, nullptr) {}

FaultGuard::Endable::Endable(const std::atomic<bool>* ended, bool (*where)(const void*)) noexcept
    : before_(std::exchange(endable, ended)), whereBefore_(std::exchange(endableWhere, where)) {}

FaultGuard::Endable::~Endable() {
  endable = before_;
  endableWhere = whereBefore_;
}

void FaultGuard::requestEnd(pthread_t thread) noexcept {
  sigval value = {};
  value.sival_ptr = const_cast<char*>(&requestMark);
  pthread_sigqueue(thread, SIGTRAP, value);
}

bool FaultGuard::active() noexcept { return innermost != nullptr; }

// Not instrumented: ThreadSanitizer would see a call in one fiber, and its return in another.
[[clang::disable_sanitizer_instrumentation]] FaultGuard::OtherStack::OtherStack(const StackRange& range) noexcept
    : before_(std::exchange(otherStack, range)) {
  if (innermost && !innermost->firstSwitch) innermost->firstSwitch = this;
#if defined(__has_feature) && __has_feature(address_sanitizer)
  range_ = range;
  leftAt_ = __builtin_frame_address(0);
  holdRequests(true);  // until arrived()
  __sanitizer_start_switch_fiber(&frames_, range.low, range.bytes());
#elif defined(__has_feature) && __has_feature(thread_sanitizer)
  if (before_.low) return;
  holdRequests(true);
  fiber_ = __tsan_get_current_fiber();
  if (!fiber.its) fiber.its = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(fiber.its, 0);
  holdRequests(false);
#endif
}

[[clang::disable_sanitizer_instrumentation]] FaultGuard::OtherStack::~OtherStack() {
  otherStack = before_;
  if (innermost && innermost->firstSwitch == this) innermost->firstSwitch = nullptr;
#if defined(__has_feature) && __has_feature(address_sanitizer)
  if (there_) __sanitizer_start_switch_fiber(nullptr, fromLow_, fromBytes_);  // an exception has come through
  __sanitizer_finish_switch_fiber(frames_, nullptr, nullptr);
  holdRequests(false);
#elif defined(__has_feature) && __has_feature(thread_sanitizer)
  if (!fiber_) return;
  holdRequests(true);
  __tsan_switch_to_fiber(fiber_, 0);
  holdRequests(false);
#endif
}

void FaultGuard::OtherStack::arrived([[maybe_unused]] void* frames) noexcept {
#if defined(__has_feature) && __has_feature(address_sanitizer)
  __sanitizer_finish_switch_fiber(frames, &fromLow_, &fromBytes_);
  there_ = true;
  holdRequests(false);
#endif
}

void FaultGuard::OtherStack::leaving([[maybe_unused]] void** frames) noexcept {
#if defined(__has_feature) && __has_feature(address_sanitizer)
  holdRequests(true);  // until the destructor
  there_ = false;
  __sanitizer_start_switch_fiber(frames, fromLow_, fromBytes_);
#endif
}

FaultGuard::Outside::Outside() noexcept : suspended_(std::exchange(innermost, nullptr)) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation_);
}

FaultGuard::Outside::~Outside() {
  pthread_setcancelstate(cancellation_, nullptr);
  innermost = static_cast<Frame*>(suspended_);
}

}  // namespace clarity::support
