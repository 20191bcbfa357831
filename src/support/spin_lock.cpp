// SPDX-License-Identifier: Apache-2.0
// This file waits for a spin lock.
#include "support/spin_lock.h"

#include <chrono>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace clarity::support {
namespace {

/// Looks at the lock, first right after each other, then each after other threads of this processor have run.
constexpr unsigned looks = 100, looksWithYield = 200;

void pauseProcessor() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

void SpinLock::wait() noexcept {
  for (unsigned look = 0;; ++look) {
    if (!locked_.load(std::memory_order_relaxed) && try_lock()) return;
    if (look < looks)
      pauseProcessor();
    else if (look < looksWithYield)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

}  // namespace clarity::support
