// SPDX-License-Identifier: Apache-2.0
// This file calls event callbacks.
#include "sched/notifier.h"

#include "core/error.h"
#include "support/process_end.h"

#include <system_error>
#include <thread>
#include <utility>

namespace clarity::sched {

Notifier& Notifier::get() {
  // Never destroyed: its thread lives until the process has ended.
  static Notifier* const notifier = new Notifier;
  return *notifier;
}

void Notifier::start() {
  const std::lock_guard lock(mutex_);
  if (started_) return;
  try {
    std::thread([this] { run(); }).detach();
  } catch (const std::system_error& error) {
    core::fail(CL_OUT_OF_RESOURCES, "there is no thread for event callbacks: {}", error.what());
  }
  started_ = true;
}

void Notifier::post(Notice notice) {
  {
    const std::lock_guard lock(mutex_);
    notices_.push_back(std::move(notice));
  }
  changed_.notify_one();
}

void Notifier::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return !notices_.empty(); });
    {
      const Notice notice = std::move(notices_.front());
      notices_.pop_front();
      lock.unlock();
      if (!support::processEnds()) notice.function(notice.event->handle(), notice.status, notice.userData);
    }
    lock.lock();
  }
}

}  // namespace clarity::sched
