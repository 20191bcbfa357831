// SPDX-License-Identifier: Apache-2.0
// This file pairs signals with waits.
#include "sched/semaphore.h"

#include "sched/command.h"
#include "sched/queue.h"

namespace clarity::sched {

bool Semaphore::isSignaled() {
  if (external_) return external_->isSignaled();
  const std::lock_guard lock(mutex_);
  return signaled_;
}

core::Ref<Event> Semaphore::pairWait(Queue& queue) {
  const std::lock_guard lock(mutex_);
  if (signal_ && !external_) {
    core::Ref<Event> signal(*signal_);
    signal_ = nullptr;
    return signal;
  }
  Event& event = *new Event(queue, Command::order(CL_COMMAND_MARKER));
  event.inQueue_ = false;
  core::Ref<Event> result(event);
  event.release();
  if (external_)
    submitWhenSignaled(external_, event);
  else
    unpaired_.emplace_back(&event);
  return result;
}

void Semaphore::pairSignal(Event& signal) {
  if (external_) return;
  core::RefPtr<Event> wait;
  {
    const std::lock_guard lock(mutex_);
    if (unpaired_.empty()) {
      signal_ = core::RefPtr<Event>(&signal);
      return;
    }
    wait = std::move(unpaired_.front());
    unpaired_.pop_front();
  }
  wait->dependOn(signal, Edge::Result);
  wait->submit();
}

void Semaphore::ended(bool bySignal) {
  if (external_ && bySignal) external_->signal();
  const std::lock_guard lock(mutex_);
  signaled_ = bySignal;
}

void Semaphore::onLastRelease() noexcept {
  std::deque<core::RefPtr<Event>> unpaired;
  {
    const std::lock_guard lock(mutex_);
    unpaired.swap(unpaired_);
  }
  for (const core::RefPtr<Event>& wait : unpaired) {
    wait->earlierFailed(CL_INVALID_SEMAPHORE_KHR, Edge::Result);
    wait->submit();
  }
}

}  // namespace clarity::sched
