// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainKernel (OpenCL 3.0, section 5.9.1).
#include "fixture.h"

namespace clarity::test {
namespace {

struct RetainKernel : OpenCL {
  cl_uint count(cl_kernel of) { return infoOf<cl_uint>(clGetKernelInfo, of, CL_KERNEL_REFERENCE_COUNT); }
};

TEST_F(RetainKernel, countsReferences) {
  cl_kernel none = kernel("kernel void none() {}", "none");
  EXPECT_EQ(count(none), 1U);
  EXPECT_SUCCESS(clRetainKernel(none));
  EXPECT_EQ(count(none), 2U);
  EXPECT_SUCCESS(clReleaseKernel(none));
  EXPECT_EQ(count(none), 1U);
}

// kernel is not a valid kernel.
TEST_F(RetainKernel, invalidKernel) {
  EXPECT_CL(CL_INVALID_KERNEL, clRetainKernel(nullptr));
  EXPECT_CL(CL_INVALID_KERNEL, driver->clRetainKernel(nullptr));
  EXPECT_CL(CL_INVALID_KERNEL, clRetainKernel(notAnObject<cl_kernel>()));
  EXPECT_CL(CL_INVALID_KERNEL, clRetainKernel(reinterpret_cast<cl_kernel>(context)));
}

// A kernel whose last reference is gone is no kernel any more.
TEST_F(RetainKernel, invalidKernelAfterTheLastRelease) {
  cl_kernel none = clCreateKernel(build("kernel void none() {}"), "none", nullptr);
  ASSERT_NE(none, nullptr);
  ASSERT_SUCCESS(clReleaseKernel(none));
  EXPECT_CL(CL_INVALID_KERNEL, driver->clRetainKernel(none));
}

}  // namespace
}  // namespace clarity::test
