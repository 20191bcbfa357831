// SPDX-License-Identifier: Apache-2.0
// This file starts threads that the application does not know of.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

namespace clarity::support {

/// Runs `work` on a thread on which no signal comes: the application's handlers are not for it. Throws as std::thread.
template <class Work>
void runOnOwnThread(Work work) {
  struct Blocked {
    Blocked() {
      sigset_t all;
      ::sigfillset(&all);
      ::pthread_sigmask(SIG_SETMASK, &all, &before);
    }
    ~Blocked() { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    sigset_t before{};
  };
  const Blocked blocked;
  std::thread(std::move(work)).detach();
}

}  // namespace clarity::support
