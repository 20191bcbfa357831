// SPDX-License-Identifier: Apache-2.0
// This file blocks the signals of failed writes, and takes those from the thread that came of its own writes.
#include "support/without_signals.h"

#include <pthread.h>
#include <cerrno>
#include <ctime>

namespace clarity::support {
namespace {

sigset_t only(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

}  // namespace

WithoutSignals::WithoutSignals() noexcept {
  sigset_t blocked = only(SIGPIPE);
  sigaddset(&blocked, SIGXFSZ);
  sigpending(&pending_);
  pthread_sigmask(SIG_BLOCK, &blocked, &before_);
}

WithoutSignals::~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void WithoutSignals::failed(int error) noexcept {
  const int signal = error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0;
  if (signal == 0 || sigismember(&pending_, signal) == 1) return;
  const sigset_t its = only(signal);
  const timespec now{};
  while (sigtimedwait(&its, nullptr, &now) < 0 && errno == EINTR) {
  }
}

}  // namespace clarity::support
