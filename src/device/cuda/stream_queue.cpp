// SPDX-License-Identifier: Apache-2.0
// This file issues operations to a stream of the driver, launches in a row several at once.
#include "device/cuda/stream_queue.h"

#include "support/clock.h"
#include "support/own_thread.h"

#include <CL/cl.h>

#include <algorithm>
#include <new>
#include <utility>
#include <variant>

namespace clarity::device::cuda {

DriverStream::DriverStream(std::shared_ptr<const Gpu> gpu, Result& made) : gpu_(std::move(gpu)) {
  gpu_->use();
  made = resultOf(driver().streamCreate(&stream_, cuStreamNonBlocking), "no stream of the GPU could be made");
  if (made) return;
  made.code = CL_OUT_OF_RESOURCES;
  stream_ = nullptr;
}

DriverStream::~DriverStream() {
  if (stream_) (void)driver().streamDestroy(stream_);
}

StreamQueue::StreamQueue(std::shared_ptr<const Gpu> gpu, std::shared_ptr<Completions> completions,
                         const std::shared_ptr<Staging>& staging, std::size_t printfBytes, bool profiled)
    : gpu_(std::move(gpu)),
      completions_(std::move(completions)),
      profiled_(profiled),
      stream_(gpu_, made_),
      operations_(gpu_, staging, printfBytes, stream_.get()),
      ends_(gpu_, completions_, stream_.get()),
      retirement_(gpu_, completions_) {}

StreamQueue::~StreamQueue() { gpu_->use(); }

void StreamQueue::close() {
  completions_->remove(*this);
  if (!issuer_.joinable()) return;
  issuer_.request_stop();
  // The last submission may end on the issuer itself, which keeps this object.
  if (issuer_.get_id() == std::this_thread::get_id())
    issuer_.detach();
  else
    issuer_.join();
}

bool StreamQueue::isSlowToIssue(const Submission& submission, LaunchCode& code) const {
  bool isLong = true;
  const Result looked = guarded([&] { isLong = operations_.isSlowToIssue(*submission.operation, code); });
  if (!looked) code = {};  // issue() meets the same again
  return isLong;
}

void StreamQueue::submit(Submission& submission, std::vector<Dependency> after) {
  submission.link.data = after.empty() ? nullptr : new Details{.after = std::move(after)};
  accept(submission);
}

void StreamQueue::accept(Submission& submission) noexcept {
  gpu_->use();
  LaunchCode code;
  bool isLong = isSlowToIssue(submission, code);
  if (const Details* const details = detailsOf(submission))
    isLong |= !std::ranges::all_of(details->after, &Dependency::hasBeenIssued);
  std::unique_lock lock(mutex_);
  order_.add(submission);
  submission.link.owner.store(this, std::memory_order_release);
  if (isLong || order_.defers()) {
    order_.defer(submission);
    if (hasIssuer())
      deferred_.notify_one();
    else
      issueDeferredHere(lock);
    return;
  }
  const std::uint64_t place = submission.link.place;
  order_.takeTurn(lock, place);
  const std::size_t launches = Operations::launchesToBatch(*submission.operation, code);
  const bool isMuch = issue(lock, submission, code, order_.isInRow(launches), launches);
  order_.endTurn(place);
  order_.endSubmission();
  if (!isMuch) return;
  collect(lock);
  order_.endSubmission();  // what was retired took its time
}

IssueOrder::Clock::time_point StreamQueue::flush() {
  std::unique_lock lock(mutex_);
  return flush(lock);
}

IssueOrder::Clock::time_point StreamQueue::flush(std::unique_lock<std::mutex>& lock) {
  order_.endRow();
  const bool hasTurn = order_.takeTurnToFlush(lock);
  const auto last = order_.submittedAt();
  if (!hasTurn) return last;
  const bool isMuch = flushBatch(lock, LaunchBatch::Fill::Part);
  order_.endTurnToFlush();
  if (isMuch) collect(lock);
  return last;
}

void StreamQueue::flushOldBatch(std::unique_lock<std::mutex>& lock) {
  const auto& batch = order_.batch();
  if (batch.empty()) return;
  const std::uint64_t first = batch.front()->link.place;
  if (std::exchange(polled_.batch, first) != first || !order_.tryTurnToFlush()) return;
  order_.endRow();
  (void)flushBatch(lock, LaunchBatch::Fill::Part);
  order_.endTurnToFlush();
}

bool StreamQueue::hasIssuer() {
  if (issuer_.joinable()) return true;
  return static_cast<bool>(guarded([&] {
    const support::OwnThreadSignals signals;
    issuer_ = std::jthread([self = shared_from_this()](const std::stop_token& stop) { self->runIssuer(stop); });
  }));
}

void StreamQueue::runIssuer(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (deferred_.wait(lock, stop, [&] { return order_.hasDeferred(); })) issueDeferred(lock);
}

void StreamQueue::issueDeferredHere(std::unique_lock<std::mutex>& lock) {
  if (issuer_.joinable()) return;
  while (order_.hasDeferred()) issueDeferred(lock);
}

void StreamQueue::issueDeferred(std::unique_lock<std::mutex>& lock) {
  Submission& next = order_.claimDeferred(lock);
  (void)flushBatch(lock, LaunchBatch::Fill::Part);
  lock.unlock();
  if (const Details* const details = detailsOf(next))
    for (const Dependency& each : details->after) {
      StreamQueue& other = *each.queue;
      std::unique_lock others(other.mutex_);
      other.issueDeferredHere(others);
      other.changed_.wait(others, [&] { return each.hasBeenIssued(); });
    }
  gpu_->use();  // what was retired may have led this thread to another GPU
  LaunchCode code;
  (void)isSlowToIssue(next, code);
  lock.lock();
  const std::uint64_t place = next.link.place;
  (void)issue(lock, next, code, false, 0);
  order_.endDeferred(place);
  collect(lock);  // a read from the GPU has ended when it was issued
}

bool StreamQueue::issue(std::unique_lock<std::mutex>& lock, Submission& submission, const LaunchCode& code,
                        bool mayBatch, std::size_t launches) {
  std::unique_ptr<Details> details(detailsOf(submission));
  submission.link.data = nullptr;
  if (details) {
    std::erase_if(details->after, [](const Dependency& each) { return each.hasRetired(); });
    if (details->after.empty()) details = nullptr;
  }
  const bool isTimed = profiled_ && submission.timed;
  const bool isPlain = launches > 0 && !isTimed && !details;
  const bool hasEvent = Operations::isLongCopy(*submission.operation);
  const std::uint64_t place = submission.link.place;
  Issue issue{.mayBatch = mayBatch && isPlain && !ends_.nextHasEvent()};
  bool isMuch = false;
  if (!issue.mayBatch)
    (void)flushBatch(lock, LaunchBatch::Fill::Part);
  else if (!order_.hasRoom(launches))
    isMuch = flushBatch(lock, LaunchBatch::Fill::Full);
  issue.alone = isPlain && launches == 1 && !issue.mayBatch && ends_.executed() + 1 == place;
  issue.signals = ends_.kernelSignals();
  issue.number = ends_.nextKernelNumber();
  lock.unlock();
  start(submission, code, std::move(details), isTimed, issue);
  lock.lock();
  // Where it was refused, none is issued ahead of its place.
  if (issue.mayBatch && !issue.batched) (void)flushBatch(lock, LaunchBatch::Fill::Part);
  if (issue.end) ends_.noteKernelSignal(place, issue.end);
  retirement_.append(submission);
  // `submission` may end as soon as the mutex is unlocked.
  if (!issue.batched) return noteIssued(place, hasEvent) || isMuch;
  order_.addToBatch(submission, issue.batched);
  if (!order_.hasRoom(1)) isMuch |= flushBatch(lock, LaunchBatch::Fill::Full);
  return isMuch;
}

void StreamQueue::start(Submission& submission, const LaunchCode& code, std::unique_ptr<Details> details, bool isTimed,
                        Issue& issue) {
  if (details) {
    for (const Dependency& each : details->after) waitOnGpu(each);
    gpu_->use();  // an event of another GPU's stream is recorded with that GPU in use
  }
  Afterwards afterwards;
  TimedBy times;
  bool isOver = false;
  Result result = guarded([&] {
    if (isTimed) {
      if (!details) details = std::make_unique<Details>();
      details->submitted = support::hostTime();
      details->begin = completions_->event(true);
      details->end = completions_->event(true);
      times = {details->begin.get(), details->end.get()};
      issue.times = &times;
    }
    Result outcome = gpu_->state();
    if (outcome) outcome = made_;
    if (outcome) outcome = operations_.start(*submission.operation, code, afterwards, issue);
    if (!outcome) outcome = withLoss(std::move(outcome), submission);
    isOver = true;
    return outcome;
  });
  if (!isOver) (void)driver().streamSynchronize(stream_.get());                // the GPU may have a part of it
  if (isTimed && !result && details) details->begin = details->end = nullptr;  // they may not have been recorded
  keep(submission, std::move(details), std::move(result), std::move(afterwards));
}

void StreamQueue::keep(Submission& submission, std::unique_ptr<Details> details, Result result,
                       Afterwards afterwards) const {
  if (!details && (!result || afterwards)) {
    details.reset(new (std::nothrow) Details);
    if (!details) {
      (void)driver().streamSynchronize(stream_.get());  // of what `afterwards` has the GPU may be in the middle
      submission.link.flags = failedWithoutMemory;
      return;
    }
  }
  if (!details) return;
  details->failure = std::move(result);
  details->afterwards = std::move(afterwards);
  submission.link.data = details.release();
}

bool StreamQueue::noteIssued(std::uint64_t place, bool hasEvent) {
  const bool isMuch = ends_.noteIssued(place, hasEvent);
  changed_.notify_all();
  return isMuch;
}

bool StreamQueue::flushBatch(std::unique_lock<std::mutex>& lock, LaunchBatch::Fill fill) {
  if (order_.batch().empty()) return false;
  lock.unlock();
  gpu_->use();
  operations_.flushBatch(fill, [this](std::size_t index, CuResult answer) { refuse(index, answer); });
  lock.lock();
  return noteIssued(order_.clearBatch());
}

void StreamQueue::refuse(std::size_t index, CuResult answer) {
  const std::vector<Submission*>& batch = order_.batch();
  Submission& submission = *batch[index];
  const auto* const sequence = std::get_if<Sequence>(submission.operation);
  const auto first = static_cast<std::size_t>(std::ranges::find(batch, &submission) - batch.begin());
  const Launch& launch = sequence ? sequence->launches[index - first] : std::get<Launch>(*submission.operation);
  std::unique_ptr<Details> details(detailsOf(submission));
  const Result kept = guarded([&] {
    Result why = withLoss(Operations::refusalOf(launch, answer), submission);
    details = std::make_unique<Details>();
    details->failure = std::move(why);
  });
  const std::lock_guard lock(mutex_);
  if (!kept) submission.link.flags = failedWithoutMemory;
  submission.link.data = details.release();
}

Result StreamQueue::withLoss(Result refusal, const Submission& submission) const {
  if (const CuResult answer = driver().streamQuery(stream_.get()); answer != 0 && answer != cuNotReady) {
    std::vector<std::string> kernels;
    addKernel(submission, kernels);
    return completions_->failed(answer, std::move(kernels));
  }
  return refusal;
}

void StreamQueue::waitOnGpu(const Dependency& dependency) const {
  StreamQueue& other = *dependency.queue;
  EventRef event;
  {
    const std::lock_guard lock(other.mutex_);
    if (other.ends_.executed() >= dependency.place) return;
    event = other.ends_.eventBehind(dependency.place);
  }
  if (event)
    (void)driver().streamWaitEvent(stream_.get(), event.get(), 0);
  else
    (void)driver().streamSynchronize(other.stream_.get());  // the driver has no event
}

}  // namespace clarity::device::cuda
