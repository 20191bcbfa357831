// SPDX-License-Identifier: Apache-2.0
// This file is what a step of the event graph leaves to do, kept in lists that need no memory.
#pragma once

#include "core/ref.h"
#include "sched/event.h"

#include <utility>

namespace clarity::sched {

/// Events that are linked by nextInWork_: adding one needs no memory, and an event is on one list at a time at most.
class Event::Stack {
public:
  Stack() = default;
  ~Stack() {
    while (pop()) {
    }
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  void push(RefPtr<Event> event) {
    event->nextInWork_ = std::move(top_);
    top_ = std::move(event);
  }
  /// The last one that was added; null if there is none.
  RefPtr<Event> pop() {
    RefPtr<Event> event = std::move(top_);
    if (event) top_ = std::move(event->nextInWork_);
    return event;
  }

private:
  RefPtr<Event> top_;
};
/// Work that a step leaves to the thread that ran it: lists, because recursion along a chain would be too deep.
struct Event::Work {
  Stack ready;   ///< nothing is left to wait for
  Stack ending;  ///< without operation, or after an error of their wait lists
};

}  // namespace clarity::sched
