// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of contexts with several devices start from: the CPU and two other devices in one
// context, a command-queue on each, and the controls of the discrete device. The others are two discrete test devices,
// or the GPUs of a machine that has two (CLARITY_DEVICES=cpu,nvidia), which have no controls.
#pragma once

#include "discrete_device/control.h"
#include "fixture.h"

#include <array>
#include <initializer_list>
#include <string>
#include <vector>

namespace clarity::test {

struct SeveralDevices : OpenCL {
  static constexpr size_t cpu = 0, first = 1, second = 2;  ///< indices of devices and queues

  std::array<cl_device_id, 3> devices{};
  std::array<cl_command_queue, 3> queues{};            ///< in order, with profiling
  std::array<cl_command_queue, 3> outOfOrderQueues{};  ///< with profiling

  void SetUp() override;
  void TearDown() override;

  /// A program built for all devices.
  cl_program buildForAll(const char* source, const char* options = "");
  cl_kernel kernelForAll(const char* source, const char* name) { return kernel(buildForAll(source), name); }

  /// Sets all arguments from the first on.
  template <class... Args>
  void setArgs(cl_kernel kernel, const Args&... args) const {
    cl_uint index = 0;
    const auto set = [&](size_t size, const void* value) {
      EXPECT_SUCCESS(clSetKernelArg(kernel, index++, size, value));
    };
    (set(sizeof args, &args), ...);
  }
  /// Enqueues a kernel on a device's in-order queue. The event lives until the end of the test.
  cl_event run(size_t device, cl_kernel kernel, size_t global, std::initializer_list<cl_event> after = {});

  /// All elements of a buffer, read on a device's queue.
  template <class T>
  std::vector<T> readOn(size_t device, cl_mem memory, size_t n) const {
    std::vector<T> values(n);
    EXPECT_SUCCESS(
        clEnqueueReadBuffer(queues[device], memory, CL_TRUE, 0, n * sizeof(T), values.data(), 0, nullptr, nullptr));
    return values;
  }
  template <class T>
  void writeOn(size_t device, cl_mem memory, const std::vector<T>& values) const {
    EXPECT_SUCCESS(clEnqueueWriteBuffer(queues[device], memory, CL_TRUE, 0, values.size() * sizeof(T), values.data(), 0,
                                        nullptr, nullptr));
  }
  cl_mem subBuffer(cl_mem parent, size_t origin, size_t size, cl_mem_flags flags = 0);
  static cl_int statusOf(cl_event event) {
    return infoOf<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS);
  }

  // The controls of the driver's discrete devices (discrete_device/control.h); null for other devices.
  void (*failOperation)(unsigned) = nullptr;
  void (*failAllocation)(unsigned) = nullptr;
  bool isDiscrete() const { return readCounts_; }
  /// Always zero for other devices.
  ClarityDiscreteCounts counts() const;

private:
  void findControls(const char* driver);

  void (*readCounts_)(ClarityDiscreteCounts*) = nullptr;
};

/// Tests of what the discrete device alone does: its limits and its failures.
struct DiscreteDevices : SeveralDevices {
  void SetUp() override;
};

}  // namespace clarity::test
