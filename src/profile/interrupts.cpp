// SPDX-License-Identifier: Apache-2.0
// This file waits for what ends the process. Handlers of signals wake a thread, which can lock and allocate as they
// cannot, and wait for it.
#include "profile/interrupts.h"

#include "support/fault_handlers.h"
#include "support/own_thread.h"
#include "support/process_end.h"

#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <exception>

namespace clarity::profile {
namespace {

constexpr std::array interrupts{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU};
/// Signals of what a thread does: it waits for the record.
constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE, SIGXFSZ};
/// An interrupt that comes within so many milliseconds of the first one is no second request: `timeout` sends two.
constexpr std::int64_t leastBetween = 500;
/// The longest that a thread that crashed waits for the record, which needs what it has locked.
constexpr int mostSeconds = 20;

sem_t theEnding;
/// The signal or the status that ends the process.
std::atomic<int> theSignal{0}, theStatus{0};
std::atomic<bool> isEnding{false}, isWritten{false};
std::atomic<std::int64_t> theBegin{0};  ///< the end's begin, in milliseconds
/// A child of fork() has no thread that waits.
std::atomic<pid_t> theProcess{0};
/// This thread writes the record: a fault in it ends the process.
constinit thread_local bool isWriter [[gnu::tls_model("initial-exec")]] = false;

bool isOurs() { return ::getpid() == theProcess.load(); }

bool isCrash(int signal) {
  for (const int each : crashes)
    if (each == signal) return true;
  return false;
}

void leaveToSystem(int signal) {
  ::signal(signal, SIG_DFL);
  sigset_t its;
  ::sigemptyset(&its);
  ::sigaddset(&its, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &its, nullptr);
}

/// Milliseconds. Allowed in handlers.
std::int64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

/// Has the record written unless that has begun. Called in handlers.
bool begin(int signal, int status) {
  if (isEnding.exchange(true)) return false;
  theBegin = now();
  theSignal = signal;
  theStatus = status;
  ::sem_post(&theEnding);
  return true;
}

void await() {
  constexpr long millisecond = 1'000'000;
  for (int i = 0; i < mostSeconds * 1000 && !isWritten; ++i) {
    const timespec pause{.tv_sec = 0, .tv_nsec = millisecond};
    ::nanosleep(&pause, nullptr);
  }
}

void endBy(int signal) {
  leaveToSystem(signal);
  ::raise(signal);
}

void onSignal(int signal) {
  const int error = errno;
  if (!isOurs() || isWriter) {
    endBy(signal);
  } else if (isCrash(signal)) {
    begin(signal, 0);
    await();
    const int first = theSignal;
    endBy(isWritten && first != 0 ? first : signal);
  } else if (!begin(signal, 0) && now() - theBegin >= leastBetween) {  // the second one does not wait for the record
    endBy(signal);
  }
  errno = error;
}

void onExit(int status) {
  if (isOurs() && !isWriter) {
    begin(0, status & 0xff);
    awaitEnding();
  }
  ::_exit(status);
}

/// Before a signal that the process sends itself: it may have put the system's action back, as Python does behind a
/// KeyboardInterrupt.
void beforeSignal(int signal) {
  if (!isOurs() || isWriter) return;
  bool ends = signal == SIGKILL || signal == SIGQUIT || isCrash(signal);
  for (const int each : interrupts) ends |= each == signal;
  struct sigaction now{};
  if (!ends || ::sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL)
    return;
  sigset_t blocked;  // then it ends nothing: a thread may wait for it by sigwait()
  if (::pthread_sigmask(SIG_BLOCK, nullptr, &blocked) != 0 || ::sigismember(&blocked, signal) == 1) return;
  begin(signal, 0);
  await();
}

int onKill(pid_t process, int signal) {
  if (process == ::getpid() || process == 0) beforeSignal(signal);
  return ::kill(process, signal);
}

int onRaise(int signal) {
  beforeSignal(signal);
  return ::raise(signal);
}

void install(int signal) {
  struct sigaction now{};
  if (::sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL) return;
  struct sigaction ours{};
  ours.sa_handler = onSignal;
  ours.sa_flags = SA_ONSTACK | SA_RESTART;
  ::sigemptyset(&ours.sa_mask);
  ::sigaction(signal, &ours, nullptr);
}

void waitForEnd(void (*finish)(const Ending&)) {
  isWriter = true;
  while (::sem_wait(&theEnding) != 0) {
  }
  const int signal = theSignal;
  finish({.signal = signal, .status = theStatus, .isAtOnce = signal == 0});
  isWritten = true;
  if (signal == 0 || isCrash(signal)) return;  // its thread goes on
  leaveToSystem(signal);
  ::kill(::getpid(), signal);
}

}  // namespace

void awaitEnding() {
  if (!isEnding || isWriter || !isOurs()) return;
  await();
  if (const int signal = theSignal; isWritten && signal != 0) endBy(signal);
}

void finishOnInterrupt(void (*finish)(const Ending&)) try {
  if (::sem_init(&theEnding, 0, 0) != 0) return;
  theProcess = ::getpid();
  support::runOnOwnThread([finish] { waitForEnd(finish); });
  support::ensureAlternateStack();  // for faults of a stack that is used up
  for (const int signal : interrupts) install(signal);
  for (const int signal : crashes) install(signal);
  for (const char* const name : {"_exit", "_Exit"}) replaceFunction(name, reinterpret_cast<const void*>(onExit));
  replaceFunction("kill", reinterpret_cast<const void*>(onKill));
  replaceFunction("raise", reinterpret_cast<const void*>(onRaise));
  support::atQuickProcessEnd([] {
    if (isOurs() && begin(0, Ending::unknown)) await();
  });
} catch (const std::exception&) {
  // Without a thread for it, the record is lost as it is without a profile.
}

}  // namespace clarity::profile
