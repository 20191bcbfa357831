// SPDX-License-Identifier: Apache-2.0
// This file holds what the commands on shared virtual memory and on unified shared memory have in common: they name
// memory by its address, which may be any that the host has.
#pragma once

#include "api/enqueue.h"

#include <CL/cl.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace clarity::api {

/// CL_INVALID_OPERATION if the command-queue's device shares no memory with the host by address.
void requireShared(const sched::Queue& queue);

/// CL_INVALID_VALUE for an alignment that is no power of two up to the size of the largest data type, and
/// CL_INVALID_BUFFER_SIZE for a size that is 0 or above CL_DEVICE_MAX_MEM_ALLOC_SIZE.
void requireAllocatable(const core::Device& device, std::size_t size, cl_uint alignment);
/// The same for every device of the context that shares memory with the host by address.
void requireAllocatable(const core::Context& context, std::size_t size, cl_uint alignment);

/// The commands of one entry point: the types that clGetEventInfo tells, and the names of its arguments for texts.
struct SharedTransfer {
  cl_command_type type;
  const char* to;
  const char* from;
  bool mayBeNull = false;  ///< pointers, where there are no bytes (cl_khr_unified_svm)
};

/// The end of a transfer that the application calls the host's: memory of the host, or a part of an allocation that a
/// device alone has (clDeviceMemAllocINTEL), which is then added to `uses`. SYCL copies from buffers to such memory by
/// clEnqueueReadBuffer. CL_INVALID_VALUE if the bytes reach beyond the allocation.
device::Location hostEnd(sched::Queue& queue, const char* name, const void* address, std::size_t bytes,
                         core::Access access, core::MemoryUses& uses);

/// Copies between any two places. CL_INVALID_OPERATION as requireShared(), CL_INVALID_VALUE if one is null and may not
/// be, or if it is in an allocation of the context and the bytes reach beyond it; CL_MEM_COPY_OVERLAP if they overlap.
std::unique_ptr<sched::Command> sharedCopy(sched::Queue& queue, const SharedTransfer& names, void* to, const void* from,
                                           std::size_t bytes);

/// Fills a place with a pattern. CL_INVALID_OPERATION as requireShared(), CL_INVALID_VALUE if a pointer is null and may
/// not be, the pattern's size is no power of two up to 128, the place is not aligned to it or the bytes are no multiple
/// of it, or reach beyond an allocation of the context.
std::unique_ptr<sched::Command> sharedFill(sched::Queue& queue, const SharedTransfer& names, void* to,
                                           const void* pattern, std::size_t patternBytes, std::size_t bytes);

/// A command that does nothing but keep its place in the order and the memory at an address, which may be any.
std::unique_ptr<sched::Command> sharedOrder(sched::Queue& queue, cl_command_type type,
                                            const std::vector<const void*>& addresses);

/// A part of an allocation.
struct SharedPart {
  const void* address;
  std::size_t bytes;  ///< 0: to the end of the allocation
};
/// As sharedOrder(), and the parts go where they will be used next, on devices whose memory is apart from the host's.
std::unique_ptr<sched::Command> sharedMove(sched::Queue& queue, cl_command_type type,
                                           const std::vector<SharedPart>& parts, bool toHost);

/// CL_INVALID_VALUE if migration flags have unknown bits.
void requireMigrationFlags(cl_mem_migration_flags flags);

}  // namespace clarity::api
