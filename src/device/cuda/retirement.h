// SPDX-License-Identifier: Apache-2.0
// This file retires the operations of a stream queue: says that they have ended, and how.
#pragma once

#include "device/cuda/completions.h"
#include "device/cuda/operations.h"
#include "device/stream.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace clarity::device::cuda {

class EndTracker;
class StreamQueue;

/// Operations of another stream queue up to a place, which end before an operation does.
struct Dependency {
  std::shared_ptr<StreamQueue> queue;
  std::uint64_t place;

  bool hasBeenIssued() const;
  bool hasRetired() const;
};

/// State that few operations need: Submission::link.data. Owned by the submission from submit() to complete().
struct Details {
  EventRef begin{}, end{};      ///< where times are wanted
  std::uint64_t submitted = 0;  ///< nanoseconds of the host's clock
  Result failure{};             ///< the error that came before the GPU had it
  Afterwards afterwards{};
  std::vector<Dependency> after{};
};
inline Details* detailsOf(const Submission& submission) { return static_cast<Details*>(submission.link.data); }
/// Submission::link.flags: it has failed, and there is no memory for details.
inline constexpr std::uint32_t failedWithoutMemory = 1;

/// Owns the operations that have been issued or batched and not retired yet, and the place up to which all have
/// retired. All functions, but retired(), are called with the stream queue's mutex locked.
///
/// An operation is retired when the GPU has executed it and all that it comes after has retired: its host part is done
/// and its complete() called, without the mutex, so that it may submit others.
///
/// Invariants:
/// - Operations retire in the order of their places, one thread at a time; retired() <= EndTracker::executed().
/// - Every operation that was appended is completed exactly once, also when there is no memory.
class Retirement {
public:
  Retirement(std::shared_ptr<const Gpu>, std::shared_ptr<Completions>);

  /// complete() of all up to this place has returned. For any thread, without the mutex.
  std::uint64_t retired() const { return retired_.load(std::memory_order_acquire); }

  /// The operation after the last one that was appended.
  void append(Submission&);
  /// The first that has not retired; null if there is none.
  const Submission* first() const { return first_; }
  bool isRetiring() const { return isRetiring_; }
  /// Whether the calling thread does, which so is inside complete().
  bool isRetiringHere() const { return isRetiring_ && retiring_ == std::this_thread::get_id(); }
  /// Retires all that can be; the mutex is unlocked meanwhile. False if there are none, or another thread does.
  bool retire(std::unique_lock<std::mutex>&, const EndTracker&);
  /// One that the first operation comes after and that has not retired; null if there is none.
  const Dependency* missing() const;
  /// Adds the names of the kernels that may be running.
  void addKernels(std::vector<std::string>& names) const;

private:
  bool canRetire(const Submission&, const EndTracker&) const;
  void complete(Submission&, const EndTracker&) const;
  Result outcomeOf(const Submission&, Details*, CuResult failure) const;

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<Completions> completions_;
  Submission *first_ = nullptr, *last_ = nullptr;  ///< by Submission::link.next
  std::atomic<std::uint64_t> retired_{0};
  bool isRetiring_ = false;
  std::thread::id retiring_;  ///< while isRetiring_
};

/// Adds the name of the kernel, if the operation is a launch.
void addKernel(const Submission&, std::vector<std::string>& names);

}  // namespace clarity::device::cuda
