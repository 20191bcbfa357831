// SPDX-License-Identifier: Apache-2.0
// This file gives operations to a stream of the driver, launches in a row several at once.
#include "device/cuda/stream_queue.h"

#include "device/cpu/clock.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace clarity::device::cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// After so many operations without an event one gets one, so that a long queue is reported bit by bit, and the
/// thread that submits reports what has ended.
constexpr std::uint64_t mostWithoutEvent = 32;
/// Launches follow each other quickly if so long passes at most between the end of one call and the next one.
constexpr auto longestGap = std::chrono::microseconds(10);

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
  if (signalMemory_) (void)driver().streamSynchronize(stream_);  // the last number may be on its way
  if (stream_) (void)driver().streamDestroy(stream_);
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
    const bool isSimple = Operations::canHold(*submission.operation, code);
    isLong = give(submission, std::move(after), code, isInRow(isSimple), isSimple);
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
    (void)give(*next.submission, std::move(next.after), code, false, false);
    collect();  // a read from the GPU has ended when it was given
    lock.lock();
    feeding_ = false;
  }
}

bool StreamQueue::give(Submission& submission, std::vector<Earlier> after, LaunchCode code, bool mayHold,
                       bool isSimple) {
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
  const std::uint64_t place = submission.link.place;
  giving.alone = isSimple && !mayHold && !extra && hasEnded(place - 1);
  if (EndSignals* const signals = endSignals_.load(std::memory_order_acquire); signals && signals->ofKernels())
    giving.tellBy = signals, giving.number = lastTold_ + 1;
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
  if (giving.end) {
    lastTold_ = giving.number;
    told_ = {nullptr, place, giving.end};
  }
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

}  // namespace clarity::device::cuda
