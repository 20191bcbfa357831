// SPDX-License-Identifier: Apache-2.0
// This file holds the steps that all enqueue functions share: wait list, event, blocking.
#pragma once

#include "api/handle.h"
#include "sched/command.h"
#include "sched/event.h"
#include "sched/queue.h"

#include <CL/cl.h>

#include <memory>
#include <vector>

namespace clarity::api {

using WaitList = std::vector<Ref<sched::Event>>;

/// CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue: one on the device is none.
inline sched::Queue& hostQueue(cl_command_queue command_queue) {
  sched::Queue& queue = ref<sched::Queue>(command_queue);
  failIf(queue.isOnDevice(), CL_INVALID_COMMAND_QUEUE, "command_queue {} is on the device: only kernels enqueue to it",
         static_cast<const void*>(command_queue));
  return queue;
}

/// The command-queue and the wait list of an enqueue function, checked.
struct EnqueueCall {
  sched::Queue& queue;
  WaitList waitList;

  EnqueueCall(cl_command_queue command_queue, cl_uint num_events_in_wait_list, const cl_event* event_wait_list)
      : queue(hostQueue(command_queue)),
        waitList(waitListOf(queue.context(), num_events_in_wait_list, event_wait_list)) {}

  /// Enqueues a command and returns its event if the application wants it.
  void enqueue(cl_event* event, std::unique_ptr<sched::Command> command, sched::Order order = sched::Order::Normal) {
    enqueueBlocking(CL_FALSE, event, std::move(command), order);
  }
  /// The same; with `blocking` returns when the command has ended, with its error if it has one.
  void enqueueBlocking(cl_bool blocking, cl_event* event, std::unique_ptr<sched::Command> command,
                       sched::Order order = sched::Order::Normal);

  /// Maps a region and enqueues the command that makes it valid: clEnqueueMapBuffer, clEnqueueMapImage.
  /// CL_INVALID_OPERATION if regions overlap that are mapped for writing.
  void* map(cl_command_type type, cl_bool blocking, cl_event* event, core::Memory& memory,
            const core::Rectangle& region, cl_map_flags flags);

  /// Returns an event of which the application has a reference, or gives up that reference.
  static void handOut(sched::Event& enqueued, cl_event* event);

private:
  /// Returns when a command has ended, with its error if it has one.
  void waitFor(sched::Event& enqueued);
};

/// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the execution status of any of the events is a negative integer
/// value.
void requireNoFailure(const WaitList& waitList);

/// A memory object of an enqueue function: CL_INVALID_MEM_OBJECT, and CL_INVALID_CONTEXT if it is not of the
/// command-queue's context.
core::Memory& memoryOf(const sched::Queue& queue, cl_mem memory, const char* name);

/// The same for what must be a buffer: CL_INVALID_MEM_OBJECT for an image.
core::Memory& bufferOf(const sched::Queue& queue, cl_mem memory, const char* name);

/// The same for what must be an image, and what core::requireSupport() says of the command-queue's device.
core::Memory& imageOf(const sched::Queue& queue, cl_mem memory, const char* name);

/// CL_INVALID_OPERATION if the memory object was created so that the host may not read (write) it, or nothing may write
/// it; `forbidding` is CL_MEM_HOST_WRITE_ONLY (CL_MEM_HOST_READ_ONLY).
void requireHostAccess(const core::Memory& memory, cl_mem_flags forbidding, const char* what);

/// Host memory of a transfer: CL_INVALID_VALUE if ptr is NULL, or if so many bytes reach beyond the last address.
void requireHostRange(const void* ptr, std::size_t bytes);

/// CL_INVALID_OPERATION if nothing may write the memory object (cl_ext_immutable_memory_objects).
void requireMutable(const core::Memory& memory, const char* name);

/// CL_INVALID_VALUE for the pattern of a fill that is null, or whose size is no power of two from 1 to 128.
void requirePattern(const void* pattern, std::size_t patternBytes);

/// CL_INVALID_VALUE for map_flags with unknown bits, or that invalidate what is to be read or written.
void requireMapFlags(cl_map_flags flags);

/// CL_INVALID_OPERATION if the host may not access the memory object as it is to be mapped.
void requireMapAccess(const core::Memory& memory, cl_map_flags flags);

/// The use of a rectangle of a memory object that a command overwrites. Bytes between its rows stay as they are.
core::MemoryUse writeOf(core::Memory& memory, const core::Rectangle& rectangle);
core::MemoryUse readOf(core::Memory& memory, const core::Rectangle& rectangle);

/// CL_MISALIGNED_SUB_BUFFER_OFFSET if a sub-buffer's origin is not aligned to CL_DEVICE_MEM_BASE_ADDR_ALIGN of the
/// device that the command-queue belongs to.
void requireAlignedPart(const sched::Queue& queue, const core::Memory& memory, const char* name);
inline void requireAligned(const sched::Queue& queue, const core::Memory& memory, const char* name) {
  if (memory.parent()) requireAlignedPart(queue, memory, name);
}

/// clFinish and blocking calls: CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if a command of the command-queue has
/// failed on the device. Programs that ask for no events would otherwise never know. It stays so until clFinish said
/// it. (Section 5.11 leaves it to the implementation whether a command-queue is available after a command that was
/// terminated, and what calls return.)
void requireNoFailure(const sched::Queue& queue);
void takeFailure(sched::Queue& queue);

}  // namespace clarity::api
