// SPDX-License-Identifier: Apache-2.0
// This file tracks how far the GPU is in a stream of the driver.
#pragma once

#include "device/cuda/completions.h"
#include "device/cuda/end_signals.h"
#include "device/stream.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace clarity::device::cuda {

/// A thread that waits for the GPU.
struct EndWait {
  const Submission& awaited;  ///< it waits no longer than until this has ended
  bool isOfStream = false;    ///< `awaited` is in the stream
  bool isLikelyOver = true;   ///< it pays to ask the driver at once
};

/// Owns the places up to which operations have been issued and executed, the fences between them, the numbers that the
/// GPU writes, and the first error that the driver reports. It knows places, not operations. All functions, but
/// issued() and failure(), are called with the stream queue's mutex locked.
///
/// Most operations have no event of the driver of their own, which would take half as long as a launch. Where a
/// thread or another stream waits for one when later ones have been issued, it waits for these too; from then on, each
/// of the next operations has its event. All up to a place have been executed when a
/// fence says so. There is one fence at a time that is asked: the first event that was
/// recorded; without one, the number that the last operation, a kernel of one block, writes to memory of the host; or
/// that the stream is empty. A thread that waits has the driver write a number behind the last operation, and reads it,
/// as each question takes the driver as long as a part of a launch; it sleeps until an event comes if that takes long.
///
/// Invariants:
/// - executed() <= issued(), and neither gets smaller.
/// - Events are in the order of their places, which are behind executed() and not behind issued().
/// - Once the driver has reported an error, executed() is what had been issued by then: nothing waits for a lost GPU.
class EndTracker {
public:
  EndTracker(std::shared_ptr<const Gpu>, std::shared_ptr<Completions> events, CuStream);
  /// The context is in use (Gpu::use).
  ~EndTracker();
  EndTracker(const EndTracker&) = delete;
  EndTracker& operator=(const EndTracker&) = delete;

  /// All up to this place have been issued. For any thread, without the mutex.
  std::uint64_t issued() const { return issued_.load(std::memory_order_acquire); }
  /// The first error that the driver reported of the stream, or 0. For any thread, without the mutex.
  CuResult failure() const { return failure_.load(std::memory_order_relaxed); }
  /// The GPU has done its part of all up to this place, as far as is known.
  std::uint64_t executed() const { return executed_; }

  /// All up to this place have been issued. True every now and then: whoever issues is to look what has been executed.
  /// `hasEvent`: the operation is to have an event of its own.
  bool noteIssued(std::uint64_t place, bool hasEvent = false);
  /// Whether the operation that is issued next gets an event of its own anyway.
  bool nextHasEvent() const { return issued_.load(std::memory_order_relaxed) < eventsUntil_; }
  bool hasEvents() const { return !events_.empty(); }
  /// Records an event behind all that has been issued, if the driver has one.
  void recordEvent();
  /// Something other than the stream waits for this place: if later ones have been issued, the next ones get events.
  void noteAwaited(std::uint64_t place);
  /// The first event at this place or behind it, recorded if there is none. Null if the driver has none.
  EventRef eventBehind(std::uint64_t place);

  /// The place at which a kernel may write that it is the last one of the stream that has ended, and the number that it
  /// writes; the place of that number is noted by noteKernelSignal(). Null if kernels may not, or no thread has waited
  /// yet.
  const EndSignals* kernelSignals() const { return signals_ && signals_->ofKernels() ? signals_.get() : nullptr; }
  std::uint32_t nextKernelNumber() const { return kernelNumber_ + 1; }
  /// The operation of this place, which has not been issued yet, is a kernel that writes this.
  void noteKernelSignal(std::uint64_t place, EndSignal);

  /// Asks whether more has been executed. False if not.
  bool look();
  /// Returns when more has been executed, or `awaited` has ended. The mutex is unlocked meanwhile.
  void wait(std::unique_lock<std::mutex>&, const EndWait&);

private:
  /// All up to the place have been executed when this event is done, this number is written, or, without either, the
  /// stream is empty.
  struct Fence {
    EventRef event;
    std::uint64_t place = 0;
    EndSignal signal{};
  };

  Fence nextFence() const;
  CuResult ask(const Fence&) const;
  void learn(const Fence&, CuResult answer);
  /// For wait(), with the mutex unlocked: what the driver says of the fence, by and by.
  CuResult await(std::unique_lock<std::mutex>&, Fence&, const EndWait&);
  CuResult sleepUntil(std::unique_lock<std::mutex>&, Fence&, const EndWait&);
  /// Has the GPU write a number behind all that has been issued, if it can. The mutex is unlocked.
  EndSignal writeSignal(std::unique_lock<std::mutex>&);

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<Completions> completions_;
  CuStream stream_;
  std::atomic<std::uint64_t> issued_{0};
  std::uint64_t executed_ = 0;
  std::atomic<CuResult> failure_{0};

  std::deque<Fence> events_;
  std::uint64_t recordedAt_ = 0;   ///< place of the last event
  std::uint64_t lookedAt_ = 0;     ///< place at which noteIssued() was true
  std::uint64_t eventsUntil_ = 0;  ///< each operation up to this place has an event
  Fence kernelFence_;              ///< the fence of the last kernel that writes a number
  std::uint32_t kernelNumber_ = 0;

  std::unique_ptr<EndSignals> signals_;  ///< made when a thread first waits
  bool isMakingSignals_ = false;
  bool streamWrites_ = true;  ///< the driver can have the GPU write a number
  std::uint32_t streamNumber_ = 0;
};

}  // namespace clarity::device::cuda
