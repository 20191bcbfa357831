// SPDX-License-Identifier: Apache-2.0
// This file executes the operations of CPU streams.
#include "device/cpu/service_threads.h"

#include "device/cpu/launch_run.h"
#include "device/cpu/stream.h"
#include "support/own_thread.h"
#include "support/process_end.h"
#include "support/thread_stack.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace clarity::device::cpu {
namespace {

/// Small operations that no thread waits for are started when there are this many of them. Starting them one by one
/// would cost the enqueuing thread more than it saves: both threads would contend for the same cache lines.
constexpr std::size_t pileUp = 1024;

/// The stack that executing an operation may need: what a launch needs beside the kernel, which has a stack of its own.
constexpr std::size_t stackOfOperations = 96 << 10;

/// Bits of Submission::Link::flags.
constexpr std::uint32_t heavyFlag = 1;

/// The role of the current thread for the service threads.
enum class Role { Outsider, Waiter, Server };
struct ThisThread {
  Role role = Role::Outsider;
  const ReadyList* servedList = nullptr;  ///< the list of a Waiter
  unsigned depth = 0;                     ///< operations that it is executing
};
constinit thread_local ThisThread thisThread [[gnu::tls_model("initial-exec")]];

unsigned mostThreads() {
  static const unsigned most = std::clamp(std::thread::hardware_concurrency(), 2u, 4u);
  return most;
}

}  // namespace

ServiceThreads& ServiceThreads::get() {
  static ServiceThreads* const threads = new ServiceThreads;
  return *threads;
}

// A child of fork() goes on where no operation was running: the lock is free then, and threads are started again.
ServiceThreads::ServiceThreads() {
  ::pthread_atfork([] { get().mutex_.lock(); }, [] { get().mutex_.unlock(); },
                   [] {
                     get().forgetThreads();
                     get().mutex_.unlock();
                   });
}

void ServiceThreads::forgetThreads() {
  threads_ = idle_ = woken_ = 0;
  begun_ = thisThread.depth;
  ended_.store(0, std::memory_order_relaxed);
}

void ServiceThreads::append(ReadyList& list, Submission& submission, bool heavy) {
  submission.link.next = nullptr;
  submission.link.flags = heavy ? heavyFlag : 0;
  if (list.last) {
    list.last->link.next = &submission;
  } else {
    list.first = &submission;
    if (lists_) {
      list.previous = lists_->previous;
      list.next = lists_;
      list.previous->next = list.next->previous = &list;
    } else {
      lists_ = list.previous = list.next = &list;
    }
  }
  list.last = &submission;
  list.heavy += heavy;
  setReady(ready() + 1);
}

ServiceThreads::Claim ServiceThreads::claimFrom(ReadyList& list) {
  Submission* const submission = list.first;
  if (!submission) return {};
  list.first = submission->link.next;
  if (submission->link.flags & heavyFlag) --list.heavy;
  setReady(ready() - 1);
  ++begun_;
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
  return {submission, &list.stream};
}

ServiceThreads::Claim ServiceThreads::claimAny() {
  if (!lists_) return {};
  ReadyList& list = *lists_;
  lists_ = list.next;  // so that all streams go on
  return claimFrom(list);
}

void ServiceThreads::push(ReadyList& list, Submission& submission, bool heavy, Start start) {
  Wake wake = Wake::None;
  {
    const std::lock_guard lock(mutex_);
    append(list, submission, heavy);
    bool needed = true;
    if (start == Start::WhenNeeded)
      needed = heavy || ready() == pileUp;
    else if (thisThread.role == Role::Server || (thisThread.role == Role::Waiter && thisThread.servedList == &list))
      needed = list.heavy > 1;  // this thread goes on with one of them
    if (needed) wake = chooseWake();
  }
  carryOut(wake);
}

void ServiceThreads::wake() {
  Wake wake = Wake::None;
  {
    const std::lock_guard lock(mutex_);
    if (ready() > 0) wake = chooseWake();
  }
  carryOut(wake);
}

