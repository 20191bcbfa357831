// SPDX-License-Identifier: Apache-2.0
// This file is what the streams of one GPU share: events of the driver, the clock of profiling times, and the thread
// that retires operations that no thread of the application waits for.
#pragma once

#include "device/cuda/memory.h"
#include "device/stream.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace clarity::device::cuda {

class StreamQueue;

/// An event of the driver; the last owner gives it back for others.
using EventRef = std::shared_ptr<CuEventTag>;

class Completions : public std::enable_shared_from_this<Completions> {
public:
  explicit Completions(std::shared_ptr<const Gpu> gpu);
  ~Completions();

  /// An event, with times or without. Null when the driver has none.
  EventRef event(bool timed);
  /// When what is between two events ran, in nanoseconds of the host's clock. `submitted`: not before.
  Times timesBetween(const EventRef& begin, const EventRef& end, std::uint64_t submitted);

  void add(std::shared_ptr<StreamQueue>);
  void remove(const StreamQueue&);
  /// StreamQueue::flush() of all.
  void flush();
  /// An operation has been issued: someone has to retire it.
  void noteIssued();
  /// So many operations have been retired.
  void noteRetired(std::size_t count) { outstanding_.fetch_sub(count, std::memory_order_relaxed); }

  /// The GPU has failed, with the first error that is seen. Which operation did it is not said: one of `kernels`, or of
  /// those that the stream queues have.
  Result failed(CuResult, std::vector<std::string> kernels);

private:
  void serve(const std::stop_token&);
  /// Without the thread, whoever waits or submits retires; it is tried again when there is another stream queue.
  void startThread();
  std::vector<std::shared_ptr<StreamQueue>> queues();

  std::shared_ptr<const Gpu> gpu_;
  std::mutex mutex_;  ///< guards queues_ and idleEvents_
  std::condition_variable_any wake_;
  std::vector<std::shared_ptr<StreamQueue>> queues_;
  std::vector<CuEvent> idleEvents_[2];  ///< by whether they are timed
  std::atomic<std::size_t> outstanding_{0};
  std::atomic<bool> asleep_{false};  ///< the thread waits for wake_

  std::mutex clockMutex_;
  CuEvent clockEvent_ = nullptr;  ///< recorded at clockTime_
  std::uint64_t clockTime_ = 0;   ///< nanoseconds of the host's clock

  std::jthread thread_;
};

}  // namespace clarity::device::cuda
