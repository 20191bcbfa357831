// SPDX-License-Identifier: Apache-2.0
// This file calls event callbacks.
#include "sched/notifier.h"

#include "core/error.h"
#include "support/own_thread.h"
#include "support/process_end.h"

#include <pthread.h>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace clarity::sched {

Notifier& Notifier::get() {
  // Never destroyed: its thread lives until the process has ended.
  static Notifier* const notifier = new Notifier;
  return *notifier;
}

// A child of fork() has no thread for callbacks, and those that were due are its parent's.
Notifier::Notifier() {
  ::pthread_atfork([] { get().mutex_.lock(); }, [] { get().mutex_.unlock(); },
                   [] {
                     Notifier& notifier = get();
                     new (&notifier.changed_) std::condition_variable;
                     notifier.started_ = false;
                     static_cast<void>(notifier.first_.release());
                     notifier.mutex_.unlock();
                   });
}

void Notifier::start() {
  const std::lock_guard lock(mutex_);
  if (started_) return;
  try {
    support::runOnOwnThread([this] { run(); });
  } catch (const std::system_error& error) {
    core::fail(CL_OUT_OF_RESOURCES, "there is no thread for event callbacks: {}", error.what());
  }
  started_ = true;
}

void Notifier::post(std::unique_ptr<Event::Notice> notice) noexcept {
  {
    const std::lock_guard lock(mutex_);
    Event::Notice* const added = notice.get();
    (first_ ? last_->next : first_) = std::move(notice);
    last_ = added;
  }
  changed_.notify_one();
}

void Notifier::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return first_ != nullptr; });
    {
      const std::unique_ptr<Event::Notice> notice = std::move(first_);
      first_ = std::move(notice->next);
      lock.unlock();
      if (!support::processEnds()) notice->function(notice->event->handle(), notice->status, notice->userData);
    }
    lock.lock();
  }
}

}  // namespace clarity::sched
