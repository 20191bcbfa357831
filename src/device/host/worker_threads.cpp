// SPDX-License-Identifier: Apache-2.0
// This file has threads wait for work, join it and leave it.
#include "device/host/worker_threads.h"

#include "support/own_thread.h"
#include "support/process_end.h"

#include <pthread.h>
#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

namespace clarity::device::host {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// How long an idle thread watches for work before it sleeps: a program that enqueues and waits in turn comes back
/// sooner, and waking a thread takes as long. Chosen.
constexpr auto watching = 50us;
/// How long the thread that has work watches for the others to leave before it lets threads run that have no processor,
/// and how long it does so before it sleeps: one work-item may take seconds, and waking a thread takes some 50 us.
constexpr auto patience = 20us, longPatience = 1000us;
/// So many threads each thread that wakes up wakes in turn, as long as work is offered: one by one takes too long, and
/// all at once is as long for the thread that has the work.
constexpr int wokenByEach = 2;

constinit thread_local unsigned numberOfThisThread = 0;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Calls `isOver` until it says so, for some time. Looking at the clock takes longer than looking at what is awaited.
template <class IsOver>
bool watchFor(Clock::duration time, const IsOver& isOver) {
  constexpr int looks = 32;
  const auto begin = Clock::now();
  do {
    for (int i = 0; i < looks; ++i) {
      if (isOver()) return true;
      pause();
    }
  } while (Clock::now() - begin < time);
  return isOver();
}

}  // namespace

bool WorkerThreads::Slot::join() {
  std::uint64_t now = state.load(std::memory_order_relaxed);
  while (hasRoom(now))
    if (state.compare_exchange_weak(now, now + 1, std::memory_order_acquire, std::memory_order_relaxed)) return true;
  return false;
}

void WorkerThreads::Slot::leave() {
  state.fetch_and(~isOpen, std::memory_order_relaxed);
  const std::uint64_t before = state.fetch_sub(1, std::memory_order_release);
  // The slot may be others' by now: then a thread that waits there looks once more.
  if ((before & isAwaited) && joined(before) == 1) state.notify_all();
}

void WorkerThreads::Slot::close() {
  state.fetch_and(~isOpen, std::memory_order_relaxed);
  const auto areGone = [this] { return joined(state.load(std::memory_order_acquire)) == 0; };
  if (watchFor(patience, areGone)) return;
  const auto begin = Clock::now();
  while (Clock::now() - begin < longPatience) {
    std::this_thread::yield();
    if (areGone()) return;
  }
  std::uint64_t now = state.fetch_or(isAwaited, std::memory_order_acquire) | isAwaited;
  for (; joined(now) != 0; now = state.load(std::memory_order_acquire)) state.wait(now, std::memory_order_acquire);
}

unsigned WorkerThreads::numberOfThread() noexcept { return numberOfThisThread; }

WorkerThreads& WorkerThreads::get() {
  static WorkerThreads* const threads = new WorkerThreads;
  return *threads;
}

WorkerThreads::WorkerThreads() {
  // Threads may use the processors that this one may, even if it is the application's that has limited itself later.
  hasProcessors_ = ::sched_getaffinity(0, sizeof processors_, &processors_) == 0;
  ::pthread_atfork([] { get().starting_.lock(); }, [] { get().starting_.unlock(); },
                   [] {
                     get().forget();
                     get().starting_.unlock();
                   });
}

void WorkerThreads::forget() {
  threads_ = 0;
  wanted_ = 0;
  hasProcessors_ = false;  // a child may be given processors of its own: threads may use those of what starts them
  // The thread that goes on has no work that it shares: it called fork().
  for (Slot& slot : slots_) {
    slot.state = 0;
    slot.isTaken = false;
  }
}

WorkerThreads::Slot* WorkerThreads::take() {
  for (Slot& slot : slots_)
    if (!slot.isTaken.load(std::memory_order_relaxed) && !slot.isTaken.exchange(true, std::memory_order_acquire))
      return &slot;
  return nullptr;
}

void WorkerThreads::allow(unsigned threads) {
  unsigned now = allowed_.load(std::memory_order_relaxed);
  while (now < threads && !allowed_.compare_exchange_weak(now, threads, std::memory_order_relaxed)) continue;
}

void WorkerThreads::start() {
  const auto areEnough = [this] {
    const unsigned enough = std::min(wanted_.load(), allowed_.load(std::memory_order_relaxed));
    return threads_.load(std::memory_order_relaxed) >= enough;
  };
  while (!areEnough()) {
    // The thread that starts others looks again when it has unlocked.
    const std::unique_lock lock(starting_, std::try_to_lock);
    if (!lock) return;
    try {
      while (!areEnough()) {
        support::runOnOwnThread([this, number = threads_.load(std::memory_order_relaxed) + 1] { serve(number); });
        threads_.fetch_add(1, std::memory_order_relaxed);
      }
    } catch (const std::exception&) {
      return;  // no thread left, or no memory for one: those that are there do the work
    }
  }
}

void WorkerThreads::run(void (*body)(void*), void* argument, unsigned others) {
  Slot* const slot = others == 0 || support::processEnds() ? nullptr : take();
  if (!slot) return body(argument);
  allow(others);
  wanted_.fetch_add(others);
  start();
  slot->body = body;
  slot->argument = argument;
  slot->state.store(Slot::openFor(others), std::memory_order_release);
  offers_.fetch_add(1, std::memory_order_seq_cst);
  for (int i = 0; i < wokenByEach; ++i) offers_.notify_one();
  body(argument);
  slot->close();
  wanted_.fetch_sub(others, std::memory_order_relaxed);
  slot->isTaken.store(false, std::memory_order_release);
}

bool WorkerThreads::help() {
  for (Slot& slot : slots_) {
    if (!slot.join()) continue;
    slot.body(slot.argument);
    slot.leave();
    return true;
  }
  return false;
}

void WorkerThreads::waitForWork(std::uint32_t seen) {
  // Where there are more threads than processors, one that watches takes the processor of one that works.
  static const unsigned processors = std::thread::hardware_concurrency();
  const auto isOffered = [&] { return offers_.load(std::memory_order_acquire) != seen; };
  if (threads_.load(std::memory_order_relaxed) < processors && watchFor(watching, isOffered)) return;
  offers_.wait(seen, std::memory_order_acquire);
  if (std::ranges::none_of(slots_, [](const Slot& slot) { return slot.hasRoom(); })) return;
  for (int i = 0; i < wokenByEach; ++i) offers_.notify_one();
}

void WorkerThreads::serve(unsigned number) {
  numberOfThisThread = number;
  if (hasProcessors_) ::sched_setaffinity(0, sizeof processors_, &processors_);
  for (;;) {
    const std::uint32_t seen = offers_.load(std::memory_order_acquire);
    if (!help()) waitForWork(seen);
  }
}

}  // namespace clarity::device::host
