// SPDX-License-Identifier: Apache-2.0
// This file learns which operations of a stream have ended, reports them, and waits for them.
#include "device/cuda/stream_queue.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

namespace clarity::device::cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// A thread that waits asks without pause for so long before it sleeps.
constexpr auto longSpin = std::chrono::microseconds(200);
/// Then between two questions, where it cannot sleep until an event comes.
constexpr auto waitPause = std::chrono::microseconds(50);
/// The GPU has surely not done yet what was given to it so short a time ago.
constexpr auto justGiven = std::chrono::microseconds(3);
/// So often the thread of Completions leaves a stream queue alone to which operations are being given, because whoever
/// gives them reports, too; always where so many have been given since it last came, as two threads that report and
/// give stop each other at every operation.
constexpr unsigned mostSkipped = 4;
constexpr std::uint64_t manyGiven = 8;

/// The processor leaves its units to its other thread, and the driver's locks to other threads.
void rest() {
#if defined(__SSE2__)
  _mm_pause();
#endif
}

}  // namespace

CuResult StreamQueue::ask(const Marker& marker) const {
  if (marker.end && marker.end.wasGiven()) return 0;
  gpu_->use();
  return marker.event ? driver().eventQuery(marker.event.get()) : driver().streamQuery(stream_);
}

EndSignal StreamQueue::signalEnd() {
  gpu_->use();
  const std::lock_guard lock(signalMutex_);
  if (!signalMemory_) {
    signalMemory_.emplace(*gpu_);
    signals_ = static_cast<bool>(*signalMemory_);
    endSignals_.store(&*signalMemory_, std::memory_order_release);
  }
  if (!signals_) return {};
  const EndSignal signal = signalMemory_->streamEnd(lastSignal_ + 1);
  signals_ = driver().streamWriteValue(stream_, EndSignals::addressOf(signal), signal.number, 0) == 0;
  if (!signals_) return {};
  ++lastSignal_;
  return signal;
}

StreamQueue::Marker StreamQueue::nextMarker() const {
  if (!markers_.empty()) return markers_.front();
  const std::uint64_t given = given_.load(std::memory_order_relaxed);
  return told_.place == given ? told_ : Marker{.event = nullptr, .place = given};
}

void StreamQueue::learn(const Marker& marker, CuResult answer) {
  if (answer == cuNotReady) return;
  if (answer != 0) failure_.store(answer, std::memory_order_relaxed);
  ran_ = std::max(ran_, answer == 0 ? marker.place : given_.load(std::memory_order_relaxed));
  while (!markers_.empty() && markers_.front().place <= ran_) markers_.pop_front();
}

bool StreamQueue::mayReport(const Submission& submission) const {
  if (submission.link.place > ran_) return false;
  const Extra* const extra = extraOf(submission);
  return !extra || std::ranges::all_of(extra->after,
                                       [](const Earlier& earlier) { return earlier.queue->hasEnded(earlier.place); });
}

bool StreamQueue::reportReady(std::unique_lock<std::mutex>& lock) {
  if (reporting_ || !first_ || !mayReport(*first_)) return false;
  reporting_ = true;
  reporter_ = std::this_thread::get_id();
  std::size_t count = 0;
  for (; first_ && mayReport(*first_); ++count) {
    Submission& submission = *first_;
    const std::uint64_t place = submission.link.place;
    first_ = submission.link.next;
    if (!first_) last_ = nullptr;
    lock.unlock();
    report(submission);
    lock.lock();
    ended_.store(place, std::memory_order_release);
  }
  completions_->reported(count);
  reporting_ = false;
  if (waiting_) changed_.notify_all();
  return true;
}

void StreamQueue::report(Submission& submission) {
  const std::unique_ptr<Extra> extra(extraOf(submission));
  submission.link.data = nullptr;
  Result result;
  Times times;
  try {
    if (submission.link.flags & failedWithoutMemory) throw std::bad_alloc();
    result = outcomeOf(submission, extra.get());
    if (extra && extra->begin) times = completions_->timesBetween(extra->begin, extra->end, extra->submitted);
  } catch (const std::exception&) {
    result = resultOfException();
  }
  submission.complete(std::move(result), times);
}

Result StreamQueue::outcomeOf(const Submission& submission, Extra* extra) {
  Result result;
  if (extra) result = std::move(extra->failure);
  if (const CuResult failure = failure_.load(std::memory_order_relaxed); result && failure != 0) {
    std::vector<std::string> kernels;
    addKernel(submission, kernels);
    result = completions_->failed(failure, std::move(kernels));
  }
  if (result) result = gpu_->state();
  if (!extra || !extra->afterwards) return result;
  gpu_->use();
  if (result) result = extra->afterwards();
  extra->afterwards = nullptr;
  return result;
}

