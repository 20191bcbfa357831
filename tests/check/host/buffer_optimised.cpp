// SPDX-License-Identifier: Apache-2.0
// Doubles where the kernel has floats, in optimised code: the methods of opencl.hpp are inlined, and have variables of
// their own.
// kind: argument-kind
#include "host.h"

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <vector>
#ifdef RIGHT
using Number = float;
#else
using Number = double;
#endif
extern "C" int program(void) {
  cl::Platform platform = cl::Platform::get();
  std::vector<cl::Device> devices;
  platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
  cl::Context context(devices[0]);
  cl::CommandQueue queue(context, devices[0]);
  const char* const source = SOURCE_LINE "kernel void twice(global float* v) { v[get_global_id(0)] *= 2; }\n";
  cl::Program its(context, std::string(source));
  its.build();
  cl::Kernel twice(its, "twice");
  std::vector<Number> ptr(64, Number(1.5));  // as a parameter of the method is called, too
  cl::Buffer buffer(context, CL_MEM_READ_WRITE, ptr.size() * sizeof(Number));
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, ptr.size() * sizeof(Number), ptr.data());  // also
  twice.setArg(0, buffer);                                                               // wrong
  queue.enqueueNDRangeKernel(twice, cl::NullRange, cl::NDRange(64));
  queue.finish();
  return 0;
}
