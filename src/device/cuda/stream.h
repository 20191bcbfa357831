// SPDX-License-Identifier: Apache-2.0
// This file divides the operations of a command-queue among stream queues.
#pragma once

#include "device/cuda/stream_queue.h"
#include "device/stream.h"

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace clarity::device::cuda {

/// An in-order command-queue has one stream queue. Operations of an out-of-order one that are not ordered run at the
/// same time: kernels in several stream queues, copies to the GPU and from it in one each.
class CudaStream final : public Stream {
public:
  CudaStream(std::shared_ptr<const Gpu>, std::shared_ptr<Completions>, std::shared_ptr<Staging>,
             std::size_t printfBytes, const StreamOptions&);
  ~CudaStream() override;

  void submit(Submission&, Start, std::span<Submission* const> after) override;
  void flush() override;
  void help(const Submission& awaited) override;
  Result made() const override;

private:
  static constexpr std::size_t kernelQueues = 4, toGpu = kernelQueues, fromGpu = kernelQueues + 1,
                               queueCount = kernelQueues + 2;

  /// Chooses its stream queue and submits it there; an exception if it has not been.
  void submitToQueue(Submission&, std::span<Submission* const> after);
  std::size_t chooseQueue(Direction, std::span<Submission* const> after);
  const std::shared_ptr<StreamQueue>& queue(std::size_t index);

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<Completions> completions_;
  std::shared_ptr<Staging> staging_;
  std::size_t printfBytes_;
  StreamOptions options_;
  std::mutex mutex_;  ///< guards what follows, of out-of-order command-queues
  std::array<std::shared_ptr<StreamQueue>, queueCount> queues_;  ///< made when first needed; the first one at once
  std::size_t next_ = 0;                                         ///< stream queue of the next kernel
};

}  // namespace clarity::device::cuda
