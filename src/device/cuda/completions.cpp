// SPDX-License-Identifier: Apache-2.0
// This file looks after operations that no thread of the application waits for, and keeps events and the clock.
#include "device/cuda/completions.h"

#include "device/cuda/stream_queue.h"
#include "support/clock.h"
#include "support/own_thread.h"

#include <CL/cl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace clarity::device::cuda {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

/// Between two questions of the thread; longer, the longer nothing has ended, so that a kernel that takes long is not
/// asked after thousands of times, and what waits for it is late by a small part of its time.
constexpr auto shortestPause = microseconds(50), longestPause = microseconds(1000);
constexpr int pausePart = 16;
/// After so long without an operation the thread sleeps until one is issued. Waking it takes as long as a part of a
/// launch, so that it does not sleep between one launch that is waited for and the next.
constexpr auto linger = microseconds(5000);
/// The driver gives the time between two events in milliseconds as a float: after so many of them, to 15 nanoseconds,
/// times count from a later event.
constexpr float mostMilliseconds = 250;
/// Names in the text about a failure.
constexpr std::size_t mostNames = 4;

std::uint64_t nanoseconds(float milliseconds) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(double{milliseconds} * 1e6));
}

}  // namespace

Completions::Completions(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) { startThread(); }

Completions::~Completions() {
  thread_.request_stop();
  if (thread_.get_id() == std::this_thread::get_id())
    thread_.detach();
  else if (thread_.joinable())
    thread_.join();
  gpu_->use();
  for (const auto& events : idleEvents_)
    for (CuEvent const event : events) (void)driver().eventDestroy(event);
  if (clockEvent_) (void)driver().eventDestroy(clockEvent_);
}

EventRef Completions::event(bool timed) {
  CuEvent event = nullptr;
  {
    const std::lock_guard lock(mutex_);
    auto& idle = idleEvents_[timed];
    if (!idle.empty()) {
      event = idle.back();
      idle.pop_back();
    }
  }
  gpu_->use();  // what was retired may have led this thread to another GPU
  if (!event && driver().eventCreate(&event, cuEventBlockingSync | (timed ? 0 : cuEventDisableTiming)) != 0)
    return nullptr;
  return {event, [self = shared_from_this(), timed](CuEvent idle) {
            const std::lock_guard lock(self->mutex_);
            if (!guarded([&] { self->idleEvents_[timed].push_back(idle); })) (void)driver().eventDestroy(idle);
          }};
}

Times Completions::timesBetween(const EventRef& begin, const EventRef& end, std::uint64_t submitted) {
  const std::lock_guard lock(clockMutex_);
  gpu_->use();
  const auto recordedNow = [] {
    CuEvent event = nullptr;
    const bool done = driver().eventCreate(&event, cuEventDefault) == 0 && driver().eventRecord(event, nullptr) == 0 &&
                      driver().eventSynchronize(event) == 0;
    if (!done && event) (void)driver().eventDestroy(std::exchange(event, nullptr));
    return event;
  };
  if (!clockEvent_) {
    // The time before the event is recorded: at most that of the event. Times of commands make it later, which keeps
    // those that follow behind those that are reported already; a time too late would have to go back.
    clockTime_ = support::hostTime();
    clockEvent_ = recordedNow();
  }
  // Both times count from the clock's event: rounding keeps the order of what is measured from one event.
  float began = 0, ended = 0;
  const bool known = clockEvent_ && begin && end && driver().eventElapsedTime(&began, clockEvent_, begin.get()) == 0 &&
                     driver().eventElapsedTime(&ended, clockEvent_, end.get()) == 0;
  if (!known) return {submitted, std::max(submitted, support::hostTime())};
  const auto hostTimeOf = [&](float milliseconds) { return clockTime_ + nanoseconds(milliseconds); };
  const std::uint64_t now = support::hostTime();
  if (hostTimeOf(ended) > now) clockTime_ -= hostTimeOf(ended) - now;  // clocks drift
  // No command starts before it is submitted.
  if (hostTimeOf(began) < submitted) clockTime_ += submitted - hostTimeOf(began);
  const Times times{.started = hostTimeOf(began), .ended = hostTimeOf(ended)};
  if (began > mostMilliseconds) {
    CuEvent later = recordedNow();
    float step = 0;
    if (later && driver().eventElapsedTime(&step, clockEvent_, later) == 0) {
      clockTime_ += nanoseconds(step);
      std::swap(clockEvent_, later);
    }
    if (later) (void)driver().eventDestroy(later);
  }
  return times;
}

