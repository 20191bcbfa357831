// SPDX-License-Identifier: Apache-2.0
// This file tests that what the commands of a command-buffer use follows them from device to device
// (cl_khr_command_buffer).
#include "api/entry_points.h"
#include "driver_functions.h"
#include "several_devices.h"

namespace clarity::test {
namespace {

struct CommandBuffers : SeveralDevices {};

// Each round another device has changed the content, and each device has a command-buffer of its own that changes it.
TEST_F(CommandBuffers, useTheNewestContent) {
  const auto create = driverFunction<api::cl_api_clCreateCommandBufferKHR>(*this, "clCreateCommandBufferKHR");
  const auto release = driverFunction<api::cl_api_clReleaseCommandBufferKHR>(*this, "clReleaseCommandBufferKHR");
  const auto finalize = driverFunction<api::cl_api_clFinalizeCommandBufferKHR>(*this, "clFinalizeCommandBufferKHR");
  const auto enqueue = driverFunction<api::cl_api_clEnqueueCommandBufferKHR>(*this, "clEnqueueCommandBufferKHR");
  const auto launch = driverFunction<api::cl_api_clCommandNDRangeKernelKHR>(*this, "clCommandNDRangeKernelKHR");
  const auto copy = driverFunction<api::cl_api_clCommandCopyBufferKHR>(*this, "clCommandCopyBufferKHR");
  ASSERT_FALSE(HasFailure());
  constexpr size_t count = 1000;
  cl_mem cells = bufferOf(std::vector<cl_uint>(count, 1)), copies = bufferOf(std::vector<cl_uint>(count));
  cl_kernel step =
      kernelForAll("kernel void step(global uint* v) { v[get_global_id(0)] = v[get_global_id(0)] * 3 + 1; }", "step");
  setArgs(step, cells);
  std::array<cl_command_buffer_khr, 3> buffers{};
  for (const size_t device : {cpu, first, second}) {
    buffers[device] = create(1, &queues[device], nullptr, nullptr);
    ASSERT_NE(buffers[device], nullptr);
    cl_sync_point_khr stepped = 0;
    ASSERT_SUCCESS(
        launch(buffers[device], nullptr, nullptr, step, 1, nullptr, &count, nullptr, 0, nullptr, &stepped, nullptr));
    ASSERT_SUCCESS(copy(buffers[device], nullptr, nullptr, cells, copies, 0, 0, count * sizeof(cl_uint), 1, &stepped,
                        nullptr, nullptr));
    ASSERT_SUCCESS(finalize(buffers[device]));
  }
  cl_uint wanted = 1;
  for (const size_t device : {cpu, first, cpu, second, first, first, second, cpu, cpu, second}) {
    cl_event done = nullptr;
    ASSERT_SUCCESS(enqueue(0, nullptr, buffers[device], 0, nullptr, &done));
    wanted = wanted * 3 + 1;
    EXPECT_SUCCESS(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    for (const size_t reader : {second, cpu, first})
      EXPECT_EQ(readOn<cl_uint>(reader, copies, count), std::vector<cl_uint>(count, wanted))
          << "of device " << device << " on " << reader;
    // Changed outside of the command-buffers, elsewhere.
    const size_t other = (device + 1) % 3;
    wanted += 5;
    writeOn(other, cells, std::vector<cl_uint>(count, wanted));
  }
  for (cl_command_buffer_khr each : buffers) EXPECT_SUCCESS(release(each));
}

}  // namespace
}  // namespace clarity::test
