// SPDX-License-Identifier: Apache-2.0
// This file makes the context of all devices and finds the controls in the driver.
#include "several_devices.h"

#include <dlfcn.h>

#include <cstdlib>

namespace clarity::test {

void SeveralDevices::SetUp() {
  OpenCL::SetUp();
  cl_uint count = 0;
  ASSERT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, cl_uint(devices.size()), devices.data(), &count));
  const char* const withDiscrete = std::getenv("CLARITY_TEST_DRIVER");  // the driver with the discrete test device
  if (!withDiscrete && count < devices.size()) GTEST_SKIP() << "there are " << count << " devices";
  ASSERT_EQ(count, devices.size());
  const auto notify = [](const char* text, const void*, size_t, void* test) {
    auto& self = *static_cast<SeveralDevices*>(test);
    const std::lock_guard lock(self.notifiedLock);
    self.notified.emplace_back(text);
  };
  context = created([&](cl_int* error) {
    return clCreateContext(nullptr, cl_uint(devices.size()), devices.data(), notify, this, error);
  });
  const auto queueOf = [&](cl_device_id each, cl_command_queue_properties properties) {
    const std::array<cl_queue_properties, 3> list{CL_QUEUE_PROPERTIES, properties | CL_QUEUE_PROFILING_ENABLE, 0};
    return created(
        [&](cl_int* error) { return clCreateCommandQueueWithProperties(context, each, list.data(), error); });
  };
  for (size_t i = 0; i < devices.size(); ++i) {
    queues[i] = queueOf(devices[i], 0);
    outOfOrderQueues[i] = queueOf(devices[i], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  }
  queue = queues[cpu];
  if (withDiscrete) findControls(withDiscrete);
}

void SeveralDevices::findControls(const char* path) {
  void* const driverLibrary = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_NE(driverLibrary, nullptr) << "the loader has not opened " << path;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(driverLibrary, name));
    ASSERT_NE(function, nullptr) << name;
  };
  find(failOperation, "clarityDiscreteFailOperation");
  find(failAllocation, "clarityDiscreteFailAllocation");
  find(readCounts_, "clarityDiscreteCounts");
}

void SeveralDevices::TearDown() {
  if (failOperation) failOperation(0);
  if (failAllocation) failAllocation(0);
  for (cl_command_queue each : queues)
    if (each) clFinish(each);
  for (cl_command_queue each : outOfOrderQueues)
    if (each) clFinish(each);
  OpenCL::TearDown();
}

cl_program SeveralDevices::buildForAll(const char* text, const char* options) {
  cl_program program = source(text);
  for (cl_device_id each : devices) {
    const cl_int error = clBuildProgram(program, 1, &each, options, nullptr, nullptr);
    EXPECT_SUCCESS(error) << buildLog(program);
  }
  return program;
}

cl_event SeveralDevices::run(size_t on, cl_kernel kernel, size_t global, std::initializer_list<cl_event> after) {
  cl_event event = nullptr;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queues[on], kernel, 1, nullptr, &global, nullptr, cl_uint(after.size()),
                                        after.size() ? after.begin() : nullptr, &event));
  return keep(event);
}

cl_mem SeveralDevices::subBuffer(cl_mem parent, size_t origin, size_t size, cl_mem_flags flags) {
  const cl_buffer_region region{origin, size};
  return created(
      [&](cl_int* error) { return clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, error); });
}

ClarityDiscreteCounts SeveralDevices::counts() const {
  ClarityDiscreteCounts counts{};
  if (readCounts_) readCounts_(&counts);
  return counts;
}

void DiscreteDevices::SetUp() {
  SeveralDevices::SetUp();
  if (!HasFatalFailure() && !IsSkipped() && !isDiscrete()) GTEST_SKIP() << "these are not discrete test devices";
}

}  // namespace clarity::test
