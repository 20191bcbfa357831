// SPDX-License-Identifier: Apache-2.0
// This file chooses the sequences of operations.
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
  (void)sequence(0);
}

CudaStream::~CudaStream() {
  for (const std::shared_ptr<Sequence>& each : sequences_)
    if (each) each->close();
}

const std::shared_ptr<Sequence>& CudaStream::sequence(std::size_t index) {
  std::shared_ptr<Sequence>& sequence = sequences_[index];
  if (!sequence) {
    sequence = std::make_shared<Sequence>(gpu_, completions_, staging_, printfBytes_, options_.profiled);
    completions_->add(sequence);
  }
  return sequence;
}

std::size_t CudaStream::chooseSequence(Way way, std::span<Submission* const> after) {
  if (way != Way::Here) return way == Way::ToGpu ? toGpu : fromGpu;
  // Behind the operation that it comes after, if that is the last of its sequence: the GPU then needs no event.
  for (std::size_t i = 0; i < kernelSequences; ++i)
    for (const Submission* earlier : after)
      if (sequences_[i] && Sequence::of(*earlier) == sequences_[i].get() &&
          earlier->link.place == sequences_[i]->lastSubmitted())
        return i;
  for (std::size_t i = 0; i < kernelSequences; ++i)
    if (!sequences_[i] || sequences_[i]->isIdle()) return i;
  return next_++ % kernelSequences;
}

void CudaStream::submit(Submission& submission, Start, std::span<Submission* const> after) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (options_.outOfOrder) lock.lock();
  const std::size_t index = options_.outOfOrder ? chooseSequence(wayOf(*submission.operation), after) : 0;
  const std::shared_ptr<Sequence> chosen = sequence(index);
  if (options_.outOfOrder) lock.unlock();
  std::vector<Sequence::Earlier> others;
  for (const Submission* earlier : after) {
    Sequence* const its = Sequence::of(*earlier);
    if (its && its != chosen.get() && !its->hasEnded(earlier->link.place))
      others.push_back({its->shared_from_this(), earlier->link.place});
  }
  chosen->submit(submission, std::move(others));
}

void CudaStream::help(const Submission& awaited) {
  if (Sequence* const its = Sequence::of(awaited)) return its->wait(awaited.link.place, awaited);
  // It has no operation yet: it may depend on what is under way here.
  for (bool any = true; any && !awaited.ended();) {
    any = false;
    for (std::size_t i = 0; i < sequenceCount; ++i) {
      std::shared_ptr<Sequence> each;
      {
        const std::lock_guard lock(mutex_);
        each = sequences_[i];
      }
      if (!each || each->isIdle()) continue;
      any = true;
      each->wait(each->lastSubmitted(), awaited);
    }
  }
}

}  // namespace clarity::device::cuda
