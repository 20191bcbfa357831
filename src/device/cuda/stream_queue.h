// SPDX-License-Identifier: Apache-2.0
// This file is the queue of a CUDA stream: operations that run one after the other, from submit() to complete().
#pragma once

#include "device/cuda/completions.h"
#include "device/cuda/end_tracker.h"
#include "device/cuda/issue_order.h"
#include "device/cuda/operations.h"
#include "device/cuda/retirement.h"
#include "device/stream.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace clarity::device::cuda {

/// A stream of the driver, destroyed when this goes.
class DriverStream {
public:
  /// Where the driver makes none, `made` says why.
  DriverStream(std::shared_ptr<const Gpu>, Result& made);
  ~DriverStream();
  DriverStream(const DriverStream&) = delete;
  DriverStream& operator=(const DriverStream&) = delete;
  CuStream get() const { return stream_; }

private:
  std::shared_ptr<const Gpu> gpu_;
  CuStream stream_ = nullptr;
};

/// A CUDA stream and the operations that are in it, each with a place: they are issued to the GPU, executed and retired
/// in this order. It has three parts, under one mutex that no part locks by itself:
///
/// - IssueOrder: what has not been issued yet, and whose turn it is to call the driver.
/// - EndTracker: how far the GPU is.
/// - Retirement: what has been issued and has not ended.
///
/// An operation goes from the first part to the third; the second one only has places. Always:
/// retired <= executed <= issued <= submitted. The mutex is not locked while the driver is given an operation, which
/// who has the turn does, nor in complete(); it is while the driver is asked what has ended.
///
/// Whoever waits retires what is executed meanwhile; a thread that submits does so every now and then; the thread of
/// Completions retires the rest. Launches that follow each other quickly, while no thread waits, are batched
/// (launch_batch.h) until there are enough of them, anything else comes, a thread waits or flushes, or, at the latest,
/// the thread of Completions comes for the second time.
class StreamQueue final : public std::enable_shared_from_this<StreamQueue> {
public:
  StreamQueue(std::shared_ptr<const Gpu>, std::shared_ptr<Completions>, const std::shared_ptr<Staging>&,
              std::size_t printfBytes, bool profiled);
  ~StreamQueue();
  /// Success, or why the driver has made no stream: then all operations end with that.
  const Result& made() const { return made_; }
  /// Nothing will be submitted any more, and everything has ended.
  void close();

  /// The stream queue of a submission; null before submit().
  static StreamQueue* of(const Submission& submission) {
    return static_cast<StreamQueue*>(submission.link.owner.load(std::memory_order_acquire));
  }

  /// std::bad_alloc, and nothing has happened, if there is no memory; what goes wrong later is the operation's result.
  void submit(Submission&, std::vector<Dependency> after);
  /// Issues the launches of the batch. When anything was submitted for the last time.
  IssueOrder::Clock::time_point flush();
  /// The same if the one of this place may be among them.
  void flush(std::uint64_t place) {
    if (!hasIssued(place)) (void)flush();
  }
  std::uint64_t lastSubmitted() const { return order_.lastSubmitted(); }
  bool hasIssued(std::uint64_t place) const { return ends_.issued() >= place; }
  /// complete() of all up to this place has returned.
  bool hasRetired(std::uint64_t place) const { return retirement_.retired() >= place; }
  bool isIdle() const { return hasRetired(lastSubmitted()); }
  /// Returns when all up to this place have retired, or when `awaited` has.
  void wait(std::uint64_t place, const Submission& awaited);
  /// For Completions: retires what has been executed, if no other thread is about to. True if there was any.
  bool poll();
  /// Adds the names of the kernels that may be running.
  void addKernels(std::vector<std::string>& names);

private:
  /// A thread in wait(), which retires what ends.
  class Waiter;
  /// The state that poll() saw the last time.
  struct Polled {
    std::uint64_t issued = 0;  ///< place
    std::uint64_t first = 0;   ///< place of the first operation that had not retired
    std::uint64_t batch = 0;   ///< place of the first launch of the batch
    unsigned skipped = 0;      ///< times that it left the stream queue alone since it last did not
  };

  void accept(Submission&) noexcept;
  bool isSlowToIssue(const Submission&, LaunchCode&) const;
  // The next ones: call with the mutex locked, which they unlock meanwhile. True if it is time to look what has been
  // executed.
  /// Issues an operation, or adds it to the batch; the batch is flushed before anything else. The caller has the turn.
  /// `launches`: Operations::launchesToBatch().
  bool issue(std::unique_lock<std::mutex>&, Submission&, const LaunchCode&, bool mayBatch, std::size_t launches);
  bool flushBatch(std::unique_lock<std::mutex>&, LaunchBatch::Fill);
  // These return when the mutex is locked again, too.
  IssueOrder::Clock::time_point flush(std::unique_lock<std::mutex>&);
  void issueDeferred(std::unique_lock<std::mutex>&);
  /// Does what the issuer would do, if there is none.
  void issueDeferredHere(std::unique_lock<std::mutex>&);
  void flushOldBatch(std::unique_lock<std::mutex>&);
  /// Retires what has been executed without waiting.
  void collect(std::unique_lock<std::mutex>&);
  bool retire(std::unique_lock<std::mutex>&);

  /// As issue(); call with the mutex locked.
  bool noteIssued(std::uint64_t place, bool hasEvent = false);
  bool isWorthPolling();  ///< call with the mutex locked
  /// Calls the driver for an operation, without the mutex, and keeps what comes of it with the submission.
  void start(Submission&, const LaunchCode&, std::unique_ptr<Details>, bool isTimed, Issue&);
  void keep(Submission&, std::unique_ptr<Details>, Result, Afterwards) const;
  /// The driver does not take a launch of the batch.
  void refuse(std::size_t index, CuResult answer);
  /// Why the driver refused what was issued: `refusal`, or that the GPU is lost since a kernel failed, which the driver
  /// may report at any later call.
  Result withLoss(Result refusal, const Submission&) const;
  /// Makes the stream wait for what another stream queue has issued.
  void waitOnGpu(const Dependency&) const;
  /// The issuer: it issues what is deferred.
  void runIssuer(const std::stop_token&);
  /// Starts it, if it has not been started. False if the system has no thread for it.
  bool hasIssuer();

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<Completions> completions_;
  const bool profiled_;
  Result made_;
  DriverStream stream_;
  Operations operations_;  ///< used by who has the turn

  std::mutex mutex_;  ///< guards all that follows, but what the parts say that any thread may call
  IssueOrder order_;
  EndTracker ends_;
  Retirement retirement_;
  std::condition_variable changed_;  ///< more has been issued or retired
  unsigned waiters_ = 0;
  Polled polled_;
  std::condition_variable_any deferred_;  ///< something has been
  std::jthread issuer_;
};

}  // namespace clarity::device::cuda
