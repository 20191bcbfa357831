// SPDX-License-Identifier: Apache-2.0
// This file is memory in which the GPU writes what has ended, for threads of the host that wait.
#pragma once

#include "device/cuda/memory.h"

#include <atomic>
#include <cstdint>

namespace clarity::device::cuda {

/// A number that the GPU writes when something has ended, and where; without a place nothing is written. Numbers of one
/// place grow by one.
struct EndSignal {
  const std::atomic<std::uint32_t>* word = nullptr;
  std::uint32_t number = 0;

  explicit operator bool() const { return word != nullptr; }
  bool isWritten() const { return static_cast<std::int32_t>(word->load(std::memory_order_acquire) - number) >= 0; }
};

/// The memory of one stream of the driver. The context is in use (Gpu::use) when it is made.
class EndSignals {
public:
  explicit EndSignals(const Gpu&);
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  /// There is memory for streamEnd().
  explicit operator bool() const { return words_ != nullptr; }
  /// The driver writes it behind what was issued to the stream.
  EndSignal streamEnd(std::uint32_t number) const { return {&words_->stream, number}; }
  /// A kernel writes it; only if kernels may.
  EndSignal kernelEnd(std::uint32_t number) const { return {&words_->kernel, number}; }
  bool ofKernels() const { return ofKernels_; }
  /// The address of a signal's number for the GPU: pinned memory has one address for the host and the GPU.
  static CuPointer addressOf(const EndSignal& signal) { return reinterpret_cast<std::uintptr_t>(signal.word); }

private:
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
  struct Words {
    alignas(64) std::atomic<std::uint32_t> stream{0};
    alignas(64) std::atomic<std::uint32_t> kernel{0};
  };

  Words* words_ = nullptr;  ///< pinned memory
  bool ofKernels_;
};

}  // namespace clarity::device::cuda
