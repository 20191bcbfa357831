// SPDX-License-Identifier: Apache-2.0
// This file keeps destructor callbacks: registered from any thread, called in the reverse order of registration.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

namespace clarity::core {

/// A stack of application callbacks `void(Handle, void* user_data)`.
template <class Handle>
class CallbackStack {
public:
  using Function = void (*)(Handle, void*);

  void push(Function function, void* userData) {
    const std::lock_guard lock(mutex_);
    entries_.emplace_back(function, userData);
  }

  /// Calls and forgets all of them, the last registered first, outside of the lock.
  void runAll(Handle handle) noexcept {
    for (;;) {
      std::pair<Function, void*> entry;
      {
        const std::lock_guard lock(mutex_);
        if (entries_.empty()) return;
        entry = entries_.back();
        entries_.pop_back();
      }
      entry.first(handle, entry.second);
    }
  }

private:
  std::mutex mutex_;
  std::vector<std::pair<Function, void*>> entries_;
};

}  // namespace clarity::core
