// SPDX-License-Identifier: Apache-2.0
// This file implements fault_handlers.h.
#include "support/fault_handlers.h"

#include <pthread.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <utility>

namespace clarity::support {
namespace {

constexpr std::array handledSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

/// The number of times that a handler of the application can take the place of ours until we forget the oldest ones but
/// the first.
constexpr std::size_t mostInstallations = 8;

/// The handlers that were there before each of our installations. A handler that the application puts in place of ours
/// may call ours, or put it back, so each installation has a function of its own, which passes on to what it has
/// replaced.
struct Installations {
  std::array<struct sigaction, mostInstallations> before;
  std::size_t count = 0;
};
std::array<Installations, handledSignals.size()> installations;

std::atomic<FaultHandler> faultHandler{nullptr};

/// The signal that this thread is passing on.
struct Passing {
  const void* context = nullptr;
  const char* frame = nullptr;
  std::size_t installation = 0;
};
constinit thread_local Passing passing [[gnu::tls_model("initial-exec")]];

std::size_t indexOf(int signal) {
  for (std::size_t i = 0; i < handledSignals.size(); ++i)
    if (handledSignals[i] == signal) return i;
  return 0;
}

/// With the default action restored, a faulting instruction faults again and ends the process. A signal that was sent
/// must be raised again, and so must that of a breakpoint, behind which the program would go on.
void endProcess(int signal, bool sent) {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  if (sent || signal == SIGTRAP) raise(signal);
}

/// Calls it as the kernel would: with the signals blocked that it wants blocked. The mask is restored when the signal
/// has been handled.
void callAsInstalled(struct sigaction& action, int signal, siginfo_t* info, void* context) {
  const struct sigaction called = action;
  if (called.sa_flags & SA_RESETHAND) {
    action.sa_handler = SIG_DFL;
    action.sa_flags &= ~SA_SIGINFO;
  }
  sigset_t mask = called.sa_mask;
  if (!(called.sa_flags & SA_NODEFER)) sigaddset(&mask, signal);
  pthread_sigmask(SIG_BLOCK, &mask, nullptr);
  if (called.sa_flags & SA_SIGINFO)
    called.sa_sigaction(signal, info, context);
  else
    called.sa_handler(signal);
}

void passOn(std::size_t installation, int signal, siginfo_t* info, void* context) {
  struct sigaction& before = installations[indexOf(signal)].before[installation];
  const bool sent = info->si_code <= 0;
  const bool isFunction =
      (before.sa_flags & SA_SIGINFO) || (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN);
  if (!isFunction && sent && before.sa_handler == SIG_IGN) return;
  // Called by the handler that it has called for this very signal: each is what the other one has replaced.
  const auto* const frame = static_cast<const char*>(__builtin_frame_address(0));
  const bool inACircle = passing.context == context && frame < passing.frame && installation >= passing.installation;
  if (!isFunction || inACircle) return endProcess(signal, sent);
  const Passing outer = std::exchange(passing, {context, frame, installation});
  callAsInstalled(before, signal, info, context);
  passing = outer;
}

template <std::size_t installation>
void onFault(int signal, siginfo_t* info, void* context) {
  const FaultHandler handler = faultHandler.load(std::memory_order_relaxed);
  if (handler(signal, *info, *static_cast<ucontext_t*>(context))) return;
  passOn(installation, signal, info, context);
}

using Function = void (*)(int, siginfo_t*, void*);

template <std::size_t... each>
constexpr std::array<Function, sizeof...(each)> functionsFor(std::index_sequence<each...>) {
  return {onFault<each>...};
}
constexpr std::array functions = functionsFor(std::make_index_sequence<mostInstallations>());

/// The installation that an action is; mostInstallations if it is not ours.
std::size_t installationOf(const struct sigaction& action) {
  std::size_t which = 0;
  if (!(action.sa_flags & SA_SIGINFO)) return mostInstallations;
  while (which < mostInstallations && action.sa_sigaction != functions[which]) ++which;
  return which;
}

void install(int signal, Installations& done) {
  struct sigaction now = {};
  sigaction(signal, nullptr, &now);
  if (const std::size_t found = installationOf(now); found < mostInstallations) {
    done.count = found + 1;  // the application may have put an older one back
    return;
  }
  const std::size_t next = std::min(done.count, mostInstallations - 1);
  done.before[next] = now;
  done.count = next + 1;
  struct sigaction ours = {};
  ours.sa_sigaction = functions[next];
  // NODEFER: the handler is left by a jump that does not restore the signal mask.
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&ours.sa_mask);
  struct sigaction replaced = {};
  sigaction(signal, &ours, &replaced);
  if (installationOf(replaced) == mostInstallations) done.before[next] = replaced;  // it came in between
}

/// A stack for the handler, so that a stack overflow can be handled, one for each thread that has none of its own.
/// Trivial: threads execute kernels while their objects are destroyed.
struct AlternateStack {
  std::byte* memory = nullptr;
  bool ended = false;  ///< the thread is about to end
};
constinit thread_local AlternateStack alternateStack [[gnu::tls_model("initial-exec")]];

constexpr std::size_t alternateBytes = 64 * 1024;  // vector registers make signal frames of several KiB
constexpr std::size_t alternateGuard = 4096 * 16;

/// The bytes that a signal frame of this processor and the handler need. An application may have given less, such as
/// the 2,048 bytes of MINSIGSTKSZ, on which no signal can be delivered.
std::size_t leastAlternateBytes() {
  constexpr std::size_t forHandler = 4096;
  static const std::size_t bytes = std::max<std::size_t>(getauxval(AT_MINSIGSTKSZ), 2048) + forHandler;
  return bytes;
}

struct AlternateStackEnd {
  ~AlternateStackEnd() {
    alternateStack.ended = true;
    std::byte* const memory = std::exchange(alternateStack.memory, nullptr);
    if (!memory) return;
    stack_t current = {};
    if (sigaltstack(nullptr, &current) == 0 && current.ss_sp == memory + alternateGuard) {
      stack_t off = {};
      off.ss_flags = SS_DISABLE;
      if (sigaltstack(&off, nullptr) != 0) return;  // in use: the memory is not freed
    }
    munmap(memory, alternateGuard + alternateBytes);
  }
};

std::byte* mapAlternateStack() {
  void* const memory = mmap(nullptr, alternateGuard + alternateBytes, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const result = static_cast<std::byte*>(memory);
  if (mprotect(result + alternateGuard, alternateBytes, PROT_READ | PROT_WRITE) == 0) return result;
  munmap(memory, alternateGuard + alternateBytes);
  return nullptr;
}

}  // namespace

void installFaultHandlers(FaultHandler handler) {
  faultHandler.store(handler, std::memory_order_relaxed);
  // One thread does it. A child of fork() may find a thread at it that it does not have.
  static std::atomic<pid_t> installing{0};
  const pid_t process = getpid();
  for (pid_t at = 0; !installing.compare_exchange_weak(at, process, std::memory_order_acquire);)
    if (at == process) {
      sched_yield();
      at = 0;
    }
  for (std::size_t i = 0; i < handledSignals.size(); ++i) install(handledSignals[i], installations[i]);
  installing.store(0, std::memory_order_release);
}

void ensureAlternateStack() {
  stack_t current = {};
  if (sigaltstack(nullptr, &current) != 0 || alternateStack.ended) return;
  // One that is in use cannot be exchanged.
  const bool suffices = !(current.ss_flags & SS_DISABLE) && current.ss_size >= leastAlternateBytes();
  if (suffices || (current.ss_flags & SS_ONSTACK)) return;
  if (!alternateStack.memory) {
    static thread_local const AlternateStackEnd end;
    (void)end;
    alternateStack.memory = mapAlternateStack();
    if (!alternateStack.memory) return;
  }
  stack_t ours = {};
  ours.ss_sp = alternateStack.memory + alternateGuard;
  ours.ss_size = alternateBytes;
  sigaltstack(&ours, nullptr);
}

bool blocksFaultSignals() {
  sigset_t mask;
  if (pthread_sigmask(SIG_SETMASK, nullptr, &mask) != 0) return false;
  for (const int signal : handledSignals)
    if (sigismember(&mask, signal) == 1) return true;
  return false;
}

void unblockFaultSignals(sigset_t& before) {
  sigset_t faults;
  sigemptyset(&faults);
  for (const int signal : handledSignals) sigaddset(&faults, signal);
  pthread_sigmask(SIG_UNBLOCK, &faults, &before);
}

}  // namespace clarity::support
