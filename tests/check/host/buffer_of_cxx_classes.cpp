// SPDX-License-Identifier: Apache-2.0
// Vertices of three floats, written through the classes of opencl.hpp, where the kernel has float3.
// kind: argument-kind
#include "host.h"

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <memory>
#include <vector>
struct Vertex {
  cl_float position[3];
#ifdef RIGHT
  cl_float unused;
#endif
};
extern "C" int program(void) {
  cl::Platform platform = cl::Platform::get();
  std::vector<cl::Device> devices;
  platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
  cl::Context context(devices[0]);
  cl::CommandQueue queue(context, devices[0]);
  const char* const source = SOURCE_LINE "kernel void lift(global float3* v) { v[get_global_id(0)].y += 1; }\n";
  cl::Program its(context, std::string(source));
  its.build();
  cl::Kernel lift(its, "lift");
  auto vertices = std::make_unique<Vertex[]>(16);
  cl::Buffer buffer(context, CL_MEM_READ_WRITE, 16 * 16);
  queue.enqueueFillBuffer(buffer, 0, 0, 16 * 16);
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, 16 * sizeof(Vertex), vertices.get());  // also
  lift.setArg(0, buffer);  // wrong
  queue.enqueueNDRangeKernel(lift, cl::NullRange, cl::NDRange(16));
  queue.finish();
  return 0;
}