void Completions::startThread() {
  if (thread_.joinable()) return;
  (void)guarded([&] {
    const support::OwnThreadSignals signals;
    thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  });
}

void Completions::add(std::shared_ptr<StreamQueue> queue) {
  const std::lock_guard lock(mutex_);
  startThread();
  queues_.push_back(std::move(queue));
}

void Completions::remove(const StreamQueue& queue) {
  std::shared_ptr<StreamQueue> removed;  // goes after the lock
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(queues_, &queue, &std::shared_ptr<StreamQueue>::get);
  if (found == queues_.end()) return;
  removed = std::move(*found);
  queues_.erase(found);
}

std::vector<std::shared_ptr<StreamQueue>> Completions::queues() {
  const std::lock_guard lock(mutex_);
  return queues_;
}

void Completions::flush() {
  for (const std::shared_ptr<StreamQueue>& queue : queues()) queue->flush(queue->lastSubmitted());
}

void Completions::noteIssued() {
  outstanding_.fetch_add(1);
  if (!asleep_.load()) [[likely]]
    return;
  {
    const std::lock_guard lock(mutex_);
  }  // the thread has not seen the operation and waits, or sees it
  wake_.notify_all();
}

Result Completions::failed(CuResult failure, std::vector<std::string> kernels) {
  // The error is that of the context, which every later call reports too: the first that is seen has the cause.
  if (Result known = gpu_->state(); !known) return known;
  for (const std::shared_ptr<StreamQueue>& queue : queues()) queue->addKernels(kernels);
  std::ranges::sort(kernels);
  const auto repeated = std::ranges::unique(kernels);
  kernels.erase(repeated.begin(), repeated.end());
  std::string what = "a transfer failed";
  if (kernels.size() == 1) what = fmt::format("kernel '{}' failed", kernels.front());
  if (kernels.size() > 1) {
    const std::size_t named = std::min(kernels.size(), mostNames);
    what = fmt::format("one of the kernels '{}'", fmt::join(kernels.begin(), kernels.begin() + named, "', '"));
    if (kernels.size() > named) what += fmt::format(" and {} others", kernels.size() - named);
    what += " failed";
  }
  Result result = resultOf(failure, what);
  gpu_->lose(result.text);
  return result;
}

void Completions::serve(const std::stop_token& stop) {
  auto ended = Clock::now();
  bool idle = true;
  while (!stop.stop_requested()) {
    if (outstanding_.load() == 0 && Clock::now() - ended > linger) {
      std::unique_lock lock(mutex_);
      asleep_.store(true);
      wake_.wait(lock, stop, [&] { return outstanding_.load() != 0; });
      asleep_.store(false);
    }
    const bool wasIdle = std::exchange(idle, outstanding_.load() == 0);
    bool any = wasIdle && !idle;
    // A failure is tried again the next time.
    if (!idle)
      (void)guarded([&] {
        for (const std::shared_ptr<StreamQueue>& queue : queues()) any |= queue->poll();
      });
    const auto now = Clock::now();
    if (any) ended = now;
    const auto pause = std::chrono::duration_cast<microseconds>(now - ended) / pausePart;
    std::this_thread::sleep_for(std::clamp(pause, shortestPause, longestPause));
  }
}

}  // namespace clarity::device::cuda