void StreamQueue::addKernel(const Submission& submission, std::vector<std::string>& names) {
  if (const auto* launch = std::get_if<Launch>(submission.operation)) names.push_back(launch->info->name);
}

void StreamQueue::addKernels(std::vector<std::string>& names) {
  const std::lock_guard lock(mutex_);
  for (const Submission* each = first_; each; each = each->link.next) addKernel(*each, names);
}

void StreamQueue::collect() {
  std::unique_lock lock(mutex_);
  while (!reporting_ && waiting_ == 0 && first_) {
    if (reportReady(lock)) continue;
    if (first_->link.place <= ran_) return;  // it comes after operations of other stream queues
    if (first_->link.place > given_.load(std::memory_order_relaxed)) return;  // it is held
    const Marker marker = nextMarker();
    const CuResult answer = ask(marker);
    if (answer == cuNotReady) return;
    learn(marker, answer);
  }
}

bool StreamQueue::poll() {
  giveLate();
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t given = given_.load(std::memory_order_relaxed);
    if (!first_) {
      polledAt_ = given;
      return false;
    }
    if (given - polledAt_ >= manyGiven || (given != polledAt_ && ++skipped_ <= mostSkipped)) {
      polledAt_ = given;
      return false;
    }
    skipped_ = 0;
    // So that it is reported when it has ended, not when the stream is empty.
    const std::uint64_t first = first_->link.place;
    if (first == polledFirst_ && markers_.empty() && first > ran_ && first <= given) mark();
    polledFirst_ = first;
  }
  const std::uint64_t before = ended_.load(std::memory_order_relaxed);
  collect();
  return ended_.load(std::memory_order_relaxed) != before;
}

CuResult StreamQueue::waitFor(Marker& marker, bool isLikelyDone, bool isAwaited, const Submission& awaited) {
  const auto since = Clock::now();
  const auto spins = [&] { return Clock::now() - since < longSpin; };
  bool asks = true;
  for (;;) {
    // What a kernel writes comes soon; errors come later than that, if any, from the driver.
    const bool willBeTold = asks && marker.end;
    const CuResult answer = !willBeTold && (isLikelyDone || marker.event) ? ask(marker) : cuNotReady;
    if (answer != cuNotReady || awaited.ended()) return answer;
    isLikelyDone = true;
    if (std::exchange(asks, false) && !marker.event) {
      if (const EndSignal signal = willBeTold ? marker.end : signalEnd()) {
        while (spins() && !awaited.ended()) {
          if (signal.wasGiven()) return 0;
          rest();
        }
        continue;
      }
    }
    if (spins()) {
      rest();
    } else if (!marker.event) {
      const std::lock_guard lock(mutex_);
      if (markers_.empty()) mark();
      if (!markers_.empty()) marker = markers_.front();
      if (!marker.event) std::this_thread::sleep_for(waitPause);
    } else if (isAwaited) {
      return driver().eventSynchronize(marker.event.get());
    } else {
      std::this_thread::sleep_for(waitPause);
    }
  }
}

void StreamQueue::wait(std::uint64_t place, const Submission& awaited) {
  const bool isAwaited = of(awaited) == this;
  bool isLikelyDone = true;
  if (!hasEnded(place)) isLikelyDone = Clock::now() - flush() > justGiven;
  std::unique_lock lock(mutex_);
  ++waiting_;
  while (!hasEnded(place) && !awaited.ended()) {
    if (reporting_ && reporter_ == std::this_thread::get_id()) break;  // the application waits in a callback
    if (reporting_ || given_.load(std::memory_order_relaxed) < place) {
      changed_.wait(lock);
      continue;
    }
    if (reportReady(lock)) continue;
    if (first_->link.place <= ran_) {
      // It comes after operations of other stream queues: the first that has not ended.
      const std::vector<Earlier>& after = extraOf(*first_)->after;
      const auto found =
          std::ranges::find_if(after, [](const Earlier& each) { return !each.queue->hasEnded(each.place); });
      if (found == after.end()) continue;  // now it has
      const Earlier earlier = *found;
      lock.unlock();
      earlier.queue->wait(earlier.place, awaited);
      lock.lock();
      continue;
    }
    Marker marker = nextMarker();
    lock.unlock();
    const CuResult answer = waitFor(marker, std::exchange(isLikelyDone, true), isAwaited, awaited);
    lock.lock();
    learn(marker, answer);
  }
  --waiting_;
}

}  // namespace clarity::device::cuda
