// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseKernel (OpenCL 3.0, section 5.9.1).
#include "references.h"

namespace clarity::test {
namespace {

struct ReleaseKernel : OpenCL {
  cl_kernel made(const char* text, const char* name) { return clCreateKernel(build(text), name, nullptr); }
};

// A kernel is deleted when no command needs it any more.
TEST_F(ReleaseKernel, commandsKeepTheirKernel) {
  cl_kernel value = made("kernel void value(global int* r, int a) { r[get_global_id(0)] = a; }", "value");
  ASSERT_NE(value, nullptr);
  cl_mem memory = buffer(64);
  const cl_int a = 12;
  ASSERT_SUCCESS(clSetKernelArg(value, 0, sizeof memory, &memory));
  ASSERT_SUCCESS(clSetKernelArg(value, 1, sizeof a, &a));
  cl_event gate = userEvent();
  const size_t global = 16;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, value, 1, nullptr, &global, nullptr, 1, &gate, nullptr));
  EXPECT_SUCCESS(clReleaseKernel(value));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(read<cl_int>(memory, 16), std::vector<cl_int>(16, 12));
}

// kernel is not a valid kernel.
TEST_F(ReleaseKernel, invalidKernel) {
  expectRefused(*this, CL_INVALID_KERNEL, clReleaseKernel, driver->clReleaseKernel);
}

}  // namespace
}  // namespace clarity::test
