// SPDX-License-Identifier: Apache-2.0
// This file is a thread's copies of the buffers that a kernel only counts in (compiler::Reduction): histograms and
// sums, whose cache lines would move between processors with every atomic function.
#pragma once

#include "device/arg_block.h"
#include "device/executable.h"
#include "support/fault_guard.h"
#include "support/inline_vector.h"

#include <cstddef>
#include <cstdint>

namespace clarity::device::cpu {

/// A buffer that the kernel only counts in, and that no other argument of the launch overlaps.
struct ReductionBuffer {
  std::uint32_t argument = 0;  ///< index in KernelInfo::args
  std::uint64_t bytes = 0;
};

/// All buffers of a launch that its kernel counts in.
using Reductions = support::InlineVector<ReductionBuffer, 2>;

/// The address of a buffer: that of its allocation or, for memory that the host cannot access, that in the argument
/// block.
std::uint64_t addressOf(const Launch&, const BufferArgument&);

/// The reductions of a launch of a kernel that has some; none if one of them cannot be copied: it overlaps another
/// argument, or begins at an address that is not aligned for its integers (the host's memory may begin anywhere).
Reductions reductionsOf(const Launch&);

/// The copies that a thread counts in between begin() and merge(). A thread has one at a time.
class PrivateReductions {
public:
  /// Whether a launch on so many threads counts so often that beginning and merging copies costs little beside it. Then
  /// its code is compiled for copies (compiler::Shape::privateReductions) and must have them.
  static bool areWorth(const Launch&, const Reductions&, unsigned threads);

  PrivateReductions(const Launch& launch, const Reductions& reductions) : launch_(launch), reductions_(reductions) {}
  PrivateReductions(const PrivateReductions&) = delete;

  /// Copies in which nothing is counted yet; false when there is no memory for them.
  bool begin();
  /// The launch's argument block with the addresses of the copies in it.
  const std::byte* args() const { return args_.data(); }
  /// Adds what was counted to the buffers, atomically, because other threads merge too. False after a fault: memory of
  /// the application that is gone.
  bool merge(support::Fault&) const;

private:
  const Launch& launch_;
  const Reductions& reductions_;
  ArgBlock args_;
  std::byte* copies_ = nullptr;  ///< one after the other, each at a multiple of `alignment`
};

}  // namespace clarity::device::cpu
