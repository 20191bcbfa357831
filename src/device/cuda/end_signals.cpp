// SPDX-License-Identifier: Apache-2.0
// This file allocates the memory of a stream's signals.
#include "device/cuda/end_signals.h"

#include <new>
#include <utility>

namespace clarity::device::cuda {

EndSignals::EndSignals(std::shared_ptr<const Gpu> gpu, CuStream stream) : gpu_(std::move(gpu)) {
  void* memory = nullptr;
  if (driver().memAllocHost(&memory, sizeof(Words)) != 0) return;
  words_ = new (memory) Words;
  // Where memory cannot go to the host while a kernel runs, the host may access it only after the driver knows that the
  // kernel has ended.
  if (!movesMemory(*gpu_) || driver().memAlloc(&endedBlocks_, sizeof(std::uint32_t)) != 0) return;
  if (driver().memsetD32Async(endedBlocks_, 0, 1, stream) == 0) return;
  (void)driver().memFree(std::exchange(endedBlocks_, 0));
}

EndSignals::~EndSignals() {
  if (endedBlocks_) (void)driver().memFree(endedBlocks_);
  if (words_) (void)driver().memFreeHost(words_);
}

}  // namespace clarity::device::cuda
