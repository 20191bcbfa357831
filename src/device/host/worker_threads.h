// SPDX-License-Identifier: Apache-2.0
// This file is the process's worker threads, which share the work of the threads that have some.
//
// A thread with work offers it in a slot, changes the number that idle workers watch, and begins. A worker joins by one
// atomic operation on the slot. So a launch of 16 threads costs 4 us more than its work. With tasks that threads steal
// from each other, as oneTBB's arenas have them, it costs 10 to 25 us (measured on a Xeon of 16 cores).
#pragma once

#include <sched.h>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace clarity::device::host {

/// One object for the process, which is never destroyed: idle threads use it until the process is gone. Thread-safe.
class WorkerThreads {
public:
  static WorkerThreads& get();

  /// 1, 2, ... of worker threads; 0 of others.
  static unsigned numberOfThread() noexcept;

  /// Has up to so many threads, as soon as that many are wanted at once: two devices of 8 units each, which have work
  /// at the same time, want 14 of the 15 of a machine of 16 processors. run() allows what it is called with.
  void allow(unsigned threads);

  /// Calls body(argument) on this thread and on up to `others` more, and returns when all calls have. The body executes
  /// shares of some work until there is none left: when one call has returned, no other begins. It must not throw.
  /// Fewer threads take part where others have work, where the system has no more threads, and from the end of the
  /// process on.
  void run(void (*body)(void*), void* argument, unsigned others);

private:
  /// Work that is offered. Its body and argument are read by threads that have joined, of which `state` knows.
  struct alignas(64) Slot {
    static constexpr std::uint64_t isOpen = std::uint64_t{1} << 63, isAwaited = std::uint64_t{1} << 62;
    static constexpr unsigned mostBits = 32;
    static std::uint64_t openFor(unsigned others) { return isOpen | std::uint64_t{others} << mostBits; }
    static unsigned most(std::uint64_t state) {
      return static_cast<unsigned>((state & ~(isOpen | isAwaited)) >> mostBits);
    }
    static unsigned joined(std::uint64_t state) { return static_cast<unsigned>(state); }

    /// Whether one more thread may join.
    bool hasRoom() const { return hasRoom(state.load(std::memory_order_relaxed)); }
    static bool hasRoom(std::uint64_t now) { return (now & isOpen) && joined(now) < most(now); }
    bool join();
    void leave();
    /// No thread joins any more; returns when none is left.
    void close();

    /// isOpen, isAwaited (the owner sleeps until the last other thread leaves), how many others may join, how many are
    /// there.
    std::atomic<std::uint64_t> state{0};
    std::atomic<bool> isTaken{false};  ///< by a thread that has work
    void (*body)(void*) = nullptr;
    void* argument = nullptr;
  };

  WorkerThreads();
  Slot* take();
  /// Starts threads until there are as many as are wanted and allowed, as far as the system has some.
  void start();
  void serve(unsigned number);
  /// Executes a share of what is offered. False if nothing is, or enough threads are at it.
  bool help();
  void waitForWork(std::uint32_t seen);
  /// In a forked child, which has none of the threads.
  void forget();

  /// Threads of the application and of the scheduler that share work at the same time; others work alone. Chosen.
  std::array<Slot, 16> slots_;
  alignas(64) std::atomic<std::uint32_t> offers_{0};  ///< changes with each offer: idle threads sleep on it
  alignas(64) std::atomic<unsigned> threads_{0};
  std::atomic<unsigned> allowed_{0};
  std::atomic<unsigned> wanted_{0};  ///< by all work that is offered now
  std::mutex starting_;              ///< one thread starts others at a time
  cpu_set_t processors_{};
  bool hasProcessors_ = false;
};

}  // namespace clarity::device::host
