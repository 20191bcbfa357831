// SPDX-License-Identifier: Apache-2.0
// This file makes the context of the host's device and those of the nodes.
#include "nodes.h"

#include <dlfcn.h>

#include <cstdlib>

namespace clarity::test {

void Nodes::SetUp() {
  OpenCL::SetUp();
  cl_uint count = 0;
  ASSERT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, cl_uint(devices.size()), devices.data(), &count));
  ASSERT_EQ(count, devices.size());
  const auto notify = [](const char* text, const void*, size_t, void* test) {
    auto& self = *static_cast<Nodes*>(test);
    const std::lock_guard lock(self.notifiedLock);
    self.notified.emplace_back(text);
  };
  context = created([&](cl_int* error) {
    return clCreateContext(nullptr, cl_uint(devices.size()), devices.data(), notify, this, error);
  });
  for (size_t i = 0; i < devices.size(); ++i) {
    constexpr cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    queues[i] =
        created([&](cl_int* error) { return clCreateCommandQueueWithProperties(context, devices[i], list, error); });
  }
  queue = queues[local];
  void* const driverLibrary = dlopen(std::getenv("CLARITY_TEST_DRIVER"), RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_NE(driverLibrary, nullptr);
  cutOff = reinterpret_cast<decltype(cutOff)>(dlsym(driverLibrary, "clarityClusterCutOff"));
  ASSERT_NE(cutOff, nullptr);
}

void Nodes::TearDown() {
  for (cl_command_queue each : queues)
    if (each) clFinish(each);
  OpenCL::TearDown();
}

cl_program Nodes::buildForAll(const char* text, const char* options) {
  cl_program program = source(text);
  for (cl_device_id each : devices)
    EXPECT_SUCCESS(clBuildProgram(program, 1, &each, options, nullptr, nullptr)) << buildLog(program);
  return program;
}

cl_event Nodes::run(size_t on, cl_kernel kernel, size_t global) {
  cl_event event = nullptr;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queues[on], kernel, 1, nullptr, &global, nullptr, 0, nullptr, &event));
  return keep(event);
}

}  // namespace clarity::test
