// SPDX-License-Identifier: Apache-2.0
// This file implements what enqueue functions share.
#include "api/enqueue.h"

namespace clarity::api {
namespace {

/// Drops the application's reference unless it was handed out.
class EventOwner {
public:
  explicit EventOwner(sched::Event& event) : event_(&event) {}
  ~EventOwner() {
    if (event_) event_->release();
  }
  EventOwner(const EventOwner&) = delete;
  EventOwner& operator=(const EventOwner&) = delete;
  cl_event handOut() { return std::exchange(event_, nullptr)->handle(); }

private:
  sched::Event* event_;
};

}  // namespace

void EnqueueCall::finish(sched::Event& enqueued, cl_bool blocking, cl_event* event) {
  EventOwner owner(enqueued);
  if (blocking) {
    enqueued.wait();
    const cl_int status = enqueued.status();
    // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the operation is blocking and the execution status of any of the
    // events in event_wait_list is a negative integer value.
    failIf(status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, status,
           "an event of event_wait_list ended with an error, so nothing was done");
    if (status < 0) queue.takeFailure();  // reported right here
    if (status < 0) throw core::Error(status, "the command ended with " + enqueued.failureText()).known();
    reportFailure(queue);
  }
  if (event) *event = owner.handOut();
}

core::Memory& memoryOf(const sched::Queue& queue, cl_mem memory, const char* name) {
  core::Memory& object = ref<core::Memory>(memory);
  // CL_INVALID_CONTEXT if the context associated with command_queue and the memory object are not the same.
  requireSameContext(queue.context(), "command_queue", object.context(), name);
  return object;
}

void requireMapFlags(cl_map_flags flags) {
  constexpr cl_map_flags plain = CL_MAP_READ | CL_MAP_WRITE, invalidate = CL_MAP_WRITE_INVALIDATE_REGION;
  failIf(flags & ~(plain | invalidate), CL_INVALID_VALUE, "map_flags {:#x} have unknown bits", flags);
  failIf((flags & plain) && (flags & invalidate), CL_INVALID_VALUE,
         "map_flags {:#x} invalidate what is to be read or written", flags);
}

void requireAligned(const sched::Queue& queue, const core::Memory& memory, const char* name) {
  if (!memory.parent()) return;
  const std::size_t alignment = queue.device().properties().baseAddressAlignBits / 8;
  // CL_MISALIGNED_SUB_BUFFER_OFFSET if a sub-buffer object is used and its offset is not aligned to
  // CL_DEVICE_MEM_BASE_ADDR_ALIGN for the device associated with the queue.
  failIf(alignment > 1 && memory.origin() % alignment != 0, CL_MISALIGNED_SUB_BUFFER_OFFSET,
         "{} is a sub-buffer that begins at {} of its buffer; device '{}' needs a multiple of {}", name,
         memory.origin(), queue.device().properties().name, alignment);
}

void reportFailure(sched::Queue& queue) {
  const cl_int code = queue.takeFailure();
  if (code == CL_SUCCESS) [[likely]]
    return;
  throw core::Error(CL_OUT_OF_RESOURCES,
                    fmt::format("an earlier command of this command-queue failed with {}", queue.failureText()))
      .known();
}

}  // namespace clarity::api
