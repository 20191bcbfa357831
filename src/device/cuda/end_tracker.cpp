// SPDX-License-Identifier: Apache-2.0
// This file learns what the GPU has executed, and waits for it.
#include "device/cuda/end_tracker.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace clarity::device::cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// After so many operations without an event one gets one, so that a long queue is retired bit by bit, and the thread
/// that submits looks what has been executed.
constexpr std::uint64_t mostWithoutEvent = 32;
/// So many operations have events behind the last one that was awaited when later ones had been issued.
constexpr std::uint64_t withEvents = 64;
/// A thread that waits asks without pause for so long before it sleeps.
constexpr auto longSpin = std::chrono::microseconds(200);
/// Then between two questions, where it cannot sleep until an event comes.
constexpr auto waitPause = std::chrono::microseconds(50);

/// The processor leaves its units to its other thread, and the driver's locks to other threads.
void rest() {
#if defined(__SSE2__)
  _mm_pause();
#endif
}

}  // namespace

EndTracker::EndTracker(std::shared_ptr<const Gpu> gpu, std::shared_ptr<Completions> events, CuStream stream)
    : gpu_(std::move(gpu)), completions_(std::move(events)), stream_(stream) {}

EndTracker::~EndTracker() {
  if (signals_) (void)driver().streamSynchronize(stream_);  // the last number may be on its way
}

bool EndTracker::noteIssued(std::uint64_t place, bool hasEvent) {
  issued_.store(place, std::memory_order_release);
  const bool isToLook = place - lookedAt_ >= mostWithoutEvent;
  if (isToLook) lookedAt_ = place;
  if (isToLook || hasEvent || place <= eventsUntil_) recordEvent();
  return isToLook;
}

void EndTracker::recordEvent() {
  recordedAt_ = issued_.load(std::memory_order_relaxed);
  // Without memory, that the stream is empty tells.
  (void)guarded([&] {
    Fence& fence = events_.emplace_back(Fence{.event = nullptr, .place = recordedAt_});
    fence.event = completions_->event(false);
    if (fence.event) (void)driver().eventRecord(fence.event.get(), stream_);
  });
}

void EndTracker::noteAwaited(std::uint64_t place) {
  if (const std::uint64_t issued = issued_.load(std::memory_order_relaxed); place < issued)
    eventsUntil_ = issued + withEvents;
}

EventRef EndTracker::eventBehind(std::uint64_t place) {
  noteAwaited(place);
  const auto find = [&] { return std::ranges::lower_bound(events_, place, {}, &Fence::place); };
  auto found = find();
  if (found == events_.end()) {
    recordEvent();
    found = find();
  }
  return found == events_.end() ? nullptr : found->event;
}

void EndTracker::noteKernelSignal(std::uint64_t place, EndSignal signal) {
  kernelNumber_ = signal.number;
  kernelFence_ = {.event = nullptr, .place = place, .signal = signal};
}

EndTracker::Fence EndTracker::nextFence() const {
  if (!events_.empty()) return events_.front();
  const std::uint64_t issued = issued_.load(std::memory_order_relaxed);
  return kernelFence_.place == issued ? kernelFence_ : Fence{.event = nullptr, .place = issued};
}

CuResult EndTracker::ask(const Fence& fence) const {
  if (fence.signal && fence.signal.isWritten()) return 0;
  gpu_->use();
  return fence.event ? driver().eventQuery(fence.event.get()) : driver().streamQuery(stream_);
}

void EndTracker::learn(const Fence& fence, CuResult answer) {
  if (answer == cuNotReady) return;
  if (answer != 0) failure_.store(answer, std::memory_order_relaxed);
  executed_ = std::max(executed_, answer == 0 ? fence.place : issued_.load(std::memory_order_relaxed));
  while (!events_.empty() && events_.front().place <= executed_) events_.pop_front();
}

bool EndTracker::look() {
  const Fence fence = nextFence();
  const CuResult answer = ask(fence);
  learn(fence, answer);
  return answer != cuNotReady;
}

EndSignal EndTracker::writeSignal(std::unique_lock<std::mutex>& lock) {
  gpu_->use();
  lock.lock();
  if (!signals_ && !std::exchange(isMakingSignals_, true)) {
    std::unique_ptr<EndSignals> made;
    lock.unlock();
    (void)guarded([&] { made = std::make_unique<EndSignals>(*gpu_); });
    lock.lock();
    signals_ = std::move(made);
    streamWrites_ = signals_ && *signals_;
  }
  EndSignal signal;
  if (signals_ && streamWrites_) {
    signal = signals_->streamEnd(streamNumber_ + 1);
    streamWrites_ = driver().streamWriteValue(stream_, EndSignals::addressOf(signal), signal.number, 0) == 0;
    if (streamWrites_)
      ++streamNumber_;
    else
      signal = {};
  }
  lock.unlock();
  return signal;
}

CuResult EndTracker::await(std::unique_lock<std::mutex>& lock, Fence& fence, const EndWait& wait) {
  const auto since = Clock::now();
  const auto spins = [&] { return Clock::now() - since < longSpin; };
  // The number of a kernel comes soon; errors come later than that, if any, from the driver.
  EndSignal signal = fence.signal;
  if (!signal && (wait.isLikelyOver || fence.event))
    if (const CuResult answer = ask(fence); answer != cuNotReady) return answer;
  if (!signal && !fence.event && !wait.awaited.ended()) signal = writeSignal(lock);
  if (signal)
    for (; spins() && !wait.awaited.ended(); rest())
      if (signal.isWritten()) return 0;
  for (;; rest()) {
    const CuResult answer = ask(fence);
    if (answer != cuNotReady || wait.awaited.ended()) return answer;
    if (!spins()) return sleepUntil(lock, fence, wait);
  }
}

CuResult EndTracker::sleepUntil(std::unique_lock<std::mutex>& lock, Fence& fence, const EndWait& wait) {
  for (;;) {
    if (!fence.event) {
      lock.lock();
      if (events_.empty()) recordEvent();
      if (!events_.empty()) fence = events_.front();
      lock.unlock();
    }
    if (fence.event && wait.isOfStream) return driver().eventSynchronize(fence.event.get());
    std::this_thread::sleep_for(waitPause);
    const CuResult answer = ask(fence);
    if (answer != cuNotReady || wait.awaited.ended()) return answer;
  }
}

void EndTracker::wait(std::unique_lock<std::mutex>& lock, const EndWait& wait) {
  Fence fence = nextFence();
  lock.unlock();
  const CuResult answer = await(lock, fence, wait);
  lock.lock();
  learn(fence, answer);
}

}  // namespace clarity::device::cuda
