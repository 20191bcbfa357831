// SPDX-License-Identifier: Apache-2.0
// This file gives operations to a stream of the driver and reports when they have ended.
#include "device/cuda/stream_queue.h"

#include "device/cpu/clock.h"

#include <CL/cl.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

namespace clarity::device::cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// After so many operations without an event one gets one, so that a long queue is reported bit by bit, and the
/// thread that submits reports what has ended.
constexpr std::uint64_t mostWithoutEvent = 32;
/// A thread that waits asks without pause for so long before it sleeps.
constexpr auto longSpin = std::chrono::microseconds(200);
/// Then between two questions, where it cannot sleep until an event comes.
constexpr auto waitPause = std::chrono::microseconds(50);
/// The GPU has surely not done yet what was given to it so short a time ago.
constexpr auto justGiven = std::chrono::microseconds(3);
/// Launches follow each other quickly if so long passes at most between the end of one call and the next one.
constexpr auto longestGap = std::chrono::microseconds(10);
/// So often the thread of Completions leaves a stream queue alone to which operations are being given, because whoever
/// gives them reports, too; always where so many have been given since it last came, as two threads that report and
/// give stop each other at every operation.
constexpr unsigned mostSkipped = 4;
constexpr std::uint64_t manyGiven = mostWithoutEvent / 4;

/// The processor leaves its units to its other thread, and the driver's locks to other threads.
void rest() {
#if defined(__SSE2__)
  _mm_pause();
#endif
}

}  // namespace

StreamQueue::StreamQueue(std::shared_ptr<const Gpu> gpu, std::shared_ptr<Completions> completions,
                         const std::shared_ptr<Staging>& staging, std::size_t printfBytes, bool profiled)
    : gpu_(gpu),
      completions_(std::move(completions)),
      profiled_(profiled),
      stream_([&] {
        CuStream stream = nullptr;
        gpu->use();
        (void)driver().streamCreate(&stream, cuStreamNonBlocking);
        return stream;
      }()),
      operations_(std::move(gpu), staging, printfBytes, stream_) {
  held_.reserve(LaunchChain::most);
}

StreamQueue::~StreamQueue() {
  gpu_->use();
  if (signal_) (void)driver().streamSynchronize(stream_);  // its last number may be on its way
  if (stream_) (void)driver().streamDestroy(stream_);
  if (signal_) (void)driver().memFreeHost(signal_);
}

void StreamQueue::close() {
  completions_->remove(*this);
  if (!feeder_.joinable()) return;
  feeder_.request_stop();
  // The last submission may end on the feeder itself, which keeps this object.
  if (feeder_.get_id() == std::this_thread::get_id())
    feeder_.detach();
  else
    feeder_.join();
}

bool StreamQueue::mayGiveNow(const std::vector<Earlier>& after) const {
  return std::ranges::all_of(after, [](const Earlier& earlier) {
    return earlier.queue->given_.load(std::memory_order_acquire) >= earlier.place;
  });
}

void StreamQueue::submit(Submission& submission, std::vector<Earlier> after) {
  bool isLong = false;
  std::unique_lock lock(order_);
  submission.link.place = submitted_.load(std::memory_order_relaxed) + 1;
  submission.link.data = nullptr;
  submission.link.next = nullptr;
  submission.link.owner.store(this, std::memory_order_release);
  submitted_.store(submission.link.place, std::memory_order_release);
  LaunchCode code;
  gpu_->use();
  if (!isFed() && mayGiveNow(after) && !operations_.takesLong(*submission.operation, code)) {
    const bool mayHold = isInRow(Operations::canHold(*submission.operation, code));
    isLong = give(submission, std::move(after), code, mayHold);
    submittedAt_ = Clock::now();
  } else {
    feedLater(submission, std::move(after));
  }
  lock.unlock();
  if (!isLong) return;
  collect();
  lock.lock();
  submittedAt_ = Clock::now();  // what was reported took its time
}

bool StreamQueue::isInRow(bool canHold) {
  row_ = !canHold ? 0 : Clock::now() - submittedAt_ > longestGap ? 1 : row_ + 1;
  return row_ > longRow;
}

Clock::time_point StreamQueue::flush() {
  bool isLong = false;
  Clock::time_point last;
  {
    const std::lock_guard lock(order_);
    last = submittedAt_;
    row_ = 0;
    if (holds_.load(std::memory_order_relaxed) && !isFed()) isLong = giveHeld();  // the feeder has begun with them
  }
  if (isLong) collect();
  return last;
}

