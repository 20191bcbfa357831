// SPDX-License-Identifier: Apache-2.0
// This file gives operations to a stream of the driver, launches in a row several at once.
#include "device/cuda/stream_queue.h"

#include "device/cpu/clock.h"

#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
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
        made_ = resultOf(driver().streamCreate(&stream, cuStreamNonBlocking), "no stream of the GPU could be made");
        if (!made_) made_.code = CL_OUT_OF_RESOURCES;
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

bool StreamQueue::takesLong(const Submission& submission, LaunchCode& code) const {
  try {
    return operations_.takesLong(*submission.operation, code);
  } catch (const std::exception&) {
    code = {};
    return true;
  }
}

bool StreamQueue::mayGiveNow(const Submission& submission) const {
  const Extra* const extra = extraOf(submission);
  return !extra || std::ranges::all_of(extra->after, [](const Earlier& earlier) {
    return earlier.queue->given_.load(std::memory_order_acquire) >= earlier.place;
  });
}

void StreamQueue::submit(Submission& submission, std::vector<Earlier> after) {
  std::unique_ptr<Extra> extra;
  if (!after.empty()) {
    extra = std::make_unique<Extra>();
    extra->after = std::move(after);
  }
  submission.link.data = extra.release();
  submitNow(submission);
}

void StreamQueue::submitNow(Submission& submission) noexcept {
  bool isLong = false;
  std::unique_lock lock(order_);
  submission.link.place = submitted_.load(std::memory_order_relaxed) + 1;
  submission.link.flags = 0;
  submission.link.next = nullptr;
  submission.link.owner.store(this, std::memory_order_release);
  submitted_.store(submission.link.place, std::memory_order_release);
  LaunchCode code;
  gpu_->use();
  if (isFed() || !mayGiveNow(submission) || takesLong(submission, code)) {
    feedLater(submission);
    const bool isToFeed = !startFeeder();
    lock.unlock();
    if (isToFeed) feedHere();
    return;
  }
  const bool isSimple = Operations::canHold(*submission.operation, code);
  isLong = give(submission, code, isInRow(isSimple), isSimple);
  submittedAt_ = Clock::now();
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

void StreamQueue::feedLater(Submission& submission) {
  (lastFed_ ? lastFed_->link.next : firstFed_) = &submission;
  lastFed_ = &submission;
}

bool StreamQueue::startFeeder() {
  try {
    if (!feeder_.joinable())
      feeder_ = std::jthread([self = shared_from_this()](const std::stop_token& stop) { self->feed(stop); });
  } catch (const std::exception&) {  // of std::system_error and std::bad_alloc
    return false;
  }
  fedChanged_.notify_one();
  return true;
}

void StreamQueue::feed(const std::stop_token& stop) {
  std::unique_lock lock(order_);
  while (fedChanged_.wait(lock, stop, [&] { return firstFed_ && !feeding_; })) feedOne(lock);
}

void StreamQueue::feedHere() {
  std::unique_lock lock(order_);
  if (feeder_.joinable()) return;
  while (firstFed_ && !feeding_) feedOne(lock);
}

void StreamQueue::feedOne(std::unique_lock<std::mutex>& lock) {
  (void)giveHeld();
  Submission& next = *firstFed_;
  firstFed_ = std::exchange(next.link.next, nullptr);
  if (!firstFed_) lastFed_ = nullptr;
  feeding_ = true;
  lock.unlock();
  if (const Extra* const extra = extraOf(next))
    for (const Earlier& earlier : extra->after) {
      earlier.queue->feedHere();
      std::unique_lock others(earlier.queue->mutex_);
      ++earlier.queue->waiting_;
      earlier.queue->changed_.wait(others, [&] { return earlier.queue->given_.load() >= earlier.place; });
      --earlier.queue->waiting_;
    }
  gpu_->use();  // what was reported may have led this thread to another GPU
  LaunchCode code;
  (void)takesLong(next, code);
  (void)give(next, code, false, false);
  lock.lock();
  feeding_ = false;  // what is reported now may wait for what comes next
  lock.unlock();
  collect();  // a read from the GPU has ended when it was given
  lock.lock();
}

bool StreamQueue::give(Submission& submission, LaunchCode code, bool mayHold, bool isSimple) {
  std::unique_ptr<Extra> extra(extraOf(submission));
  submission.link.data = nullptr;
  if (extra) {
    std::erase_if(extra->after, [](const Earlier& earlier) { return earlier.queue->hasEnded(earlier.place); });
    if (extra->after.empty()) extra = nullptr;
  }
  const bool timed = profiled_ && submission.timed;
  mayHold = mayHold && !timed && !extra;
  if (!mayHold) (void)giveHeld();
  if (extra)
    for (const Earlier& earlier : extra->after) waitOnGpu(earlier);
  Afterwards afterwards;
  Result result;
  TimedBy times;
  Giving giving{.mayHold = mayHold};
  const std::uint64_t place = submission.link.place;
  giving.alone = isSimple && !mayHold && !timed && !extra && hasEnded(place - 1);
  if (EndSignals* const signals = endSignals_.load(std::memory_order_acquire); signals && signals->ofKernels())
    giving.tellBy = signals, giving.number = lastTold_ + 1;
  try {
    if (timed) {
      if (!extra) extra = std::make_unique<Extra>();
      extra->submitted = cpu::hostTime();
      extra->begin = completions_->event(true);
      extra->end = completions_->event(true);
      times = {extra->begin.get(), extra->end.get()};
      giving.times = &times;
    }
    result = gpu_->state();
    if (result) result = made_;
    if (result) result = operations_.start(*submission.operation, code, afterwards, giving);
    if (!result) result = withLoss(std::move(result), submission);
  } catch (const std::exception&) {
    (void)driver().streamSynchronize(stream_);  // the GPU may have a part of it
    result = resultOfException();
  }
  if (timed && !result && extra) extra->begin = extra->end = nullptr;  // they may not have been recorded
  keep(submission, std::move(extra), std::move(result), std::move(afterwards));
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

void StreamQueue::keep(Submission& submission, std::unique_ptr<Extra> extra, Result result,
                       Afterwards afterwards) const {
  if (!extra && (!result || afterwards)) {
    extra.reset(new (std::nothrow) Extra);
    if (!extra) {
      (void)driver().streamSynchronize(stream_);  // of what `afterwards` has the GPU may be in the middle
      submission.link.flags = failedWithoutMemory;
      return;
    }
  }
  if (!extra) return;
  extra->failure = std::move(result);
  extra->afterwards = std::move(afterwards);
  submission.link.data = extra.release();
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
  gpu_->use();
  operations_.giveHeld([this](std::size_t index, CuResult answer) { refuse(*held_[index], answer); });
  const std::uint64_t place = held_.back()->link.place;
  held_.clear();
  holds_.store(false, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  return gave(place);
}

void StreamQueue::refuse(Submission& submission, CuResult answer) {
  std::unique_ptr<Extra> extra;
  try {
    Result why = withLoss(Operations::refusalOf(std::get<Launch>(*submission.operation), answer), submission);
    extra = std::make_unique<Extra>();
    extra->failure = std::move(why);
  } catch (const std::bad_alloc&) {
    extra = nullptr;
  }
  const std::lock_guard lock(mutex_);
  if (!extra) submission.link.flags = failedWithoutMemory;
  submission.link.data = extra.release();
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
    const auto find = [&] { return std::ranges::lower_bound(queue.markers_, earlier.place, {}, &Marker::place); };
    auto marker = find();
    if (marker == queue.markers_.end()) {
      queue.mark();
      marker = find();
    }
    if (marker != queue.markers_.end()) event = marker->event;
  }
  if (event)
    (void)driver().streamWaitEvent(stream_, event.get(), 0);
  else
    (void)driver().streamSynchronize(queue.stream_);  // the driver has no event
}

void StreamQueue::mark() {
  marked_ = given_.load(std::memory_order_relaxed);
  try {
    Marker& marker = markers_.emplace_back(Marker{.event = nullptr, .place = marked_});
    marker.event = completions_->event(false);
    if (marker.event) (void)driver().eventRecord(marker.event.get(), stream_);
  } catch (const std::bad_alloc&) {  // that the stream is empty will tell
  }
}

}  // namespace clarity::device::cuda
