// SPDX-License-Identifier: Apache-2.0
// This file starts threads that the application does not know of.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

namespace clarity::support {

/// While one lives, the threads that this thread starts begin with the application's signals blocked. They are for its
/// own threads: one that waits for SIGTERM by sigwait() or signalfd() has blocked it in all threads that it knows of,
/// and the system would kill the process by it in any other.
class OwnThreadSignals {
public:
  OwnThreadSignals() {
    sigset_t blocked;
    ::sigfillset(&blocked);
    // These are for the thread in which something happens, or are the driver's own.
    for (const int each :
         {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPIPE, SIGXFSZ, SIGPROF, SIGURG})
      ::sigdelset(&blocked, each);
    ::pthread_sigmask(SIG_SETMASK, &blocked, &before_);
  }
  OwnThreadSignals(const OwnThreadSignals&) = delete;
  ~OwnThreadSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
  sigset_t before_{};
};

/// Runs `work` on a thread with no signals of the application's. Throws as std::thread.
template <class Work>
void runOnOwnThread(Work work) {
  const OwnThreadSignals signals;
  std::thread(std::move(work)).detach();
}

}  // namespace clarity::support
