// SPDX-License-Identifier: Apache-2.0
// This file tests clSetKernelArgSVMPointer (OpenCL 3.0, section 5.9.2). The device supports no shared virtual memory, so
// every pointer is refused and CL_INVALID_ARG_VALUE cannot be told from that.
#include "fixture.h"

namespace clarity::test {
namespace {

struct SetKernelArgSVMPointer : OpenCL {
  int place = 0;
  cl_kernel test() { return kernel("kernel void test(global int* r) { *r = 1; }", "test"); }
};

// No device of the context supports shared virtual memory.
TEST_F(SetKernelArgSVMPointer, invalidOperation) {
  cl_kernel kernel = test();
  EXPECT_CL(CL_INVALID_OPERATION, clSetKernelArgSVMPointer(kernel, 0, &place));
  EXPECT_TRUE(wasNotified("")) << "nothing was notified";
  // The argument is not set by it.
  const size_t global = 1;
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
}

// kernel is not a valid kernel.
TEST_F(SetKernelArgSVMPointer, invalidKernel) {
  EXPECT_CL(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(nullptr, 0, &place));
  EXPECT_CL(CL_INVALID_KERNEL, driver->clSetKernelArgSVMPointer(nullptr, 0, &place));
  EXPECT_CL(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(notAnObject<cl_kernel>(), 0, &place));
}

// arg_index is not that of an argument: which of the two errors comes first is open.
TEST_F(SetKernelArgSVMPointer, invalidArgIndexOrOperation) {
  const cl_int error = clSetKernelArgSVMPointer(test(), 9, &place);
  EXPECT_TRUE(error == CL_INVALID_ARG_INDEX || error == CL_INVALID_OPERATION) << errorName(error);
}

}  // namespace
}  // namespace clarity::test
