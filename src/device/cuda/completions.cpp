// SPDX-License-Identifier: Apache-2.0
// This file reports when operations of a GPU have ended.
#include "device/cuda/stream.h"

#include "device/cpu/clock.h"

#include <CL/cl.h>

#include <utility>

namespace clarity::device::cuda {
Completions::Completions(std::shared_ptr<const Gpu> gpu)
    : gpu_(std::move(gpu)), thread_([this](const std::stop_token& stop) { serve(stop); }) {}

Completions::~Completions() {
  thread_.request_stop();
  changed_.notify_all();
}

CuEvent Completions::event(bool timed) {
  {
    const std::lock_guard lock(mutex_);
    auto& idle = idleEvents_[timed];
    if (!idle.empty()) {
      const CuEvent event = idle.back();
      idle.pop_back();
      return event;
    }
  }
  CuEvent event = nullptr;
  (void)driver().eventCreate(&event, timed ? cuEventDefault : cuEventDisableTiming);
  return event;
}

void Completions::add(CuStream stream, Pending pending) {
  {
    const std::lock_guard lock(mutex_);
    ends_[pending.submission] = pending.end;
    underWay_[stream].push_back(std::move(pending));
    ++count_;
  }
  changed_.notify_one();
}

CuEvent Completions::endOf(const Submission* submission) const {
  const std::lock_guard lock(mutex_);
  const auto found = ends_.find(submission);
  return found == ends_.end() ? nullptr : found->second;
}

bool Completions::takeEnded(Pending& pending) {
  for (auto& [stream, queue] : underWay_) {
    if (queue.empty() || driver().eventQuery(queue.front().end) == cuNotReady) continue;
    pending = std::move(queue.front());
    queue.pop_front();
    --count_;
    return true;
  }
  return false;
}

void Completions::report(Pending pending) {
  // An event's error is that of the context: the operation, or one before it, made an access that the GPU refused.
  Result result = std::move(pending.failure);
  if (result) result = resultOf(driver().eventQuery(pending.end), "an operation on the GPU failed");
  if (result && pending.afterwards) result = pending.afterwards();
  Times times;
  if (pending.begin) {
    // The GPU's clock gives differences only: the end is when it was seen, which the start precedes by as much.
    float milliseconds = 0;
    if (driver().eventElapsedTime(&milliseconds, pending.begin, pending.end) != 0) milliseconds = 0;
    times.ended = cpu::hostTime();
    const auto took = static_cast<std::uint64_t>(static_cast<double>(milliseconds) * 1e6);
    times.started = times.ended > took + pending.submitted ? times.ended - took : pending.submitted;
  }
  Submission& submission = *pending.submission;
  {
    const std::lock_guard lock(mutex_);
    ends_.erase(&submission);
    idleEvents_[pending.begin != nullptr].push_back(pending.end);
    if (pending.begin) idleEvents_[1].push_back(pending.begin);
  }
  submission.complete(std::move(result), times);
}

void Completions::waitFor(const Submission& awaited) {
  gpu_->use();
  while (!awaited.ended()) {
    Pending pending;
    {
      const std::unique_lock lock(mutex_);
      if (!takeEnded(pending)) {
        if (!ends_.contains(&awaited)) return;  // another thread is reporting it, or it has not been given to the GPU
        continue;
      }
    }
    report(std::move(pending));
  }
}

void Completions::serve(const std::stop_token& stop) {
  gpu_->use();
  while (!stop.stop_requested()) {
    Pending pending;
    CuEvent next = nullptr;
    bool taken = false;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [&] { return count_ > 0; });
      taken = takeEnded(pending);
      if (!taken)
        for (auto& [stream, queue] : underWay_)
          if (!queue.empty()) next = queue.front().end;
    }
    if (taken)
      report(std::move(pending));
    else if (next)
      std::this_thread::yield();
  }
}

}  // namespace clarity::device::cuda
