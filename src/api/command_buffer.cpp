// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of command-buffers but for those that record and change commands (OpenCL 3.1,
// "Command-Buffers"; cl_khr_command_buffer).
#include "sched/command_buffer.h"

#include "api/enqueue.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"
#include "api/property_list.h"
#include "api/record.h"

#include <algorithm>
#include <vector>

namespace clarity::api {

using sched::CommandBuffer;
using sched::Queue;

namespace {

constexpr cl_bitfield knownFlags =
    CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR;

struct BufferProperties {
  cl_bitfield flags = 0, asserts = 0;
  std::vector<cl_ulong> array;
};

/// CL_INVALID_VALUE if values specified in properties are not valid, or if the same property name is specified more
/// than once.
BufferProperties readBufferProperties(const cl_command_buffer_properties_khr* list) {
  BufferProperties result;
  result.array = readPropertyList(list, CL_INVALID_VALUE, "property", [&](cl_ulong name, cl_ulong value) {
    if (name == CL_COMMAND_BUFFER_FLAGS_KHR) {
      failIf(value & ~knownFlags, CL_INVALID_VALUE, "CL_COMMAND_BUFFER_FLAGS_KHR {:#x} has unknown bits", value);
      result.flags = value;
    } else if (name == CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR) {
      failIf(value & ~cl_bitfield{CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR}, CL_INVALID_VALUE,
             "CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR {:#x} has unknown bits", value);
      result.asserts = value;
    } else {
      fail(CL_INVALID_VALUE, "property {:#x} is not known", name);
    }
  });
  return result;
}

/// The command-queues of a list, valid and of one context.
std::vector<Ref<Queue>> queuesOf(cl_uint count, const cl_command_queue* list) {
  std::vector<Ref<Queue>> queues;
  for (cl_uint i = 0; i < count; ++i) queues.emplace_back(hostQueue(list[i]));
  return queues;
}

const core::Device& rootOf(const core::Device& device) { return device.parent() ? rootOf(*device.parent()) : device; }

std::vector<cl_command_queue> handlesOf(const std::vector<Ref<Queue>>& queues) {
  std::vector<cl_command_queue> handles;
  for (const Ref<Queue>& queue : queues) handles.push_back(queue->handle());
  return handles;
}

cl_command_buffer_state_khr stateOf(CommandBuffer& buffer) {
  switch (buffer.state()) {
    case CommandBuffer::State::Recording: return CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
    case CommandBuffer::State::Finalized: return CL_COMMAND_BUFFER_STATE_FINALIZED_KHR;
    case CommandBuffer::State::Executable: break;
  }
  return CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
}

const InfoRow<CommandBuffer> commandBufferInfo[] = {
    INFO_ROW(cl_uint, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, it.queues().size()),
    INFO_ROW(std::vector<cl_command_queue>, CL_COMMAND_BUFFER_QUEUES_KHR, handlesOf(it.queues())),
    INFO_ROW(cl_uint, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, it.referenceCount()),
    INFO_ROW(cl_command_buffer_state_khr, CL_COMMAND_BUFFER_STATE_KHR, stateOf(it)),
    INFO_ROW(std::vector<cl_ulong>, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, it.propertiesArray()),
    INFO_ROW(cl_context, CL_COMMAND_BUFFER_CONTEXT_KHR, it.context().handle()),
};

/// CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, CL_INVALID_DEVICE and CL_INVALID_CONTEXT for a command-queue that is to take the
/// place of another one.
void requireSubstitute(const Queue& original, const Queue& queue, cl_uint index) {
  // CL_INVALID_CONTEXT if any element of queues does not have the same context as the command-queue set on
  // command_buffer creation at the same list index.
  failIf(&queue.context() != &original.context(), CL_INVALID_CONTEXT,
         "queues[{}] is of another context than the command-buffer", index);
  // CL_INVALID_DEVICE if it does not have the same device.
  failIf(&queue.device() != &original.device(), CL_INVALID_DEVICE,
         "queues[{}] is of device '{}', the command-buffer's of device '{}'", index, queue.device().properties().name,
         original.device().properties().name);
  // CL_INCOMPATIBLE_COMMAND_QUEUE_KHR cannot be: devices support all properties of command-queues and require none.
}

}  // namespace

void requireSyncOfDevices(cl_bitfield flags, const std::vector<Ref<Queue>>& queues) {
  // CL_INCOMPATIBLE_COMMAND_QUEUE_KHR if CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR is set, and any device cannot natively
  // synchronize with the others, as CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR says.
  for (const Ref<Queue>& queue : queues)
    failIf((flags & CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR) &&
               &rootOf(queue->device()) != &rootOf(queues.front()->device()),
           CL_INCOMPATIBLE_COMMAND_QUEUE_KHR,
           "flags {:#x} ask for devices that synchronize themselves: '{}' and '{}' do not", flags,
           queues.front()->device().properties().name, queue->device().properties().name);
}

cl_command_buffer_khr clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue* queues,
                                               const cl_command_buffer_properties_khr* properties,
                                               cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> cl_command_buffer_khr {
    // CL_INVALID_VALUE if num_queues is zero or queues is NULL.
    failIf(num_queues == 0 || !queues, CL_INVALID_VALUE, "num_queues is {} and queues is {}", num_queues,
           static_cast<const void*>(queues));
    // CL_INVALID_COMMAND_QUEUE if any command-queue in queues is not a valid command-queue.
    std::vector<Ref<Queue>> all = queuesOf(num_queues, queues);
    // CL_INVALID_CONTEXT if all the command-queues in queues do not have the same OpenCL context.
    for (const Ref<Queue>& queue : all)
      requireSameContext(all.front()->context(), "queues[0]", queue->context(), "another one of queues");
    BufferProperties read = readBufferProperties(properties);
    requireSyncOfDevices(read.flags, all);
    return (new CommandBuffer(std::move(all), read.flags, read.asserts, std::move(read.array)))->handOut();
  });
}