void StreamQueue::giveLate() {
  if (!holds_.load(std::memory_order_acquire)) return;
  const std::unique_lock lock(order_, std::try_to_lock);
  if (!lock || held_.empty() || isFed()) return;
  const std::uint64_t first = held_.front()->link.place;
  if (std::exchange(heldBefore_, first) != first) return;
  row_ = 0;
  (void)giveHeld();
}

void StreamQueue::feedLater(Submission& submission, std::vector<Earlier> after) {
  fed_.push_back({&submission, std::move(after)});
  if (!feeder_.joinable())
    feeder_ = std::jthread([self = shared_from_this()](const std::stop_token& stop) { self->feed(stop); });
  fedChanged_.notify_one();
}

void StreamQueue::feed(const std::stop_token& stop) {
  std::unique_lock lock(order_);
  while (fedChanged_.wait(lock, stop, [&] { return !fed_.empty(); })) {
    (void)giveHeld();
    Fed next = std::move(fed_.front());
    fed_.pop_front();
    feeding_ = true;
    lock.unlock();
    for (const Earlier& earlier : next.after) {
      std::unique_lock others(earlier.queue->mutex_);
      ++earlier.queue->waiting_;
      earlier.queue->changed_.wait(others, [&] { return earlier.queue->given_.load() >= earlier.place; });
      --earlier.queue->waiting_;
    }
    gpu_->use();  // what was reported may have led this thread to another GPU
    LaunchCode code;
    (void)operations_.takesLong(*next.submission->operation, code);
    (void)give(*next.submission, std::move(next.after), code, false);
    collect();  // a read from the GPU has ended when it was given
    lock.lock();
    feeding_ = false;
  }
}

bool StreamQueue::give(Submission& submission, std::vector<Earlier> after, LaunchCode code, bool mayHold) {
  std::erase_if(after, [](const Earlier& earlier) { return earlier.queue->hasEnded(earlier.place); });
  const bool timed = profiled_ && submission.timed;
  mayHold = mayHold && !timed && after.empty();
  if (!mayHold) (void)giveHeld();
  for (const Earlier& earlier : after) waitOnGpu(earlier);
  Afterwards afterwards;
  Result result;
  std::unique_ptr<Extra> extra;
  if (timed || !after.empty()) extra = std::make_unique<Extra>();
  if (timed) {
    extra->submitted = cpu::hostTime();
    extra->begin = completions_->event(true);
    extra->end = completions_->event(true);
  }
  const TimedBy times{timed ? extra->begin.get() : nullptr, timed ? extra->end.get() : nullptr};
  Giving giving{.times = timed ? &times : nullptr, .mayHold = mayHold};
  result = gpu_->state();
  if (result) result = operations_.start(*submission.operation, code, afterwards, giving);
  if (!result) result = withLoss(std::move(result), submission);
  if (timed && !result) extra->begin = extra->end = nullptr;  // they may not have been recorded
  if (!extra && (!result || afterwards)) extra = std::make_unique<Extra>();
  if (extra) {
    extra->failure = std::move(result);
    extra->afterwards = std::move(afterwards);
    extra->after = std::move(after);
    submission.link.data = extra.release();
  }
  if (mayHold && !giving.held) (void)giveHeld();  // it was refused: nothing is given ahead of its place
  std::unique_lock lock(mutex_);
  const std::uint64_t place = submission.link.place;
  (last_ ? last_->link.next : first_) = &submission;
  last_ = &submission;
  completions_->given();
  if (!giving.held) return gave(place);  // `submission` may end as soon as the lock is released
  lock.unlock();
  held_.push_back(&submission);
  holds_.store(true, std::memory_order_release);
  return held_.size() == LaunchChain::most && giveHeld();
}

bool StreamQueue::gave(std::uint64_t place) {
  given_.store(place, std::memory_order_release);
  const bool isLong = place - marked_ >= mostWithoutEvent;
  if (isLong) mark();
  if (waiting_) changed_.notify_all();
  return isLong;
}

