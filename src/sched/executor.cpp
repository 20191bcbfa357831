// SPDX-License-Identifier: Apache-2.0
// This file executes ready commands.
#include "sched/executor.h"

#include "sched/queue.h"
#include "support/process_end.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>

namespace clarity::sched {
namespace {

/// Small commands that nobody waits for are started when there are this many of them. Starting them one by one would
/// cost the enqueuing thread more than it saves: both threads would fight for the same cache lines.
constexpr std::size_t pileUp = 1024;

/// What the current thread is to the executor.
enum class Role { Outsider, Waiter, Server };
thread_local Role role = Role::Outsider;
thread_local const ReadyList* servedList = nullptr;  ///< of a Waiter
thread_local unsigned depth = 0;                     ///< commands that this thread is executing

unsigned mostThreads() { return std::clamp(std::thread::hardware_concurrency(), 2u, 4u); }

}  // namespace

Executor& Executor::get() {
  static Executor* const executor = new Executor;
  return *executor;
}

void Executor::append(ReadyList& list, Event& event) {
  event.retainInternal();
  event.nextReady_ = nullptr;
  if (list.last) {
    list.last->nextReady_ = &event;
  } else {
    list.first = &event;
    if (lists_) {
      list.previous = lists_->previous;
      list.next = lists_;
      list.previous->next = list.next->previous = &list;
    } else {
      lists_ = list.previous = list.next = &list;
    }
  }
  list.last = &event;
  list.heavy += event.isHeavy();
  ++ready_;
}

RefPtr<Event> Executor::takeFrom(ReadyList& list) {
  Event* const event = list.first;
  if (!event) return nullptr;
  list.first = event->nextReady_;
  list.heavy -= event->isHeavy();
  --ready_;
  if (!list.first) {
    list.last = nullptr;
    if (list.next == &list) {
      lists_ = nullptr;
    } else {
      list.previous->next = list.next;
      list.next->previous = list.previous;
      if (lists_ == &list) lists_ = list.next;
    }
    list.previous = list.next = nullptr;
  }
  RefPtr<Event> taken(event);
  event->releaseInternal();
  return taken;
}

RefPtr<Event> Executor::takeAny() {
  if (!lists_) return nullptr;
  ReadyList& list = *lists_;
  lists_ = list.next;  // the command-queues take turns
  return takeFrom(list);
}

void Executor::push(Event& event, bool fromEnqueue) {
  const std::lock_guard lock(mutex_);
  ReadyList& list = event.queue()->ready_;
  append(list, event);
  bool needed = false;
  if (fromEnqueue)
    needed = event.isHeavy() || ready_ == pileUp;
  else if (role == Role::Server || (role == Role::Waiter && servedList == &list))
    needed = list.heavy > 1;  // this thread goes on with one of them
  else
    needed = true;
  if (needed) wake();
}

void Executor::kick() {
  const std::lock_guard lock(mutex_);
  if (ready_ > 0) wake();
}

void Executor::wake() {
  // Every woken thread takes at least one command.
  if (woken_ >= ready_ || exiting_.load(std::memory_order_relaxed)) return;
  if (idle_ > woken_) {
    ++woken_;
    work_.notify_one();
    return;
  }
  if (threads_ >= mostThreads()) return;
  if (threads_ == 0) {
    process_ = getpid();
    support::atProcessEnd(atExit);
  }
  try {
    std::thread([this] { serve(); }).detach();
    ++threads_;
  } catch (const std::system_error&) {
    // Commands are then executed by those that wait for them.
  }
}

void Executor::run(Event& event) {
  running_.fetch_add(1, std::memory_order_relaxed);
  ++depth;
  event.execute();
  --depth;
  running_.fetch_sub(1, std::memory_order_release);
}

void Executor::serve() {
  role = Role::Server;
  std::unique_lock lock(mutex_);
  for (;;) {
    while (!exiting_.load(std::memory_order_relaxed)) {
      RefPtr<Event> event = takeAny();
      if (!event) break;
      lock.unlock();
      run(*event);
      event = nullptr;
      lock.lock();
    }
    ++idle_;
    work_.wait(lock);
    --idle_;
    if (woken_ > 0) --woken_;
  }
}

void Executor::wait(Event& target) {
  if (target.finished()) return;
  if (Queue* const queue = target.queue()) {
    ReadyList& list = queue->ready_;
    const Role outerRole = std::exchange(role, Role::Waiter);
    const ReadyList* const outerList = std::exchange(servedList, &list);
    std::unique_lock lock(mutex_);
    // Others can help where commands do not wait for each other.
    if (list.heavy > 1) wake();
    while (!target.finished()) {
      RefPtr<Event> event = takeFrom(list);
      // After main() has ended there are no service threads any more.
      if (!event && exiting_.load(std::memory_order_relaxed)) event = takeAny();
      if (!event) break;
      lock.unlock();
      run(*event);
      event = nullptr;
      lock.lock();
    }
    role = outerRole;
    servedList = outerList;
    // What became ready here and what the event still waits for elsewhere is not this thread's any more.
    if (ready_ > 0) wake();
  } else {
    kick();
  }
  target.block();
}

void Executor::atExit() {
  Executor& executor = get();
  // A child process that was forked has none of the threads, and what they had locked stays locked.
  if (getpid() != executor.process_) return;
  {
    const std::lock_guard lock(executor.mutex_);
    executor.exiting_.store(true, std::memory_order_relaxed);
  }
  // Commands may use memory of the application that is about to go. They end soon; should one not, the process ends
  // all the same.
  device::endLaunches(true);
  using namespace std::chrono_literals;
  const auto patience = std::chrono::steady_clock::now() + 500ms;
  while (executor.running_.load(std::memory_order_acquire) > depth && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(100us);
  device::endLaunches(false);  // static objects of the application may still compute
}

}  // namespace clarity::sched
