// SPDX-License-Identifier: Apache-2.0
// The classes of opencl.hpp ask for the log of a build that failed; the program does not.
// kind: api-error
// findings: 1
#include "host.h"

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <iostream>
#include <string>

extern "C" int program(void) {
  cl::Context context(CL_DEVICE_TYPE_ALL);
  cl::CommandQueue queue(context);
  cl::Program its(context, std::string("kernel void one(global int* p) { p[0] = missing; }"));
#ifdef RIGHT
  if (its.build() != CL_SUCCESS) {
    for (const auto& log : its.getBuildInfo<CL_PROGRAM_BUILD_LOG>()) std::cerr << log.second << "\n";
    return 0;
  }
#else
  its.build();  // wrong
#endif
  cl::Kernel kernel(its, "one");  // also
  cl::Buffer buffer(context, CL_MEM_READ_WRITE, 256);
  queue.enqueueFillBuffer(buffer, 0, 0, 256);
  kernel.setArg(0, buffer);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1));
  queue.finish();
  return 0;
}
