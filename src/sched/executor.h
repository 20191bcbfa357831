// SPDX-License-Identifier: Apache-2.0
// This file decides which thread executes a command that is ready.
#pragma once

#include "sched/event.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace clarity::sched {

/// The ready commands of one command-queue, in order. A member of Queue that only the Executor touches.
struct ReadyList {
  Event *first = nullptr, *last = nullptr;  ///< each holds an internal count
  std::size_t heavy = 0;                    ///< how many of them are worth waking a thread for
  ReadyList *previous = nullptr, *next = nullptr;  ///< all lists that are not empty
};

/// Executes ready commands on the threads that wait for them (clFinish, clWaitForEvents, blocking transfers) and on a
/// few service threads.
///
/// A thread that waits executes what is ready in the command-queue of the event that it waits for, so the usual
/// enqueue-and-finish wakes nobody. Service threads execute whatever is ready in any command-queue. They are woken by
/// kick() (clFlush, a wait that cannot go on by itself, a query, a callback), when a command is heavy, and when many
/// commands have piled up. There is one executor for the process; it is never destroyed.
class Executor {
public:
  static Executor& get();

  /// Takes an event whose command can be executed. `fromEnqueue`: the application has just enqueued it and may be about
  /// to wait for it; otherwise something that it waited for has ended.
  void push(Event&, bool fromEnqueue);
  /// Has everything that is ready executed without anybody waiting.
  void kick();
  /// Returns when the event has ended; executes commands of its command-queue meanwhile.
  void wait(Event&);

private:
  Executor() = default;
  void append(ReadyList&, Event&);
  RefPtr<Event> takeFrom(ReadyList&);
  RefPtr<Event> takeAny();
  /// Wakes or makes a service thread; call with mutex_ locked.
  void wake();
  void serve();
  void run(Event&);
  static void atExit();

  std::mutex mutex_;  ///< guards everything here and all ReadyLists
  std::condition_variable work_;
  ReadyList* lists_ = nullptr;  ///< a ring
  std::size_t ready_ = 0;
  unsigned threads_ = 0;
  int process_ = 0;                ///< the one that has the threads
  unsigned idle_ = 0, woken_ = 0;  ///< service threads that sleep, and how many of them are about to wake
  std::atomic<unsigned> running_{0};
  std::atomic<bool> exiting_{false};
};

}  // namespace clarity::sched
