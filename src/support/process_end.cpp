// SPDX-License-Identifier: Apache-2.0
// This file registers functions that run when the process ends.
#include "support/process_end.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace clarity::support {

namespace {
std::atomic<bool> begun{false};
std::atomic<int> status{0};
}  // namespace

void atProcessEnd(void (*handler)()) {
  // Not std::atexit: it calls __cxa_atexit, which does nothing in the driver.
  const auto run = [](int code, void* which) {
    status.store(code, std::memory_order_relaxed);
    begun.store(true, std::memory_order_relaxed);
    reinterpret_cast<void (*)()>(which)();
  };
  errno = 0;
  // Refused when all such functions have run already: another thread ends the process while the driver is loaded.
  if (::on_exit(run, reinterpret_cast<void*>(handler)) != 0 && errno != ENOMEM) begun.store(true);
}

void noticeProcessEnd() {
  atProcessEnd([] {});
}

int exitStatus() noexcept { return status.load(std::memory_order_relaxed); }

bool processEnds() noexcept { return begun.load(std::memory_order_relaxed); }

}  // namespace clarity::support
