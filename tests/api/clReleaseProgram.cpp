// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseProgram (OpenCL 3.0, section 5.8.2).
#include "references.h"

namespace clarity::test {
namespace {

struct ReleaseProgram : OpenCL {
  cl_program built() {
    const char* text = "kernel void value(global int* r) { *r = 11; }";
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
    EXPECT_SUCCESS(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
    return program;
  }
};

// A program is deleted after its kernels: they run on when the application has let it go first.
TEST_F(ReleaseProgram, kernelsKeepTheirProgram) {
  cl_program program = built();
  cl_kernel value = kernel(program, "value");
  EXPECT_SUCCESS(clReleaseProgram(program));
  cl_mem memory = buffer(4);
  ASSERT_SUCCESS(clSetKernelArg(value, 0, sizeof memory, &memory));
  launch(value, 1);
  EXPECT_EQ(read<cl_int>(memory, 1)[0], 11);
}

// The same for a kernel that only waits in a command-queue any more.
TEST_F(ReleaseProgram, commandsKeepTheirProgram) {
  cl_program program = built();
  cl_kernel value = clCreateKernel(program, "value", nullptr);
  ASSERT_NE(value, nullptr);
  cl_mem memory = buffer(4);
  cl_event gate = userEvent();
  ASSERT_SUCCESS(clSetKernelArg(value, 0, sizeof memory, &memory));
  const size_t global = 1;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, value, 1, nullptr, &global, nullptr, 1, &gate, nullptr));
  EXPECT_SUCCESS(clReleaseKernel(value));
  EXPECT_SUCCESS(clReleaseProgram(program));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(read<cl_int>(memory, 1)[0], 11);
}

// program is not a valid program.
TEST_F(ReleaseProgram, invalidProgram) {
  expectRefused(*this, CL_INVALID_PROGRAM, clReleaseProgram, driver->clReleaseProgram);
}

}  // namespace
}  // namespace clarity::test
