// SPDX-License-Identifier: Apache-2.0
// This file is a lock that no thread waits for: who does not get it leaves a function to be called later.
#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace clarity::core {

/// Has one holder at a time. Thread-safe.
class Gate {
public:
  /// True if the gate is the caller's now. Otherwise `retry` is called, on some other thread, when it may be free.
  bool enter(std::function<void()> retry) {
    const std::lock_guard lock(mutex_);
    if (!held_) return held_ = true;
    waiting_.push_back(std::move(retry));
    return false;
  }
  void leave() {
    std::vector<std::function<void()>> waiting;
    {
      const std::lock_guard lock(mutex_);
      held_ = false;
      waiting.swap(waiting_);
    }
    for (const auto& retry : waiting) retry();
  }

private:
  std::mutex mutex_;
  bool held_ = false;
  std::vector<std::function<void()>> waiting_;
};

}  // namespace clarity::core
