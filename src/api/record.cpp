// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points that record commands other than kernels (OpenCL 3.1, "Recording Commands to a
// Command-Buffer"). Their errors are those of the clEnqueue* of the same command and those of RecordCall.
#include "api/record.h"

#include "api/commands.h"
#include "api/entry.h"
#include "api/entry_points.h"

namespace clarity::api {

using sched::Command;
using sched::CommandBuffer;

namespace {

/// The command-queue that a command is recorded to, as an index into those of the command-buffer.
std::uint32_t indexOf(const CommandBuffer& buffer, cl_command_queue command_queue) {
  const auto& queues = buffer.queues();
  // CL_INVALID_COMMAND_QUEUE if command_queue is NULL and command_buffer was created with more than one queue, or
  // command_queue is not NULL and not a command-queue listed on command_buffer creation.
  failIf(!command_queue && queues.size() > 1, CL_INVALID_COMMAND_QUEUE,
         "command_queue is null, and the command-buffer has {} command-queues", queues.size());
  if (!command_queue) return 0;
  const sched::Queue& queue = hostQueue(command_queue);
  // CL_INVALID_CONTEXT if command_queue is not NULL, and its context and that of command_buffer are not the same.
  requireSameContext(buffer.context(), "command_buffer", queue.context(), "command_queue");
  for (std::uint32_t i = 0; i < queues.size(); ++i)
    if (&queues[i].get() == &queue) return i;
  fail(CL_INVALID_COMMAND_QUEUE, "command_queue, {}, is none of the {} that the command-buffer was created with",
       static_cast<const void*>(command_queue), queues.size());
}

}  // namespace

RecordCall::RecordCall(cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_uint num_sync_points,
                       const cl_sync_point_khr* sync_points)
    : buffer(ref<CommandBuffer>(command_buffer)),
      index(indexOf(buffer, command_queue)),
      queue(buffer.queues()[index]),
      waits(sync_points, sync_points ? num_sync_points : 0) {
  // CL_INVALID_OPERATION if command_buffer has been finalized.
  buffer.requireRecording();
  // CL_INVALID_SYNC_POINT_WAIT_LIST_KHR if sync_point_wait_list is NULL and num_sync_points_in_wait_list is > 0, or
  // sync_point_wait_list is not NULL and num_sync_points_in_wait_list is 0, or if sync-points are not valid.
  failIf((num_sync_points == 0) != (sync_points == nullptr), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
         "num_sync_points_in_wait_list is {} and sync_point_wait_list is {}", num_sync_points,
         static_cast<const void*>(sync_points));
  buffer.requireSyncPoints(waits);
}

void RecordCall::requireNoProperties(const cl_command_properties_khr* properties,
                                     const cl_mutable_command_khr* handle) const {
  // CL_INVALID_VALUE if values specified in properties are not valid, or if mutable_handle is not NULL.
  failIf(properties && properties[0] != 0, CL_INVALID_VALUE, "property {:#x} is none of this command",
         properties ? properties[0] : 0);
  failIf(handle, CL_INVALID_VALUE, "mutable_handle is {}, expected null: only kernels can be changed",
         static_cast<const void*>(handle));
}

cl_int clCommandBarrierWithWaitListKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                       const cl_command_properties_khr* properties,
                                       cl_uint num_sync_points_in_wait_list,
                                       const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr* sync_point,
                                       cl_mutable_command_khr* mutable_handle) {
  return entry([&] {
    RecordCall call(command_buffer, command_queue, num_sync_points_in_wait_list, sync_point_wait_list);
    call.requireNoProperties(properties, mutable_handle);
    call.record(sync_point, Command::order(CL_COMMAND_BARRIER), CommandBuffer::Order::Barrier);
  });
}

// RECORD(NAME, PARAMETERS, COMMAND): clCommandNAMEKHR with these parameters between its properties and its wait list.
#define UNPACK(...) __VA_ARGS__
#define RECORD(name, parameters, command)                                                                          \
  cl_int clCommand##name##KHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,                \
                              const cl_command_properties_khr* properties, UNPACK parameters,                      \
                              cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list, \
                              cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle) {             \
    return entry([&] {                                                                                             \
      RecordCall call(command_buffer, command_queue, num_sync_points_in_wait_list, sync_point_wait_list);          \
      call.requireNoProperties(properties, mutable_handle);                                                        \
      call.record(sync_point, UNPACK command);                                                                     \
    });                                                                                                            \
  }

RECORD(CopyBuffer, (cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset, size_t dst_offset, size_t size),
       (copyBuffer(call.queue, src_buffer, dst_buffer, src_offset, dst_offset, size)))

RECORD(CopyBufferRect,
       (cl_mem src_buffer, cl_mem dst_buffer, const size_t* src_origin, const size_t* dst_origin, const size_t* region,
        size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch),
       (copyBufferRect(call.queue, src_buffer, dst_buffer, src_origin, dst_origin, region,
                       Pitches{src_row_pitch, src_slice_pitch}, Pitches{dst_row_pitch, dst_slice_pitch})))

RECORD(CopyBufferToImage,
       (cl_mem src_buffer, cl_mem dst_image, size_t src_offset, const size_t* dst_origin, const size_t* region),
       (copyBufferToImage(call.queue, src_buffer, dst_image, src_offset, dst_origin, region)))

RECORD(CopyImage,
       (cl_mem src_image, cl_mem dst_image, const size_t* src_origin, const size_t* dst_origin, const size_t* region),
       (copyImage(call.queue, src_image, dst_image, src_origin, dst_origin, region)))

RECORD(CopyImageToBuffer,
       (cl_mem src_image, cl_mem dst_buffer, const size_t* src_origin, const size_t* region, size_t dst_offset),
       (copyImageToBuffer(call.queue, src_image, dst_buffer, src_origin, region, dst_offset)))

RECORD(FillBuffer, (cl_mem buffer, const void* pattern, size_t pattern_size, size_t offset, size_t size),
       (fillBuffer(call.queue, buffer, pattern, pattern_size, offset, size)))

RECORD(FillImage, (cl_mem image, const void* fill_color, const size_t* origin, const size_t* region),
       (fillImage(call.queue, image, fill_color, origin, region)))

RECORD(SVMMemcpy, (void* dst_ptr, const void* src_ptr, size_t size), (copyShared(call.queue, dst_ptr, src_ptr, size)))

RECORD(SVMMemFill, (void* svm_ptr, const void* pattern, size_t pattern_size, size_t size),
       (fillShared(call.queue, svm_ptr, pattern, pattern_size, size)))

}  // namespace clarity::api
