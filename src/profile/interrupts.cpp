// SPDX-License-Identifier: Apache-2.0
// This file waits for signals that end the process.
#include "profile/interrupts.h"

#include "support/own_thread.h"

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <exception>

namespace clarity::profile {
namespace {

sem_t theSignals;
std::atomic<int> theSignal{0};
/// A child of fork() has no thread that waits.
std::atomic<pid_t> theProcess{0};

void onSignal(int signal) {
  const int error = errno;
  if (::getpid() != theProcess.load()) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  } else if (theSignal.exchange(signal) == 0) {
    ::sem_post(&theSignals);
  } else {  // the second one does not wait for the record
    ::_exit(128 + signal);
  }
  errno = error;
}

}  // namespace

void finishOnInterrupt(void (*finish)()) try {
  if (::sem_init(&theSignals, 0, 0) != 0) return;
  theProcess = ::getpid();
  support::runOnOwnThread([finish] {
    while (::sem_wait(&theSignals) != 0) {
    }
    finish();
    const int signal = theSignal;
    ::signal(signal, SIG_DFL);
    sigset_t its;
    ::sigemptyset(&its);
    ::sigaddset(&its, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &its, nullptr);
    ::kill(::getpid(), signal);
  });
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now{};
    if (::sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL) continue;
    struct sigaction ours{};
    ours.sa_handler = onSignal;
    ours.sa_flags = SA_ONSTACK | SA_RESTART;
    ::sigemptyset(&ours.sa_mask);
    ::sigaction(signal, &ours, nullptr);
  }
} catch (const std::exception&) {
  // Without a thread for it, the record is lost as it is without a profile.
}

}  // namespace clarity::profile
