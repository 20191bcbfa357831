// SPDX-License-Identifier: Apache-2.0
// This file retires what the GPU has executed of a stream queue: for threads that wait, and for those that do not.
#include "device/cuda/stream_queue.h"

#include <utility>

namespace clarity::device::cuda {
namespace {

/// The GPU has surely not executed yet what was issued to it so short a time ago.
constexpr auto justIssued = std::chrono::microseconds(3);
/// So often the thread of Completions leaves a stream queue alone to which operations are being issued, because whoever
/// issues them retires, too; always where so many have been issued since it last came, as two threads that retire and
/// issue stop each other at every operation.
constexpr unsigned mostSkipped = 4;
constexpr std::uint64_t manyIssued = 8;

}  // namespace

class StreamQueue::Waiter {
public:
  explicit Waiter(StreamQueue& queue) : queue_(queue) { ++queue_.waiters_; }
  ~Waiter() { --queue_.waiters_; }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

private:
  StreamQueue& queue_;
};

bool StreamQueue::retire(std::unique_lock<std::mutex>& lock) {
  if (!retirement_.retire(lock, ends_)) return false;
  changed_.notify_all();
  return true;
}

void StreamQueue::collect(std::unique_lock<std::mutex>& lock) {
  while (!retirement_.isRetiring() && waiters_ == 0 && retirement_.first()) {
    if (retire(lock)) continue;
    const std::uint64_t first = retirement_.first()->link.place;
    if (first <= ends_.executed()) return;  // it comes after operations of other stream queues
    if (first > ends_.issued()) return;     // it is in the batch
    if (!ends_.look()) return;
  }
}

bool StreamQueue::isWorthPolling() {
  const std::uint64_t issued = ends_.issued();
  const std::uint64_t before = std::exchange(polled_.issued, issued);
  if (!retirement_.first()) return false;
  if (issued - before >= manyIssued || (issued != before && ++polled_.skipped <= mostSkipped)) return false;
  polled_.skipped = 0;
  return true;
}

bool StreamQueue::poll() {
  std::unique_lock lock(mutex_);
  flushOldBatch(lock);
  if (!isWorthPolling()) return false;
  // So that it is retired when it has been executed, not when the stream is empty.
  const std::uint64_t first = retirement_.first()->link.place;
  if (first == polled_.first && !ends_.hasEvents() && first > ends_.executed() && first <= ends_.issued())
    ends_.recordEvent();
  polled_.first = first;
  const std::uint64_t before = retirement_.retired();
  collect(lock);
  return retirement_.retired() != before;
}

void StreamQueue::addKernels(std::vector<std::string>& names) {
  const std::lock_guard lock(mutex_);
  retirement_.addKernels(names);
}

void StreamQueue::wait(std::uint64_t place, const Submission& awaited) {
  EndWait how{.awaited = awaited, .isOfStream = of(awaited) == this};
  std::unique_lock lock(mutex_);
  if (!hasRetired(place)) {
    how.isLikelyOver = IssueOrder::Clock::now() - flush(lock) > justIssued;
    ends_.noteAwaited(place);
  }
  const Waiter counted(*this);
  while (!hasRetired(place) && !awaited.ended()) {
    if (retirement_.isRetiringHere()) break;  // the application waits in a callback
    if (retirement_.isRetiring() || !hasIssued(place)) {
      changed_.wait(lock);
      continue;
    }
    if (retire(lock)) continue;
    if (retirement_.first()->link.place > ends_.executed()) {
      ends_.wait(lock, how);
      how.isLikelyOver = true;
    } else if (const Dependency* const missing = retirement_.missing()) {
      const Dependency other = *missing;
      lock.unlock();
      other.queue->wait(other.place, awaited);
      lock.lock();
    }
  }
}

}  // namespace clarity::device::cuda