cl_int clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return entry([&] { retainHandle<CommandBuffer>(command_buffer); });
}

cl_int clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return entry([&] { releaseHandle<CommandBuffer>(command_buffer); });
}

cl_int clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return entry([&] { ref<CommandBuffer>(command_buffer).finalize(); });
}

cl_int clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue* queues, cl_command_buffer_khr command_buffer,
                                 cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    const Ref<CommandBuffer> buffer(ref<CommandBuffer>(command_buffer));
    // CL_INVALID_VALUE if queues is NULL and num_queues is > 0, or queues is not NULL and num_queues is 0, or if
    // num_queues is > 0 and not the same value as on command_buffer creation.
    failIf((num_queues == 0) != (queues == nullptr), CL_INVALID_VALUE, "num_queues is {} and queues is {}", num_queues,
           static_cast<const void*>(queues));
    failIf(num_queues != 0 && num_queues != buffer->queues().size(), CL_INVALID_VALUE,
           "num_queues is {}; the command-buffer was created with {}", num_queues, buffer->queues().size());
    // CL_INVALID_COMMAND_QUEUE if any element of queues is not a valid command-queue.
    const std::vector<Ref<Queue>> others = queuesOf(num_queues, queues);
    for (cl_uint i = 0; i < num_queues; ++i) requireSubstitute(buffer->queues()[i], others[i], i);
    const std::span<const Ref<Queue>> on = others.empty() ? std::span(buffer->queues()) : std::span(others);
    EnqueueCall call(on.front()->handle(), num_events_in_wait_list, event_wait_list);
    EnqueueCall::handOut(buffer->enqueue(on, call.waitList), event);
  });
}

cl_int clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer, cl_command_buffer_info_khr param_name,
                                 size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    answer(commandBufferInfo, ref<CommandBuffer>(command_buffer), param_name, param_value_size, param_value,
           param_value_size_ret);
  });
}

}  // namespace clarity::api
