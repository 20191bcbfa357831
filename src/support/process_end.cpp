// SPDX-License-Identifier: Apache-2.0
// This file registers functions that run when the process ends.
#include "support/process_end.h"

#include <pthread.h>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <mutex>

namespace clarity::support {

namespace {
std::atomic<bool> begun{false};
std::atomic<int> status{0};

/// Held while a function is registered, and by fork() while it makes the child. The C library keeps a lock meanwhile,
/// which a child would inherit locked: its exit() would wait for ever.
constinit std::mutex registering;

void keepForksAway() {
  [[maybe_unused]] static const int done =
      ::pthread_atfork([] { registering.lock(); }, [] { registering.unlock(); }, [] { registering.unlock(); });
}
}  // namespace

void atProcessEnd(void (*handler)()) {
  // Not std::atexit: it calls __cxa_atexit, which does nothing in the driver.
  const auto run = [](int code, void* which) {
    status.store(code, std::memory_order_relaxed);
    begun.store(true, std::memory_order_relaxed);
    reinterpret_cast<void (*)()>(which)();
  };
  keepForksAway();
  const std::lock_guard lock(registering);
  errno = 0;
  // Refused when all such functions have run already: another thread ends the process while the driver is loaded.
  if (::on_exit(run, reinterpret_cast<void*>(handler)) != 0 && errno != ENOMEM) begun.store(true);
}

void atQuickProcessEnd(void (*handler)()) {
  keepForksAway();
  const std::lock_guard lock(registering);
  ::at_quick_exit(handler);
}

void noticeProcessEnd() {
  atProcessEnd([] {});
}

int exitStatus() noexcept { return status.load(std::memory_order_relaxed); }

bool processEnds() noexcept { return begun.load(std::memory_order_relaxed); }

}  // namespace clarity::support
