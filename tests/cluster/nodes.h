// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of a cluster start from: the CPU of the host and the devices of two nodes in one context.
#pragma once

#include "control.h"
#include "fixture.h"

#include <array>
#include <vector>

namespace clarity::test {

struct Nodes : OpenCL {
  static constexpr size_t local = 0, first = 1, second = 2;  ///< indices of devices and queues

  std::array<cl_device_id, 3> devices{};
  std::array<cl_command_queue, 3> queues{};  ///< in order, with profiling

  void SetUp() override;
  void TearDown() override;

  cl_program buildForAll(const char* source, const char* options = "");
  template <class... Args>
  void setArgs(cl_kernel kernel, const Args&... args) const {
    cl_uint index = 0;
    const auto set = [&](size_t size, const void* value) {
      EXPECT_SUCCESS(clSetKernelArg(kernel, index++, size, value));
    };
    (set(sizeof args, &args), ...);
  }
  /// Enqueues a kernel; the event lives until the end of the test.
  cl_event run(size_t on, cl_kernel kernel, size_t global);
  template <class T>
  std::vector<T> readOn(size_t on, cl_mem memory, size_t n) const {
    std::vector<T> values(n);
    EXPECT_SUCCESS(
        clEnqueueReadBuffer(queues[on], memory, CL_TRUE, 0, n * sizeof(T), values.data(), 0, nullptr, nullptr));
    return values;
  }
  static cl_int statusOf(cl_event event) {
    return infoOf<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS);
  }
  std::string nameOf(size_t on) const { return infoStringOf(clGetDeviceInfo, devices[on], CL_DEVICE_NAME); }

  decltype(&clarityClusterCutOff) cutOff = nullptr;
};

}  // namespace clarity::test
