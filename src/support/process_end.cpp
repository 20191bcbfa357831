// SPDX-License-Identifier: Apache-2.0
// This file registers functions that run when the process ends.
#include "support/process_end.h"

#include <atomic>
#include <cstdlib>

namespace clarity::support {

namespace {
std::atomic<bool> begun{false};
}

void atProcessEnd(void (*handler)()) {
  // Not std::atexit: it calls __cxa_atexit, which does nothing in the driver.
  const auto run = [](int, void* which) {
    begun.store(true, std::memory_order_relaxed);
    reinterpret_cast<void (*)()>(which)();
  };
  ::on_exit(run, reinterpret_cast<void*>(handler));
}

bool processEnds() noexcept { return begun.load(std::memory_order_relaxed); }

}  // namespace clarity::support