bool StreamQueue::giveHeld() {
  if (held_.empty()) return false;
  std::vector<std::pair<Submission*, std::unique_ptr<Extra>>> refused;
  gpu_->use();
  operations_.giveHeld([&](std::size_t index, CuResult answer) {
    Submission& submission = *held_[index];
    Result why = Operations::refusalOf(std::get<Launch>(*submission.operation), answer);
    auto extra = std::make_unique<Extra>();
    extra->failure = withLoss(std::move(why), submission);
    refused.emplace_back(&submission, std::move(extra));
  });
  const std::uint64_t place = held_.back()->link.place;
  held_.clear();
  holds_.store(false, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  for (auto& [submission, extra] : refused) submission->link.data = extra.release();
  return gave(place);
}

Result StreamQueue::withLoss(Result refusal, const Submission& submission) {
  if (const CuResult answer = driver().streamQuery(stream_); answer != 0 && answer != cuNotReady) {
    std::vector<std::string> kernels;
    addKernel(submission, kernels);
    return completions_->failed(answer, std::move(kernels));
  }
  return refusal;
}

void StreamQueue::waitOnGpu(const Earlier& earlier) {
  StreamQueue& queue = *earlier.queue;
  EventRef event;
  {
    const std::lock_guard lock(queue.mutex_);
    if (queue.ran_ >= earlier.place) return;
    auto marker = std::ranges::lower_bound(queue.markers_, earlier.place, {}, &Marker::place);
    if (marker == queue.markers_.end()) {
      queue.mark();
      marker = std::prev(queue.markers_.end());
    }
    event = marker->event;
  }
  if (event)
    (void)driver().streamWaitEvent(stream_, event.get(), 0);
  else
    (void)driver().streamSynchronize(queue.stream_);  // the driver has no event
}

void StreamQueue::mark() {
  marked_ = given_.load(std::memory_order_relaxed);
  EventRef event = completions_->event(false);
  if (event) (void)driver().eventRecord(event.get(), stream_);
  markers_.push_back({std::move(event), marked_});
}

CuResult StreamQueue::ask(const Marker& marker) const {
  gpu_->use();
  return marker.event ? driver().eventQuery(marker.event.get()) : driver().streamQuery(stream_);
}

std::optional<std::uint32_t> StreamQueue::signalEnd() {
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
  gpu_->use();
  const std::lock_guard lock(signalMutex_);
  if (signals_ && !signal_) {
    void* memory = nullptr;
    signals_ = driver().memAllocHost(&memory, sizeof *signal_) == 0;
    if (signals_) signal_ = new (memory) std::atomic<std::uint32_t>(0);
  }
  // Pinned memory has one address for the host and the GPU.
  signals_ = signals_ &&
             driver().streamWriteValue(stream_, reinterpret_cast<std::uintptr_t>(signal_), lastSignal_ + 1, 0) == 0;
  if (!signals_) return std::nullopt;
  return ++lastSignal_;
}

bool StreamQueue::wasSignalled(std::uint32_t number) const {
  return static_cast<std::int32_t>(signal_->load(std::memory_order_acquire) - number) >= 0;
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
  if (extra) result = std::move(extra->failure);
  if (const CuResult failure = failure_.load(std::memory_order_relaxed); result && failure != 0) {
    std::vector<std::string> kernels;
    addKernel(submission, kernels);
    result = completions_->failed(failure, std::move(kernels));
  }
  if (result) result = gpu_->state();
  if (extra && extra->afterwards) {
    gpu_->use();
    if (result) result = extra->afterwards();
    extra->afterwards = nullptr;
  }
  if (extra && extra->begin) times = completions_->timesBetween(extra->begin, extra->end, extra->submitted);
  submission.complete(std::move(result), times);
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
    const Marker marker = markers_.empty() ? Marker{nullptr, given_.load(std::memory_order_relaxed)} : markers_.front();
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
    const CuResult answer = isLikelyDone || marker.event ? ask(marker) : cuNotReady;
    if (answer != cuNotReady || awaited.ended()) return answer;
    isLikelyDone = true;
    if (std::exchange(asks, false) && !marker.event) {
      if (const std::optional<std::uint32_t> number = signalEnd()) {
        while (spins() && !awaited.ended()) {
          if (wasSignalled(*number)) return 0;
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
      marker = markers_.front();
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
      // It comes after operations of other stream queues.
      const std::vector<Earlier> after = extraOf(*first_)->after;
      lock.unlock();
      for (const Earlier& earlier : after) earlier.queue->wait(earlier.place, awaited);
      lock.lock();
      continue;
    }
    Marker marker = markers_.empty() ? Marker{nullptr, given_.load(std::memory_order_relaxed)} : markers_.front();
    lock.unlock();
    const CuResult answer = waitFor(marker, std::exchange(isLikelyDone, true), isAwaited, awaited);
    lock.lock();
    learn(marker, answer);
  }
  --waiting_;
}

}  // namespace clarity::device::cuda
