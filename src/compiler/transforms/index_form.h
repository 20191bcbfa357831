// SPDX-License-Identifier: Apache-2.0
// This file describes the one form of index arithmetic that the analyses (variance.h, affine.h, no_wrap.h) read, for
// all back ends. NarrowIndicesPass brings sums into it, narrowCounters() the counters of loops.
//
//   ids        a query of 64 bits, or where WorkItemLoopsPass counts in 32 bits, its counter and one `zext` of it
//   counters   of the width that the program gave them; the extension that leads to an address is not that which is
//              compared
//   sums       of `int` in 32 bits, under one extension, which is `sext` or `zext` as the program means it; the
//              factor that makes bytes of an index comes behind the extension
//   operations `add` for sums without carry (not `or`), `sub` for `n - x` (not `xor`), `zext (trunc)` for the lower
//   half
//
// LLVM prefers other forms: sums of `int` in the upper half of 64 bits, between shifts; bit operations for sums;
// counters of 64 bits that are truncated wherever they are used. All hide by how much work-items differ.
#pragma once

namespace llvm {
class Loop;
}

namespace clarity::compiler {

/// Differences between targets.
struct IndexForm {
  /// Ids are below `wideIdsFrom` (kernel_abi.h), so that the sum of two of them, or of one and a small constant, is an
  /// `int`: such sums get flags, and arithmetic of `size_t` on ids of 32 bits has 32 bits, too.
  bool idsFitInt = false;
};

/// Lanes of packets: half as many bits are twice as many lanes.
inline constexpr IndexForm formOfPackets{.idsFitInt = true};
/// Threads of a GPU have registers of 32 bits and launches whose ids may have more.
inline constexpr IndexForm formOfThreads{.idsFitInt = false};

/// Moves what every iteration computes alike ahead of an innermost loop in which work-items do not meet, and gives
/// counters of innermost loops, and of those in which they meet, their form. Returns whether anything changed.
bool narrowCounters(llvm::Loop& loop);

}  // namespace clarity::compiler
