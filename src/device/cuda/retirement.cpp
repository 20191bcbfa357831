// SPDX-License-Identifier: Apache-2.0
// This file ends operations that the GPU has executed.
#include "device/cuda/retirement.h"

#include "device/cuda/end_tracker.h"
#include "device/cuda/stream_queue.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>
#include <variant>

namespace clarity::device::cuda {

bool Dependency::hasBeenIssued() const { return queue->hasIssued(place); }
bool Dependency::hasRetired() const { return queue->hasRetired(place); }

Retirement::Retirement(std::shared_ptr<const Gpu> gpu, std::shared_ptr<Completions> completions)
    : gpu_(std::move(gpu)), completions_(std::move(completions)) {}

void Retirement::append(Submission& submission) {
  (last_ ? last_->link.next : first_) = &submission;
  last_ = &submission;
  completions_->noteIssued();
}

const Dependency* Retirement::missing() const {
  const Details* const details = first_ ? detailsOf(*first_) : nullptr;
  if (!details) return nullptr;
  const auto found = std::ranges::find_if_not(details->after, &Dependency::hasRetired);
  return found == details->after.end() ? nullptr : &*found;
}

bool Retirement::canRetire(const Submission& submission, const EndTracker& ends) const {
  return submission.link.place <= ends.executed() && !missing();
}

bool Retirement::retire(std::unique_lock<std::mutex>& lock, const EndTracker& ends) {
  if (isRetiring_ || !first_ || !canRetire(*first_, ends)) return false;
  isRetiring_ = true;
  retiring_ = std::this_thread::get_id();
  std::size_t count = 0;
  for (; first_ && canRetire(*first_, ends); ++count) {
    Submission& submission = *first_;
    const std::uint64_t place = submission.link.place;
    first_ = submission.link.next;
    if (!first_) last_ = nullptr;
    lock.unlock();
    complete(submission, ends);
    lock.lock();
    retired_.store(place, std::memory_order_release);
  }
  completions_->noteRetired(count);
  isRetiring_ = false;
  return true;
}

void Retirement::complete(Submission& submission, const EndTracker& ends) const {
  const std::unique_ptr<Details> details(detailsOf(submission));
  submission.link.data = nullptr;
  Times times;
  Result result = guarded([&] {
    if (submission.link.flags & failedWithoutMemory) throw std::bad_alloc();
    Result outcome = outcomeOf(submission, details.get(), ends.failure());
    if (details && details->begin) times = completions_->timesBetween(details->begin, details->end, details->submitted);
    return outcome;
  });
  submission.complete(std::move(result), times);
}

Result Retirement::outcomeOf(const Submission& submission, Details* details, CuResult failure) const {
  Result result;
  if (details) result = std::move(details->failure);
  if (result && failure != 0) {
    std::vector<std::string> kernels;
    addKernel(submission, kernels);
    result = completions_->failed(failure, std::move(kernels));
  }
  if (result) result = gpu_->state();
  if (!details || !details->afterwards) return result;
  gpu_->use();
  if (result) result = details->afterwards();
  details->afterwards = nullptr;
  return result;
}

void Retirement::addKernels(std::vector<std::string>& names) const {
  for (const Submission* each = first_; each; each = each->link.next) addKernel(*each, names);
}

void addKernel(const Submission& submission, std::vector<std::string>& names) {
  if (const auto* launch = std::get_if<Launch>(submission.operation)) names.push_back(launch->info->name);
  if (const auto* sequence = std::get_if<Sequence>(submission.operation))
    for (const Launch& each : sequence->launches) names.push_back(each.info->name);
}

}  // namespace clarity::device::cuda