ServiceThreads::Wake ServiceThreads::chooseWake() {
  // Every woken thread takes at least one operation.
  if (woken_ >= ready() || exiting_.load(std::memory_order_relaxed)) return Wake::None;
  if (idle_ > woken_) {
    ++woken_;
    wakes_.fetch_add(1);
    return Wake::Idle;
  }
  if (threads_ >= mostThreads()) return Wake::None;
  if (threads_ == 0) {
    process_ = getpid();
    if (!std::exchange(endIsKnown_, true)) support::atProcessEnd(atExit);
  }
  ++threads_;
  return Wake::New;
}

void ServiceThreads::carryOut(Wake wake) {
  if (wake == Wake::None) [[likely]]
    return;
  if (wake == Wake::Idle) return wakes_.notify_one();
  try {
    support::runOnOwnThread([this] { serve(); });
  } catch (const std::exception&) {  // no thread left, or no memory for one
    // Operations are then executed by the threads that wait for them.
    const std::lock_guard lock(mutex_);
    --threads_;
  }
}

void ServiceThreads::run(const Claim& claim) {
  ++thisThread.depth;
  claim.stream->run(*claim.submission);  // which may destroy both
  --thisThread.depth;
  ended_.fetch_add(1, std::memory_order_release);
}

void ServiceThreads::serve() {
  thisThread.role = Role::Server;
  std::unique_lock lock(mutex_);
  for (;;) {
    while (!exiting_.load(std::memory_order_relaxed)) {
      const Claim claim = claimAny();
      if (!claim) break;
      lock.unlock();
      run(claim);
      lock.lock();
    }
    ++idle_;
    const std::uint32_t wakes = wakes_.load(std::memory_order_relaxed);
    lock.unlock();
    wakes_.wait(wakes);
    lock.lock();
    --idle_;
    if (woken_ > 0) --woken_;
  }
}

bool ServiceThreads::leaveToOthers() {
  Wake wake = Wake::None;
  {
    const std::lock_guard lock(mutex_);
    if (exiting_.load(std::memory_order_relaxed)) return false;
    wake = chooseWake();
  }
  carryOut(wake);
  const std::lock_guard lock(mutex_);
  return threads_ > 0;
}

void ServiceThreads::help(ReadyList& list, const Submission& awaited) {
  if (!support::stackHasRoom(stackOfOperations) && leaveToOthers()) return;
  const Role outerRole = std::exchange(thisThread.role, Role::Waiter);
  const ReadyList* const outerList = std::exchange(thisThread.servedList, &list);
  for (bool first = true; !awaited.ended(); first = false) {
    Claim claim;
    Wake wake = Wake::None;
    {
      const std::lock_guard lock(mutex_);
      // Others can help where operations do not wait for each other.
      if (first && list.heavy > 1) wake = chooseWake();
      claim = claimFrom(list);
      // After main() has ended there are no service threads any more.
      if (!claim && exiting_.load(std::memory_order_relaxed)) claim = claimAny();
    }
    carryOut(wake);
    if (!claim) break;
    run(claim);
  }
  thisThread.role = outerRole;
  thisThread.servedList = outerList;
  // Operations that became ready here, and those elsewhere that the awaited one still depends on, are left to others.
  // Operations that others make ready at this time are not missed: they wake a thread themselves.
  if (ready() > 0) wake();
}

void ServiceThreads::atExit() {
  ServiceThreads& threads = get();
  // A child process that was forked has none of the threads, and what they had locked stays locked.
  if (getpid() != threads.process_) return;
  const auto running = [&threads] {
    const std::lock_guard lock(threads.mutex_);
    return threads.begun_ - threads.ended_.load(std::memory_order_acquire);
  };
  {
    const std::lock_guard lock(threads.mutex_);
    threads.exiting_.store(true, std::memory_order_relaxed);
  }
  // Operations may use memory of the application that is about to go. They end soon; should one not, the process ends
  // all the same.
  LaunchRun::endAll(true);
  using namespace std::chrono_literals;
  const auto patience = std::chrono::steady_clock::now() + 500ms;
  while (running() > thisThread.depth && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(100us);
  LaunchRun::endAll(false);  // static objects of the application may still compute
}

}  // namespace clarity::device::cpu
