// SPDX-License-Identifier: Apache-2.0
// This file is the contract between generated code and the CPU device that calls it: plain structs whose offsets
// the compiler emits loads from (compiler/passes/make_entry.cpp). No LLVM, no OpenCL object.
#pragma once

#include "compiler/ir/image_descriptor.h"

#include <cstddef>
#include <cstdint>

namespace clarity::compiler {

/// Values that stay the same during one launch (OpenCL 3.0, section 3.2.1: the NDRange).
struct LaunchInfo {
  std::uint64_t globalOffset[3];
  std::uint64_t globalSize[3];         ///< work-items; 1 in dimensions beyond workDim
  std::uint64_t enqueuedLocalSize[3];  ///< the work-group size; groups at the upper edges may be smaller
  std::uint64_t numGroups[3];
  std::uint64_t workDim;
  void* printfSink;  ///< passed on to __clarity_printf
  void* parent;      ///< passed on to the hooks of device-side enqueue (support/enqueue_hooks.h)
};

/// A half-open box of the NDRange that one call executes: of work-group ids or, if the kernel is *group-agnostic*, of
/// global ids without the global offset.
struct Slice {
  std::uint64_t begin[3];
  std::uint64_t end[3];
};

/// A launch whose offset plus global size reaches this in some dimension needs code with 64-bit ids and counters
/// (Shape::wideIds). Half of 2^31, so that the sum of two ids, or of an id and a smaller constant, is still a positive
/// int (NarrowIndicesPass).
inline constexpr std::uint64_t wideIdsFrom = std::uint64_t{1} << 30;

/// The most work-items that run together of a slice without work-groups whose work-items carry something from one part
/// of the kernel to the next.
inline constexpr std::uint64_t maxChunkItems = 4096;

/// Local memory and the barrier spill area are read and written in whole vectors, as no other thread observes them
/// meanwhile: code may touch so many bytes before and behind them, where it leaves everything as it is. derived: 32
/// lanes of 8 bytes.
inline constexpr std::uint64_t localBeside = 256;
/// Bytes behind local memory, `localBeside` included. The rest is for kernels in which all work-items of a work-group
/// read an element, those included that do not need it and have none: GPUs, for which such kernels are written, have no
/// end of local memory there.
inline constexpr std::uint64_t localBehind = 1024;

/// Memory of the worker that makes the call, reused from one work-group to the next. Both 64-byte aligned.
struct WorkerMemory {
  std::byte* local;  ///< the kernel's local memory: its own variables, then the __local arguments; `localBehind` bytes
                     ///< are behind it
  std::byte* spill;  ///< private values that live across a barrier
  std::uint64_t localBytes;  ///< bytes of a work-group, a multiple of 64
  std::uint64_t groups;      ///< how many work-groups there is memory for: so many run together where code does that
};

/// Executes all work-items of the slice. `args` is the packed argument block: every argument at its natural
/// alignment in order (KernelArg::offset); a buffer is its address, a __local argument its byte offset in
/// WorkerMemory::local as 64 bits, an image its ImageDescriptor, a sampler its SamplerBits.
using Entry = void (*)(const std::byte* args, const LaunchInfo* launch, const Slice* slice, const WorkerMemory* memory);

}  // namespace clarity::compiler
