// SPDX-License-Identifier: Apache-2.0
// This file is the contract between PTX kernels and the device that launches them: what follows the kernel's own
// arguments in the parameter buffer. Plain data; no LLVM, no CUDA.
#pragma once

#include <cstdint>

namespace clarity::compiler::nvptx {

/// Blocks that a grid has at most in each dimension. Larger launches run in parts (LaunchInfo::firstGroup).
inline constexpr std::uint64_t largestGrid[3] = {0x7fffffff, 0xffff, 0xffff};

/// The last parameter of every kernel, at the next multiple of 8 bytes behind its own. The device's grid is
/// `numGroups`, or a part of it that begins at `firstGroup`.
struct LaunchInfo {
  std::uint64_t globalOffset[3];
  std::uint64_t globalSize[3];  ///< work-items
  std::uint64_t enqueuedLocalSize[3];
  std::uint64_t numGroups[3];
  std::uint64_t firstGroup[3];  ///< group id of the grid's first block; only read by code for large ids
  std::uint64_t variables;      ///< address of the program's block of variables in global memory
  std::uint64_t printfBuffer;   ///< address of the printf buffer (printf.h), or 0
  std::uint64_t workDim;
};

}  // namespace clarity::compiler::nvptx
