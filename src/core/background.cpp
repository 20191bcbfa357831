// SPDX-License-Identifier: Apache-2.0
// This file keeps count of the background threads, so that the end of the process waits for them.
#include "core/background.h"

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

namespace clarity::core {
namespace {

/// Never destroyed, as threads use it to the very end.
struct Running {
  std::mutex mutex;
  std::condition_variable idle;
  std::size_t count = 0;
};

Running& running() {
  static Running* const instance = [] {
    auto* const made = new Running;
    // Registered after the static objects of everything that is loaded, and so run before they go.
    std::atexit([] {
      std::unique_lock lock(running().mutex);
      running().idle.wait(lock, [] { return running().count == 0; });
    });
    return made;
  }();
  return *instance;
}

}  // namespace

void runInBackground(std::function<void()> work) {
  Running& all = running();
  {
    const std::lock_guard lock(all.mutex);
    ++all.count;
  }
  const auto done = [&all] {
    const std::lock_guard lock(all.mutex);
    --all.count;
    all.idle.notify_all();
  };
  try {
    std::thread([work, done] {
      work();
      done();
    }).detach();
  } catch (const std::system_error&) {
    work();
    done();
  }
}

}  // namespace clarity::core
