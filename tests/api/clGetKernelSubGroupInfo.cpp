// SPDX-License-Identifier: Apache-2.0
// This file tests clGetKernelSubGroupInfo (OpenCL 3.0, section 5.9.5). The device supports no sub-groups, so every query
// with a valid kernel and device is an invalid operation and CL_INVALID_VALUE cannot be told from it.
#include "fixture.h"

namespace clarity::test {
namespace {

struct GetKernelSubGroupInfo : OpenCL {
  cl_kernel test() { return kernel("kernel void test() {}", "test"); }
  const size_t local = 8;
  size_t result[3] = {};
};

// device does not support sub-groups.
TEST_F(GetKernelSubGroupInfo, invalidOperation) {
  cl_kernel kernel = test();
  for (cl_kernel_sub_group_info name :
       {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
        CL_KERNEL_MAX_NUM_SUB_GROUPS, CL_KERNEL_COMPILE_NUM_SUB_GROUPS}) {
    EXPECT_CL(CL_INVALID_OPERATION, clGetKernelSubGroupInfo(kernel, device, name, sizeof local, &local, sizeof(size_t), result, nullptr));
    EXPECT_CL(CL_INVALID_OPERATION, clGetKernelSubGroupInfo(kernel, nullptr, name, sizeof local, &local, sizeof(size_t), result, nullptr));
  }
}

// kernel is not a valid kernel.
TEST_F(GetKernelSubGroupInfo, invalidKernel) {
  const auto of = [&](cl_kernel wrong) {
    return clGetKernelSubGroupInfo(wrong, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, sizeof(size_t), result, nullptr);
  };
  EXPECT_CL(CL_INVALID_KERNEL, of(nullptr));
  EXPECT_CL(CL_INVALID_KERNEL, of(notAnObject<cl_kernel>()));
  EXPECT_CL(CL_INVALID_KERNEL,
            driver->clGetKernelSubGroupInfo(nullptr, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, sizeof(size_t), result, nullptr));
}

// device is not one of the kernel's.
TEST_F(GetKernelSubGroupInfo, invalidDevice) {
  EXPECT_CL(CL_INVALID_DEVICE, clGetKernelSubGroupInfo(test(), notAnObject<cl_device_id>(), CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr,
                                                       sizeof(size_t), result, nullptr));
}

}  // namespace
}  // namespace clarity::test
