// SPDX-License-Identifier: Apache-2.0
// This file declares the functions that generated code calls for device-side enqueue (OpenCL C 3.0, section 6.15.18;
// builtins/device_queue). The JIT resolves the symbols; the CPU device defines them (device/cpu/enqueue_hooks.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

/// The index space of a block as opencl-c-base.h defines it; a local size of 0 is chosen by the device.
struct EnqueueRange {
  std::uint32_t dims;
  std::size_t offset[3], global[3], local[3];
};

/// A block to be enqueued. Read during the call only.
struct EnqueueRequest {
  std::uint64_t queue;
  const EnqueueRange* range;
  const void* literal;  ///< the structure with the block's captured values, as large as the kernel's first argument
  const std::uint64_t* waits;
  std::uint64_t* event;  ///< null: none is wanted
  const std::size_t* localSizes;
  std::uint32_t block;  ///< number of the block's kernel in its compiled program
  std::uint32_t flags, waitCount, localCount;
  std::uint32_t hasEvents;  ///< `waits` and `event` are arguments of the call
};

/// Facts that kernels ask for about blocks.
enum class BlockFact : std::uint32_t {
  LargestGroup,
  PreferredMultiple,
  SubGroupSize,   ///< the largest of a range
  SubGroupCount,  ///< sub-groups of a work-group of a range
  MostSubGroups,
  FullSubGroup,
};

extern "C" {

// `parent` is LaunchInfo::parent. Results are those of the functions of OpenCL C, events and command-queues numbers.
std::int32_t __clarity_enqueue_kernel(void* parent, const EnqueueRequest* request);
std::int32_t __clarity_enqueue_marker(void* parent, std::uint64_t queue, std::uint32_t count,
                                      const std::uint64_t* waits, std::uint64_t* event);
std::uint64_t __clarity_default_queue(void* parent);
std::uint64_t __clarity_create_event(void* parent);
void __clarity_retain_event(void* parent, std::uint64_t event);
void __clarity_release_event(void* parent, std::uint64_t event);
std::uint32_t __clarity_is_event(void* parent, std::uint64_t event);
void __clarity_set_event(void* parent, std::uint64_t event, std::int32_t status);
void __clarity_profile_event(void* parent, std::uint64_t event, std::int32_t name, std::uint64_t* value);
std::uint32_t __clarity_block_fact(void* parent, std::uint32_t block, BlockFact what, const EnqueueRange* range);

}  // extern "C"
