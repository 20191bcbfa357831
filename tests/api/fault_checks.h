// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of kernels that fault share.
#pragma once

#include "enqueue_checks.h"

#include <vector>

namespace clarity::test {

struct FaultingKernels : OpenCL {
  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    if (!outlivesFaults()) GTEST_SKIP() << "a fault takes the device from the process";
  }
  /// The command ends with a negative status, whoever waits for it learns of it, and the text contains `part`.
  void expectFault(cl_kernel which, size_t global, size_t local, const char* part) {
    const cl_int status = statusAfter(which, global, local);
    EXPECT_LT(status, 0) << "a command that should have failed is complete";
    EXPECT_TRUE(wasNotified(part)) << allNotified();
    expectStillWorking();
  }

  /// Launches it and waits for its end; how it ended.
  cl_int statusAfter(cl_kernel which, size_t global, size_t local = 0) {
    cl_event event = nullptr;
    const cl_int error =
        clEnqueueNDRangeKernel(queue, which, 1, nullptr, &global, local ? &local : nullptr, 0, nullptr, &event);
    if (error != CL_SUCCESS) return error;
    keep(event);
    clWaitForEvents(1, &event);
    const cl_int status = infoOf<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS);
    clFinish(queue);
    return status;
  }

  /// Another kernel of another program has the right results.
  void expectStillWorking() {
    if (good_ == nullptr)
      good_ =
          kernel(build("kernel void good(global int* out) { out[get_global_id(0)] = get_global_id(0) + 1; }"), "good");
    constexpr size_t count = 256;
    cl_mem fresh = bufferOf(std::vector<cl_int>(count, 0));
    ASSERT_SUCCESS(clSetKernelArg(good_, 0, sizeof fresh, &fresh));
    ASSERT_EQ(statusAfter(good_, count), CL_COMPLETE) << allNotified();
    const std::vector<cl_int> got = read<cl_int>(fresh, count);
    for (size_t i = 0; i < count; ++i) ASSERT_EQ(got[i], static_cast<cl_int>(i + 1));
  }

private:
  cl_kernel good_ = nullptr;
};

}  // namespace clarity::test
