// SPDX-License-Identifier: Apache-2.0
// This file is the scenario of an application that installs and removes handlers, alternate stacks and masks, and whose
// threads are interrupted, while kernels fault and others compute.
#include "faults.h"
#include "run.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

namespace clarity::stress {
namespace {

constexpr int faultSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

/// The handler of each signal before the application's, which calls it as Python's faulthandler does.
std::array<struct sigaction, 65> before;
std::atomic<unsigned> interruptions{0};

void passOn(int signal, siginfo_t* info, void* context) {
  const struct sigaction& action = before[static_cast<std::size_t>(signal)];
  if (action.sa_flags & SA_SIGINFO)
    action.sa_sigaction(signal, info, context);
  else if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
    action.sa_handler(signal);
  else
    _exit(3);
}

void interrupt(int) { interruptions.fetch_add(1, std::memory_order_relaxed); }

void installHandler(int signal, Random& random) {
  struct sigaction now = {};
  sigaction(signal, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == passOn) {
    sigaction(signal, &before[static_cast<std::size_t>(signal)], nullptr);  // removed
    return;
  }
  before[static_cast<std::size_t>(signal)] = now;
  struct sigaction ours = {};
  ours.sa_sigaction = passOn;
  ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | (random.chance(50) ? SA_RESTART : 0);
  sigaction(signal, &ours, nullptr);
}

void setInterruptions(Random& random) {
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = SA_ONSTACK | (random.chance(50) ? SA_RESTART : 0);
  for (const int signal : {SIGALRM, SIGPROF, SIGUSR1}) sigaction(signal, &action, nullptr);
  const itimerval often{{0, static_cast<suseconds_t>(random.between(500, 5'000))}, {0, 1'000}};
  setitimer(random.chance(50) ? ITIMER_REAL : ITIMER_PROF, &often, nullptr);
}

void sleepUninterrupted(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) usleep(500);
}

/// Changes what belongs to the calling thread.
void changeThread(Random& random) {
  sigset_t faults;
  sigemptyset(&faults);
  for (const int signal : faultSignals) sigaddset(&faults, signal);
  pthread_sigmask(random.chance(50) ? SIG_BLOCK : SIG_UNBLOCK, &faults, nullptr);
  stack_t off = {};
  off.ss_flags = SS_DISABLE;
  if (random.chance(50)) sigaltstack(&off, nullptr);
}

}  // namespace

void signals(Run& run) {
  run.expectGood(run.start([](Random random) {
    const Session session(static_cast<unsigned>(random.below(8)));
    FaultyKernels kernels(session);
    kernels.mustFail(random);
    setInterruptions(random);
    std::exception_ptr failure;
    {
      const std::jthread others([&, its = random.split()]() mutable {
        try {
          operateOnThreads(its.split(), 2, 60);
          FaultyKernels own(session);
          for (int i = 0; i < 20; ++i) own.mustFail(its);
        } catch (...) {
          failure = std::current_exception();
        }
      });
      const auto other = const_cast<std::jthread&>(others).native_handle();
      for (std::size_t i = random.between(5, 20); i > 0; --i) {
        installHandler(random.oneOf(faultSignals), random);
        changeThread(random);
        // A look at what the application has changed is due every 20 milliseconds (docs/faults.md).
        sleepUninterrupted(std::chrono::milliseconds(25));
        kernels.mustFail(random);
        if (random.chance(50)) pthread_kill(other, SIGUSR1);
      }
    }
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    setitimer(ITIMER_PROF, &never, nullptr);
    if (failure) std::rethrow_exception(failure);
    operateOnThreads(random.split(), 2, 20);
  }));
}

}  // namespace clarity::stress
