// SPDX-License-Identifier: Apache-2.0
// This file chooses the stream queue of each operation.
#include "device/cuda/stream.h"

#include <algorithm>
#include <utility>

namespace clarity::device::cuda {

CudaStream::CudaStream(std::shared_ptr<const Gpu> gpu, std::shared_ptr<Completions> completions,
                       std::shared_ptr<Staging> staging, std::size_t printfBytes, const StreamOptions& options)
    : gpu_(std::move(gpu)),
      completions_(std::move(completions)),
      staging_(std::move(staging)),
      printfBytes_(printfBytes),
      options_(options) {
  (void)queue(0);
}

CudaStream::~CudaStream() {
  for (const std::shared_ptr<StreamQueue>& each : queues_)
    if (each) each->close();
}

const std::shared_ptr<StreamQueue>& CudaStream::queue(std::size_t index) {
  std::shared_ptr<StreamQueue>& queue = queues_[index];
  if (queue) return queue;
  auto made = std::make_shared<StreamQueue>(gpu_, completions_, staging_, printfBytes_, options_.profiled);
  if (!made->made() && index > 0) return queues_[0];  // the driver has no more streams
  completions_->add(made);
  return queue = std::move(made);
}

std::size_t CudaStream::chooseQueue(Direction direction, std::span<Submission* const> after) {
  if (direction != Direction::Here) return direction == Direction::ToGpu ? toGpu : fromGpu;
  // Behind the operation that it comes after, if that is the last of its stream queue: the GPU then needs no event.
  for (std::size_t i = 0; i < kernelQueues; ++i)
    for (const Submission* earlier : after)
      if (queues_[i] && StreamQueue::of(*earlier) == queues_[i].get() &&
          earlier->link.place == queues_[i]->lastSubmitted())
        return i;
  for (std::size_t i = 0; i < kernelQueues; ++i)
    if (!queues_[i] || queues_[i]->isIdle()) return i;
  return next_++ % kernelQueues;
}

void CudaStream::submit(Submission& submission, Start, std::span<Submission* const> after) {
  Result result = Driver::ofThisProcess();
  if (result) [[likely]]
    result = guarded([&] { submitToQueue(submission, after); });
  if (!result) submission.complete(std::move(result), {});
}

void CudaStream::submitToQueue(Submission& submission, std::span<Submission* const> after) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (options_.outOfOrder) lock.lock();
  const std::size_t index = options_.outOfOrder ? chooseQueue(directionOf(*submission.operation), after) : 0;
  const std::shared_ptr<StreamQueue> chosen = queue(index);
  if (options_.outOfOrder) lock.unlock();
  std::vector<Dependency> others;
  for (const Submission* earlier : after) {
    StreamQueue* const its = StreamQueue::of(*earlier);
    if (!its || its == chosen.get() || its->hasRetired(earlier->link.place)) continue;
    its->flush(earlier->link.place);
    others.push_back({its->shared_from_this(), earlier->link.place});
  }
  chosen->submit(submission, std::move(others));
}

Result CudaStream::made() const {
  if (!gpu_->state()) return {};  // its operations will say why it is lost
  return queues_[0]->made();
}

void CudaStream::flush() {
  for (std::size_t i = 0; i < queueCount; ++i) {
    std::shared_ptr<StreamQueue> each;
    {
      const std::lock_guard lock(mutex_);
      each = queues_[i];
    }
    if (each) each->flush(each->lastSubmitted());
  }
}

void CudaStream::help(const Submission& awaited) {
  if (StreamQueue* const its = StreamQueue::of(awaited)) return its->wait(awaited.link.place, awaited);
  // It has no operation yet: it may depend on what is under way here.
  for (bool any = true; any && !awaited.ended();) {
    any = false;
    for (std::size_t i = 0; i < queueCount; ++i) {
      std::shared_ptr<StreamQueue> each;
      {
        const std::lock_guard lock(mutex_);
        each = queues_[i];
      }
      if (!each || each->isIdle()) continue;
      any = true;
      each->wait(each->lastSubmitted(), awaited);
    }
  }
}

}  // namespace clarity::device::cuda
