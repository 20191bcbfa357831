// SPDX-License-Identifier: Apache-2.0
// This file decides which thread executes an operation of a CPU stream.
#pragma once

#include "device/stream.h"
#include "support/spin_lock.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace clarity::device::cpu {

class CpuStream;

/// The operations of one stream that no thread has begun, in order. A member of CpuStream; guarded by the lock of
/// ServiceThreads.
struct ReadyList {
  explicit ReadyList(CpuStream& its) : stream(its) {}
  CpuStream& stream;
  Submission *first = nullptr, *last = nullptr;
  std::size_t heavy = 0;                           ///< how many of them are worth waking a thread for
  ReadyList *previous = nullptr, *next = nullptr;  ///< all lists that are not empty
};

/// Executes operations on the threads that wait for them (Stream::help) and on a few service threads.
///
/// A thread that waits executes what is in the stream of the event that it waits for, so the usual enqueue-and-finish
/// wakes no other thread. Service threads execute the operations of all streams, one stream after the other. They are
/// woken by wake() (a flush, a wait that cannot go on by itself), when an operation is heavy, and when many operations
/// have piled up. There is one object for the process; it is never destroyed.
class ServiceThreads {
public:
  static ServiceThreads& get();

  void push(ReadyList&, Submission&, bool heavy, Start);
  /// Has everything that was submitted executed without any thread waiting for it.
  void wake();
  /// Executes operations of the list on this thread until `awaited` has ended or the list is empty. A thread with a
  /// small stack leaves them to service threads.
  void help(ReadyList&, const Submission& awaited);

private:
  /// A submission and the stream that it was taken from.
  struct Claim {
    Submission* submission = nullptr;
    CpuStream* stream = nullptr;
    explicit operator bool() const { return submission != nullptr; }
  };

  ServiceThreads();
  std::size_t ready() const { return ready_.load(std::memory_order_relaxed); }
  void setReady(std::size_t count) { ready_.store(count, std::memory_order_relaxed); }
  /// In a forked child, which has none of the threads; call with mutex_ locked.
  void forgetThreads();
  void append(ReadyList&, Submission&, bool heavy);
  /// Claims the operation that the calling thread is to execute next; call with mutex_ locked.
  Claim claimFrom(ReadyList&);
  Claim claimAny();
  /// The service thread that has something to do: one that sleeps, a new one or none.
  enum class Wake : std::uint8_t { None, Idle, New };
  /// Chooses and counts it; call with mutex_ locked.
  Wake chooseWake();
  /// Wakes or starts it. Takes long, so without the lock.
  void carryOut(Wake);
  /// Has service threads execute what is ready. False if there are none.
  bool leaveToOthers();
  void serve();
  void run(const Claim&);
  static void atExit();

  support::SpinLock mutex_;              ///< guards everything here and all ReadyLists
  std::atomic<std::uint32_t> wakes_{0};  ///< changes whenever a thread is to wake up: what service threads sleep on
  ReadyList* lists_ = nullptr;           ///< a ring
  std::atomic<std::size_t> ready_{0};    ///< changed with the lock only
  unsigned threads_ = 0;
  int process_ = 0;                      ///< the one that has the threads
  bool endIsKnown_ = false;              ///< atExit() will be called
  unsigned idle_ = 0, woken_ = 0;        ///< service threads that sleep, and how many of them are about to wake
  std::uint64_t begun_ = 0;              ///< operations that threads have taken
  std::atomic<std::uint64_t> ended_{0};  ///< those of them that they have executed
  std::atomic<bool> exiting_{false};
};

}  // namespace clarity::device::cpu
