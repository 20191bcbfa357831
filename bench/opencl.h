// SPDX-License-Identifier: Apache-2.0
// This file declares helpers around calls of OpenCL: errors become exceptions, and names are read.
#pragma once

#include <CL/cl.h>

#include <string>

namespace bench {

// Throws std::runtime_error with the function, the code and what the implementation said, unless it is CL_SUCCESS.
void check(cl_int code, const char* function);
// A context of one device whose messages `check` shows.
cl_context makeContext(cl_device_id device);
std::string buildLog(cl_program program, cl_device_id device);
std::string deviceText(cl_device_id device, cl_device_info what);

}  // namespace bench
