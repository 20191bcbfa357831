// SPDX-License-Identifier: Apache-2.0
// This file tests clSetKernelExecInfo (OpenCL 3.0, section 5.9.3). The device supports no shared virtual memory.
#include "fixture.h"

namespace clarity::test {
namespace {

struct SetKernelExecInfo : OpenCL {
  void* pointers[1] = {this};
  const cl_bool yes = CL_TRUE;
  cl_kernel test() { return kernel("kernel void test(global int* r) { *r = 1; }", "test"); }
};

// No device of the context supports shared virtual memory, of buffers or of the system.
TEST_F(SetKernelExecInfo, invalidOperation) {
  cl_kernel kernel = test();
  EXPECT_CL(CL_INVALID_OPERATION, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, static_cast<void*>(pointers)));
  EXPECT_CL(CL_INVALID_OPERATION, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
  EXPECT_TRUE(wasNotified("")) << "nothing was notified";
}

// kernel is not a valid kernel.
TEST_F(SetKernelExecInfo, invalidKernel) {
  EXPECT_CL(CL_INVALID_KERNEL, clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
  EXPECT_CL(CL_INVALID_KERNEL, driver->clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
  EXPECT_CL(CL_INVALID_KERNEL, clSetKernelExecInfo(notAnObject<cl_kernel>(), CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
}

// param_name is not valid.
TEST_F(SetKernelExecInfo, invalidValue) {
  cl_kernel kernel = test();
  EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, 0x7777, sizeof yes, &yes));
  EXPECT_TRUE(wasNotifiedOf(0x7777)) << allNotified();
  EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, 0, 0, nullptr));
}

// A value is missing or of a wrong size: which of the two errors comes first is open.
TEST_F(SetKernelExecInfo, invalidValueOrOperation) {
  cl_kernel kernel = test();
  for (cl_int error : {clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, nullptr),
                       clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &yes)})
    EXPECT_TRUE(error == CL_INVALID_VALUE || error == CL_INVALID_OPERATION) << errorName(error);
}

}  // namespace
}  // namespace clarity::test
