// SPDX-License-Identifier: Apache-2.0
// This file is the contract between PTX kernels and the device that launches them: what follows the kernel's own
// arguments in the parameter buffer. Plain data; no LLVM, no CUDA.
#pragma once

#include <cstdint>

namespace clarity::compiler::nvptx {

/// A launch whose ids reach this in some dimension, those of blocks that reach beyond the range too, needs code with
/// 64-bit ids (Shape::wideIds). The sum of an id and a constant of 16 bits is still a positive int.
inline constexpr std::uint64_t wideIdsFrom = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 16);

/// Blocks that a grid has at most in each dimension. Larger launches run in parts (LaunchInfo::firstGroup).
inline constexpr std::uint64_t largestGrid[3] = {0x7fffffff, 0xffff, 0xffff};

/// The bytes of all parameters of a kernel together, LaunchInfo included: those of all GPUs, and those of GPUs that
/// take more (firstWithLongParameters).
inline constexpr std::uint64_t mostParameterBytes = 4096, mostLongParameterBytes = 32764;

/// The bytes of a work-item's private variables that are in memory: the local memory of a thread.
inline constexpr std::uint64_t mostPrivateBytes = 512u << 10;

/// A kernel's local memory begins so many bytes into its dynamic shared memory, whose first address may be 0, which is
/// a null pointer.
inline constexpr std::uint64_t localBefore = 128;

/// The symbol of the kernel of every module.
inline constexpr char kernelSymbol[] = "clarity_kernel";

/// The dynamic shared memory of every module.
inline constexpr char localSymbol[] = "clarity_local";

/// A constant of every module whose program has variables in global memory: 64 bits, the address of their block.
inline constexpr char variablesSymbol[] = "clarity_variables";

/// The last parameter of every kernel. The device's grid is
/// `numGroups`, or a part of it that begins at `firstGroup`.
struct LaunchInfo {
  std::uint64_t globalOffset[3];  ///< the offset of the grid's first work-item
  std::uint64_t enqueuedLocalSize[3];
  // As work-items see them: of a launch that is divided among devices, those of the whole.
  std::uint64_t seenOffset[3];
  std::uint64_t globalSize[3];  ///< work-items
  std::uint64_t numGroups[3];
  std::uint64_t groupsBefore[3];  ///< work-groups of other devices; read by code for parts of launches (Shape::part)
  std::uint64_t firstGroup[3];    ///< group id of the grid's first block; not read by code for a work-group size and
                                  ///< ids of 32 bits
  std::uint64_t printfBuffer;     ///< address of the printf buffer (printf.h), or 0
  std::uint64_t workDim;
  std::uint64_t localBytes;  ///< bytes of a work-group; from one to the next where a block executes several
  // Read by code that tells its end (signal_end.h).
  std::uint64_t endFlag;    ///< address of 32 bits that the host reads; 0 in launches that do not tell their end
  std::uint64_t endNumber;  ///< its lower 32 bits are written to the flag
};

}  // namespace clarity::compiler::nvptx
