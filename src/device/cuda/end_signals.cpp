// SPDX-License-Identifier: Apache-2.0
// This file allocates the memory of a stream's signals.
#include "device/cuda/end_signals.h"

#include <new>

namespace clarity::device::cuda {

// Where memory cannot go to the host while a kernel runs, the host may access it only when the driver knows that the
// kernel has ended.
EndSignals::EndSignals(const Gpu& gpu) : ofKernels_(movesMemory(gpu)) {
  void* memory = nullptr;
  if (driver().memAllocHost(&memory, sizeof(Words)) == 0) words_ = new (memory) Words;
  ofKernels_ &= words_ != nullptr;
}

EndSignals::~EndSignals() {
  if (words_) (void)driver().memFreeHost(words_);
}

}  // namespace clarity::device::cuda
