// SPDX-License-Identifier: Apache-2.0
// This file holds the entry point that copies a command-buffer to other command-queues (OpenCL 3.1, "Remapping
// Command-Buffers"; cl_khr_command_buffer_multi_device), which the platform does not do.
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "sched/command_buffer.h"

namespace clarity::api {

cl_command_buffer_khr clRemapCommandBufferKHR(cl_command_buffer_khr command_buffer, cl_bool, cl_uint,
                                              const cl_command_queue*, cl_uint, const cl_mutable_command_khr*,
                                              cl_mutable_command_khr*, cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> cl_command_buffer_khr {
    ref<sched::CommandBuffer>(command_buffer);
    // CL_INVALID_OPERATION if the platform does not support CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR.
    fail(CL_INVALID_OPERATION,
         "the platform does not remap command-buffers (CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR)");
  });
}

}  // namespace clarity::api
