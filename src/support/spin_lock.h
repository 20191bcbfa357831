// SPDX-License-Identifier: Apache-2.0
// This file is a lock for short critical sections on paths that run for every command.
#pragma once

#include <atomic>

namespace clarity::support {

/// A spin lock, for std::lock_guard and std::unique_lock. Taking it is one atomic operation and giving it back a store,
/// where std::mutex needs two atomic operations and two calls: for sections of some ten instructions, which threads
/// rarely contend for. A thread that has to wait long (the one that holds it was preempted, or allocates memory) gives
/// up its processor and at last sleeps, so that a thread of lower priority gets on too.
class SpinLock {
public:
  SpinLock() = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  void lock() noexcept {
    if (!try_lock()) [[unlikely]]
      wait();
  }
  bool try_lock() noexcept { return !locked_.exchange(true, std::memory_order_acquire); }
  void unlock() noexcept { locked_.store(false, std::memory_order_release); }

private:
  /// Returns with the lock taken.
  void wait() noexcept;

  std::atomic<bool> locked_{false};
};

}  // namespace clarity::support
