// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of pipes (OpenCL 3.0, section 5.4).
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"
#include "api/memory_flags.h"
#include "core/image_support.h"

#include <algorithm>
#include <vector>

namespace clarity::api {

using core::Context;
using core::Memory;
using core::PipeDescription;

namespace {

/// The largest packet that a device of the context can have in a pipe, in bytes; 0 if none has pipes.
cl_uint largestPacket(const Context& context) {
  cl_uint largest = 0;
  for (const Ref<core::Device>& device : context.devices())
    largest = std::max(largest, device->properties().pipes.maxPacketBytes);
  return largest;
}

const InfoRow<const Memory> pipeInfo[] = {
    INFO_ROW(cl_uint, CL_PIPE_PACKET_SIZE, it.pipe()->packetBytes),
    INFO_ROW(cl_uint, CL_PIPE_MAX_PACKETS, it.pipe()->packets),
    // The list of properties must be null.
    INFO_ROW(std::vector<cl_pipe_properties>, CL_PIPE_PROPERTIES,
             (static_cast<void>(it), std::vector<cl_pipe_properties>())),
};

}  // namespace

cl_mem clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size, cl_uint pipe_max_packets,
                    const cl_pipe_properties* properties, cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> cl_mem {
    Context& it = ref<Context>(context);
    // CL_INVALID_OPERATION if no devices in context support pipes.
    const cl_uint largest = largestPacket(it);
    failIf(largest == 0, CL_INVALID_OPERATION, "no device of the context supports pipes");
    // CL_INVALID_VALUE if values specified in flags are not as defined: CL_MEM_READ_WRITE and CL_MEM_HOST_NO_ACCESS.
    requireMemoryFlags(flags, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
    // CL_INVALID_VALUE if properties is not NULL.
    failIf(properties, CL_INVALID_VALUE, "properties is {}; pipes have none", static_cast<const void*>(properties));
    // CL_INVALID_PIPE_SIZE if pipe_packet_size is 0 or exceeds CL_DEVICE_PIPE_MAX_PACKET_SIZE of all devices, or if
    // pipe_max_packets is 0.
    failIf(pipe_packet_size == 0, CL_INVALID_PIPE_SIZE, "pipe_packet_size is 0");
    failIf(pipe_packet_size > largest, CL_INVALID_PIPE_SIZE,
           "pipe_packet_size is {}, more than CL_DEVICE_PIPE_MAX_PACKET_SIZE, {} bytes", pipe_packet_size, largest);
    failIf(pipe_max_packets == 0, CL_INVALID_PIPE_SIZE, "pipe_max_packets is 0");
    // CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the pipe object.
    const PipeDescription pipe{.packetBytes = pipe_packet_size, .packets = pipe_max_packets};
    const bool tooMany = pipe_max_packets > PipeDescription::mostPackets;
    failIf(tooMany || pipe.bytes() > largestAllocation(it), CL_MEM_OBJECT_ALLOCATION_FAILURE,
           "a pipe of {} packets of {} bytes is larger than CL_DEVICE_MAX_MEM_ALLOC_SIZE, {} bytes, allows",
           pipe_max_packets, pipe_packet_size, largestAllocation(it));
    // If the value specified for flags is 0, the default is used.
    const cl_mem_flags complete = flags ? flags : CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
    return (new Memory(it, complete, pipe))->handOut();
  });
}

cl_int clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size, void* param_value,
                     size_t* param_value_size_ret) {
  return entry([&] {
    const Memory& it = ref<Memory>(pipe);
    // CL_INVALID_MEM_OBJECT if pipe is not a valid pipe object.
    failIf(!it.pipe(), CL_INVALID_MEM_OBJECT, "{} is {}, not a pipe", static_cast<const void*>(pipe),
           core::nameOfType(it.type()));
    answer(pipeInfo, it, param_name, param_value_size, param_value, param_value_size_ret);
  });
}

}  // namespace clarity::api
