// SPDX-License-Identifier: Apache-2.0
// This file knows which operations are under way on one GPU and reports when they have ended.
#pragma once

#include "device/cuda/memory.h"
#include "device/stream.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace clarity::device::cuda {

/// What the streams of one GPU share. Most operations have no event of the driver of their own, which would take as
/// long as a launch: one event answers for all operations of its stream up to it, recorded when a thread asks.
class Completions {
public:
  /// An operation from submit() to complete(), for others that come after it.
  struct Ticket {
    CuStream stream = nullptr;
    std::uint64_t place = 0;  ///< in the stream; once given
    bool given = false;       ///< to the GPU
    bool ended = false;       ///< complete() has returned
  };
  using TicketRef = std::shared_ptr<Ticket>;
  using Tickets = std::vector<TicketRef>;

  /// An operation on its way through the GPU.
  struct Pending {
    Submission* submission = nullptr;
    TicketRef ticket;
    Tickets after;                         ///< must have ended before this one may
    CuEvent begin = nullptr;               ///< where times are wanted
    CuEvent end = nullptr;                 ///< where times are wanted, or when this one answers for those before it
    bool timed = false;                    ///< kind of `end`
    std::uint64_t submitted = 0;           ///< nanoseconds of the host's clock
    Result failure{};                      ///< what went wrong before the GPU had it
    std::function<Result()> afterwards{};  ///< on the host, when the GPU has done its part
  };

  explicit Completions(std::shared_ptr<const Gpu> gpu);
  ~Completions();

  /// Registers a submission. `after` becomes `tickets`, without what has ended. False if some of these have not been
  /// given to the GPU, so that order() would wait.
  bool registerSubmission(const Submission&, CuStream, std::span<Submission* const> after, TicketRef& ticket,
                          Tickets& tickets);
  /// Makes a stream wait for operations of other streams, once these have been given to the GPU.
  void order(CuStream, const Tickets&);
  /// Adds an operation that has been given to the GPU, in the order of its stream.
  void add(Pending);
  /// Waits on this thread until a submission has ended, and reports what ends in its stream meanwhile. Returns early if
  /// it has not been given to the GPU.
  void waitFor(const Submission&);
  /// The stream is about to be destroyed.
  void forget(CuStream);

  CuEvent event(bool timed);

private:
  /// What is under way in a stream.
  struct Queue {
    CuStream stream = nullptr;
    std::deque<Pending> pending;
    std::uint64_t next = 1;       ///< place of the next operation
    std::uint64_t readyUpTo = 0;  ///< the GPU has done its part of all up to this place
    unsigned withoutEvent = 0;    ///< since the last operation with an event
    unsigned waiters = 0;         ///< threads in waitFor()
  };
  using QueueRef = std::shared_ptr<Queue>;
  struct Marker {
    CuEvent event;
    std::uint64_t place;
  };

  void serve(const std::stop_token&);
  CuEvent takeEvent(bool timed);
  /// The earliest event of the queue, recorded now if there is none. The queue is not empty.
  Marker markerOf(Queue&);
  void mark(Queue&, Pending&);
  /// Takes the oldest operations of a queue that may be reported, in their order.
  std::vector<Pending> takeReady(Queue&);
  /// Reports all that may be; the lock is released meanwhile. False if there are none.
  bool reportReady(Queue&, std::unique_lock<std::mutex>&);
  void report(Pending&);
  Result failed(const Submission&, CuResult);
  Times timesOf(const Pending&);

  std::shared_ptr<const Gpu> gpu_;
  std::mutex mutex_;
  std::condition_variable_any changed_;  ///< an operation has been given to the GPU or has ended
  std::unordered_map<CuStream, QueueRef> queues_;
  std::unordered_map<const Submission*, TicketRef> tickets_;
  std::vector<CuEvent> idleEvents_[2];  ///< by whether they are timed
  std::size_t count_ = 0;               ///< operations in the queues

  std::mutex clockMutex_;
  CuEvent clockEvent_ = nullptr;  ///< recorded at clockTime_
  std::uint64_t clockTime_ = 0;   ///< nanoseconds of the host's clock

  std::jthread thread_;
};

}  // namespace clarity::device::cuda
