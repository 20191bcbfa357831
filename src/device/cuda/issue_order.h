// SPDX-License-Identifier: Apache-2.0
// This file is the order in which the operations of a stream queue are issued to the GPU: places, turns, what is
// deferred and what is batched.
#pragma once

#include "device/stream.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace clarity::device::cuda {

/// Owns the places of operations, the turn of the thread that issues, the deferred operations and the batch. It calls
/// no function of the driver. All functions, but lastSubmitted(), are called with the stream queue's mutex locked.
///
/// An operation gets its place, the next number, when it is submitted. Whoever has the turn issues an operation or adds
/// it to the batch, and may unlock the mutex meanwhile; no other thread calls the driver for the stream. An operation
/// whose host part takes long, or which comes after what has not been issued, is deferred: the issuer, a thread of the
/// stream queue, issues it.
///
/// Invariants:
/// - Turns come in the order of places, so that the GPU gets operations in that order.
/// - While one operation is deferred or being issued by the issuer, every later one is deferred.
/// - The batch has the launches of the last places for which there was a turn; it is flushed ahead of anything else.
class IssueOrder {
public:
  using Clock = std::chrono::steady_clock;

  IssueOrder();
  /// The last place that there is. For any thread, without the mutex.
  std::uint64_t lastSubmitted() const { return submitted_.load(std::memory_order_acquire); }

  /// Gives it the next place.
  void add(Submission&);

  // ---- turns
  /// Returns when all before this place have been issued or batched and no thread has the turn, which the caller then
  /// has.
  void takeTurn(std::unique_lock<std::mutex>&, std::uint64_t place);
  /// Ends the turn of takeTurn(), and that of its place.
  void endTurn(std::uint64_t place);
  /// The turn to flush the batch. False if it is empty, or the issuer flushes it.
  bool takeTurnToFlush(std::unique_lock<std::mutex>&);
  /// The same without waiting for another one's turn.
  bool tryTurnToFlush();
  void endTurnToFlush();

  // ---- deferred operations
  /// Whether what is submitted now is to be deferred because of what comes before it.
  bool defers() const { return firstDeferred_ || isIssuingDeferred_; }
  void defer(Submission&);
  /// Whether there is one for the issuer.
  bool hasDeferred() const { return firstDeferred_ && !isIssuingDeferred_; }
  /// The first one, which there is, and its turn.
  Submission& claimDeferred(std::unique_lock<std::mutex>&);
  /// Ends the turn of claimDeferred().
  void endDeferred(std::uint64_t place);

  // ---- launches in a row
  /// Whether an operation that gets its turn is behind so many launches, quickly one after the other, that it pays to
  /// batch it. `launches`: those that it consists of, if they can be batched; otherwise 0.
  bool isInRow(std::size_t launches);
  /// A thread waits or flushes: no row goes on.
  void endRow() { row_ = 0; }
  /// When the last submission was over.
  Clock::time_point submittedAt() const { return submittedAt_; }
  void endSubmission() { submittedAt_ = Clock::now(); }

  // ---- the batch; to be changed by who has the turn, who may read it without the mutex
  /// The submission of each launch.
  const std::vector<Submission*>& batch() const { return batch_; }
  bool hasRoom(std::size_t launches) const;
  void addToBatch(Submission&, std::size_t launches);
  /// Empties it when it has been flushed. The last place of those in it.
  std::uint64_t clearBatch();

private:
  std::atomic<std::uint64_t> submitted_{0};
  std::uint64_t next_ = 1;  ///< whose turn is next
  bool hasTurn_ = false;    ///< a thread has it
  std::condition_variable turnEnded_;
  /// By Submission::link.next.
  Submission *firstDeferred_ = nullptr, *lastDeferred_ = nullptr;
  bool isIssuingDeferred_ = false;
  std::vector<Submission*> batch_;
  std::size_t row_ = 0;  ///< launches, quickly one after the other, since anything else came
  Clock::time_point submittedAt_;
};

}  // namespace clarity::device::cuda
