// SPDX-License-Identifier: Apache-2.0
// This file implements what enqueue functions share.
#include "api/enqueue.h"

#include "core/constant_names.h"
#include "core/image_support.h"
#include "support/checked.h"

#include <bit>

namespace clarity::api {

// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the execution status of any of the events in event_wait_list is a
// negative integer value.
void requireNoFailure(const WaitList& waitList) {
  for (const Ref<sched::Event>& event : waitList)
    failIf(event->status() < 0, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
           "an event of event_wait_list ended with {}", event->failureText());
}

void EnqueueCall::enqueueBlocking(cl_bool blocking, cl_event* event, std::unique_ptr<sched::Command> command,
                                  sched::Order order) {
  if (!event) {
    RefPtr<sched::Event> made = queue.make(std::move(command), sched::Event::Seen::No);
    if (!blocking) return queue.enqueue(std::move(made), waitList, order);
    queue.enqueue(made, waitList, order);
    return waitFor(*made);
  }
  sched::Event& enqueued = queue.enqueue(std::move(command), waitList, order);
  try {
    if (blocking) waitFor(enqueued);
  } catch (...) {
    enqueued.release();
    throw;
  }
  *event = enqueued.handOut();
}

void EnqueueCall::handOut(sched::Event& enqueued, cl_event* event) {
  if (event)
    *event = enqueued.handOut();
  else
    enqueued.release();
}

void EnqueueCall::waitFor(sched::Event& enqueued) {
  enqueued.wait();
  const cl_int status = enqueued.status();
  if (status == CL_COMPLETE || status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) requireNoFailure(queue);
  // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the operation is blocking and the execution status of any of the
  // events in event_wait_list is a negative integer value.
  failIf(status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, status,
         "an event of event_wait_list ended with an error, so nothing was done");
  if (status < 0) queue.takeFailure();  // reported right here
  if (status < 0) throw core::Error(status, "the command ended with " + enqueued.failureText()).known();
}

void* EnqueueCall::map(cl_command_type type, cl_bool blocking, cl_event* event, core::Memory& memory,
                       const core::Rectangle& region, cl_map_flags flags) {
  void* const mapped = memory.map(region, flags);
  try {
    const core::MemoryUse use =
        flags & CL_MAP_WRITE_INVALIDATE_REGION ? writeOf(memory, region) : readOf(memory, region);
    enqueueBlocking(blocking, event, sched::Command::order(type, sched::Where::Host, {use}));
  } catch (...) {
    memory.unmap(mapped);
    throw;
  }
  return mapped;
}

core::Memory& memoryOf(const sched::Queue& queue, cl_mem memory, const char* name) {
  core::Memory& object = ref<core::Memory>(memory);
  // CL_INVALID_CONTEXT if the context associated with command_queue and the memory object are not the same.
  requireSameContext(queue.context(), "command_queue", object.context(), name);
  return object;
}

core::Memory& bufferOf(const sched::Queue& queue, cl_mem memory, const char* name) {
  core::Memory& object = memoryOf(queue, memory, name);
  // CL_INVALID_MEM_OBJECT if the memory object is not a valid buffer object.
  failIf(!object.isBuffer(), CL_INVALID_MEM_OBJECT, "{}, {}, is {}, expected a buffer", name,
         static_cast<const void*>(memory), core::nameOfType(object.type()));
  return object;
}

core::Memory& imageOf(const sched::Queue& queue, cl_mem memory, const char* name) {
  core::Memory& object = memoryOf(queue, memory, name);
  // CL_INVALID_MEM_OBJECT if the memory object is not a valid image object.
  failIf(!object.image(), CL_INVALID_MEM_OBJECT, "{}, {}, is {}, expected an image", name,
         static_cast<const void*>(memory), core::nameOfType(object.type()));
  core::requireSupport(queue.device(), *object.image());
  return object;
}

void requireHostAccess(const core::Memory& memory, cl_mem_flags forbidding, const char* what) {
  if (forbidding == CL_MEM_HOST_READ_ONLY) requireMutable(memory, "the memory object");
  failIf(memory.flags() & (forbidding | CL_MEM_HOST_NO_ACCESS), CL_INVALID_OPERATION,
         "the memory object was created with flags {}, so that the host may not {} it",
         core::MemoryFlagNames{memory.flags()}, what);
}

void requireHostRange(const void* ptr, std::size_t bytes) {
  failIf(!ptr, CL_INVALID_VALUE, "ptr is null");
  failIf(!support::areAddresses(ptr, bytes), CL_INVALID_VALUE, "{} bytes at ptr {} reach beyond the last address",
         bytes, ptr);
}

void requireMutable(const core::Memory& memory, const char* name) {
  // CL_INVALID_OPERATION if the memory object was created with CL_MEM_IMMUTABLE_EXT.
  failIf(memory.isImmutable(), CL_INVALID_OPERATION, "{} was created with CL_MEM_IMMUTABLE_EXT: nothing may write it",
         name);
}

void requirePattern(const void* pattern, std::size_t patternBytes) {
  failIf(!pattern, CL_INVALID_VALUE, "pattern is null");
  failIf(!std::has_single_bit(patternBytes) || patternBytes > 128, CL_INVALID_VALUE,
         "pattern_size is {}, which is no power of two from 1 to 128", patternBytes);
}

void requireMapFlags(cl_map_flags flags) {
  // CL_INVALID_VALUE if values specified in map_flags are not valid: unknown bits, or CL_MAP_READ or CL_MAP_WRITE with
  // CL_MAP_WRITE_INVALIDATE_REGION.
  constexpr cl_map_flags plain = CL_MAP_READ | CL_MAP_WRITE, invalidate = CL_MAP_WRITE_INVALIDATE_REGION;
  failIf(flags & ~(plain | invalidate), CL_INVALID_VALUE, "map_flags {:#x} have unknown bits", flags);
  failIf((flags & plain) && (flags & invalidate), CL_INVALID_VALUE,
         "map_flags {:#x} invalidate what is to be read or written", flags);
}

void requireMapAccess(const core::Memory& memory, cl_map_flags flags) {
  // CL_INVALID_OPERATION if the memory object has been created with CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS and
  // CL_MAP_READ is set, or with CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS and it is mapped for writing.
  if (flags & CL_MAP_READ) requireHostAccess(memory, CL_MEM_HOST_WRITE_ONLY, "read");
  if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
    requireHostAccess(memory, CL_MEM_HOST_READ_ONLY, "write");
}

core::MemoryUse writeOf(core::Memory& memory, const core::Rectangle& rectangle) {
  core::MemoryUse use{memory, rectangle.begin, rectangle.end() - rectangle.begin, core::Access::Overwrite};
  if (!rectangle.isContiguous()) use.rows = std::make_shared<core::Rectangle>(rectangle);
  return use;
}

core::MemoryUse readOf(core::Memory& memory, const core::Rectangle& rectangle) {
  return {memory, rectangle.begin, rectangle.end() - rectangle.begin, core::Access::Read};
}

void requireAlignedPart(const sched::Queue& queue, const core::Memory& memory, const char* name) {
  const std::size_t alignment = queue.device().properties().baseAddressAlignBits / 8;
  // CL_MISALIGNED_SUB_BUFFER_OFFSET if a sub-buffer object is used and its offset is not aligned to
  // CL_DEVICE_MEM_BASE_ADDR_ALIGN for the device associated with the queue.
  failIf(alignment > 1 && memory.origin() % alignment != 0, CL_MISALIGNED_SUB_BUFFER_OFFSET,
         "{} is a part of a buffer that begins at {} of it; device '{}' needs a multiple of {}", name, memory.origin(),
         queue.device().properties().name, alignment);
}

void requireNoFailure(const sched::Queue& queue) {
  if (queue.failure() == CL_SUCCESS) [[likely]]
    return;
  throw core::Error(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                    fmt::format("an earlier command of this command-queue failed with {}", queue.failureText()))
      .known();
}

void takeFailure(sched::Queue& queue) {
  try {
    requireNoFailure(queue);
  } catch (...) {
    queue.takeFailure();
    throw;
  }
}

}  // namespace clarity::api
