// SPDX-License-Identifier: Apache-2.0
// This file is the thread that calls the application's event callbacks.
#pragma once

#include "sched/event.h"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace clarity::sched {

/// Calls callbacks one after another on a separate thread: a callback may take locks that the application holds
/// while it waits for the event, and may call the API. There is one for the process; it is never destroyed.
class Notifier {
public:
  static Notifier& get();

  /// Makes sure that there is a thread. CL_OUT_OF_RESOURCES if none can be had.
  void start();
  void post(std::unique_ptr<Event::Notice> notice) noexcept;

private:
  Notifier();
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::unique_ptr<Event::Notice> first_;
  Event::Notice* last_ = nullptr;  ///< if there is a first one
  bool started_ = false;
};

}  // namespace clarity::sched
