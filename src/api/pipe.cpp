// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of pipes (OpenCL 3.0, section 5.4). No device has them (CL_DEVICE_PIPE_SUPPORT).
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"

namespace clarity::api {

cl_mem clCreatePipe(cl_context context, cl_mem_flags, cl_uint, cl_uint, const cl_pipe_properties*,
                    cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> cl_mem {
    ref<core::Context>(context);
    // CL_INVALID_OPERATION if no devices in context support pipes.
    fail(CL_INVALID_OPERATION, "no device of the context supports pipes");
  });
}

cl_int clGetPipeInfo(cl_mem pipe, cl_pipe_info, size_t, void*, size_t*) {
  return entry([&] {
    ref<core::Memory>(pipe);
    // CL_INVALID_MEM_OBJECT if pipe is not a valid pipe object.
    fail(CL_INVALID_MEM_OBJECT, "{} is a buffer, not a pipe", static_cast<const void*>(pipe));
  });
}

}  // namespace clarity::api
