// SPDX-License-Identifier: Apache-2.0
// This file is the fixture for tests of device-side enqueue: a default on-device command-queue, and launches of kernels
// that enqueue others.
#pragma once

#include "fixture.h"

#include <string>
#include <vector>

namespace clarity::test {

inline constexpr cl_queue_properties kOnDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

struct DeviceEnqueue : OpenCL {
  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    if (infoOf<cl_bitfield>(clGetDeviceInfo, device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) == 0)
      GTEST_SKIP() << "the device has no on-device command-queues";
    onDevice = createOnDevice(kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT);
  }

  cl_command_queue createOnDevice(cl_queue_properties properties, cl_uint size = 0) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, CL_QUEUE_SIZE, size, 0};
    const cl_queue_properties withoutSize[] = {CL_QUEUE_PROPERTIES, properties, 0};
    return created(
        [&](cl_int* e) { return clCreateCommandQueueWithProperties(context, device, size ? list : withoutSize, e); });
  }

  /// A context of its own with command-queues of the host and of the device, and kernel `k` of a program, whose only
  /// argument is a buffer.
  struct Own {
    cl_context context;
    cl_command_queue host;
    cl_kernel parent;
    cl_mem out;
  };
  Own createOwn(cl_device_id of, const cl_context_properties* properties, const char* text, size_t bytes) {
    Own own{};
    own.context = created([&](cl_int* e) { return clCreateContext(properties, 1, &of, nullptr, nullptr, e); });
    own.host = created([&](cl_int* e) { return clCreateCommandQueueWithProperties(own.context, of, nullptr, e); });
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
    created([&](cl_int* e) { return clCreateCommandQueueWithProperties(own.context, of, list, e); });
    cl_program program =
        created([&](cl_int* e) { return clCreateProgramWithSource(own.context, 1, &text, nullptr, e); });
    EXPECT_SUCCESS(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
    own.parent = created([&](cl_int* e) { return clCreateKernel(program, "k", e); });
    own.out = created([&](cl_int* e) { return clCreateBuffer(own.context, CL_MEM_READ_WRITE, bytes, nullptr, e); });
    EXPECT_SUCCESS(clSetKernelArg(own.parent, 0, sizeof own.out, &own.out));
    return own;
  }

  /// Launches kernel `name` of a program, whose first argument is a buffer of so many ints, zeros to begin with, and
  /// whose second one, if it has one, is the on-device queue. Returns the buffer's content.
  std::vector<cl_int> run(cl_program program, const char* name, size_t global, size_t ints = 64) {
    cl_mem out = bufferOf(std::vector<cl_int>(ints, 0));
    enqueue(program, name, global, out);
    return read<cl_int>(out, ints);
  }
  std::vector<cl_int> run(const std::string& source, const char* name, size_t global, size_t ints = 64) {
    return run(build(source.c_str(), "-cl-std=CL3.0 -g"), name, global, ints);
  }

  cl_event enqueue(cl_program program, const char* name, size_t global, cl_mem out) {
    cl_kernel parent = kernel(program, name);
    EXPECT_SUCCESS(clSetKernelArg(parent, 0, sizeof out, &out));
    if (infoOf<cl_uint>(clGetKernelInfo, parent, CL_KERNEL_NUM_ARGS) > 1)
      EXPECT_SUCCESS(clSetKernelArg(parent, 1, sizeof onDevice, &onDevice));
    cl_event event = nullptr;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, parent, 1, nullptr, &global, nullptr, 0, nullptr, &event));
    return keep(event);
  }

  cl_command_queue onDevice = nullptr;
};

}  // namespace clarity::test
