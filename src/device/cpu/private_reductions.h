// SPDX-License-Identifier: Apache-2.0
// This file is a thread's copies of the buffers that a kernel only counts in (compiler::Reduction): histograms and sums, which threads
// would take from each other's cache with every atomic function.
#pragma once

#include "device/arg_block.h"
#include "device/executable.h"
#include "support/fault_guard.h"

#include <cstddef>
#include <cstdint>

namespace clarity::device::cpu {

/// What a thread counts between begin() and merge(). A thread has one at a time.
class PrivateReductions {
public:
  /// Whether a launch on so many threads counts so often that beginning and merging copies does not matter. Then its code is made for copies
  /// (compiler::Shape::privateReductions) and must have them.
  static bool areWorth(const Launch&, unsigned threads);

  explicit PrivateReductions(const Launch& launch) : launch_(launch) {}
  PrivateReductions(const PrivateReductions&) = delete;

  /// Copies that say nothing yet; false when there is no memory for them.
  bool begin();
  /// The launch's argument block with the copies in it.
  const std::byte* args() const { return args_.data(); }
  /// Brings what was counted to the buffers, where other threads may be at it too. False after a fault: memory of the application's that
  /// is gone.
  bool merge(support::Fault&) const;

private:
  const Launch& launch_;
  ArgBlock args_;
  std::byte* copies_ = nullptr;  ///< one after the other, each at a multiple of `alignment`
};

}  // namespace clarity::device::cpu
