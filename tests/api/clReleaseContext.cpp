// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseContext (OpenCL 3.0, section 4.4).
#include "references.h"

namespace clarity::test {
namespace {

struct ReleaseContext : OpenCL {};

// A context is deleted after its objects: they work on when the application has let it go first.
TEST_F(ReleaseContext, objectsKeepTheirContext) {
  cl_context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  ASSERT_NE(own, nullptr);
  cl_command_queue on = created([&](cl_int* e) { return clCreateCommandQueueWithProperties(own, device, nullptr, e); });
  cl_mem memory = created([&](cl_int* e) { return clCreateBuffer(own, CL_MEM_READ_WRITE, 16, nullptr, e); });
  const char* text = "kernel void five(global int* a) { a[get_global_id(0)] = 5; }";
  cl_program program = created([&](cl_int* e) { return clCreateProgramWithSource(own, 1, &text, nullptr, e); });
  EXPECT_SUCCESS(clReleaseContext(own));
  ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  cl_kernel five = kernel(program, "five");
  ASSERT_SUCCESS(clSetKernelArg(five, 0, sizeof memory, &memory));
  const size_t global = 4;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(on, five, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  std::vector<cl_int> result(4);
  ASSERT_SUCCESS(clEnqueueReadBuffer(on, memory, CL_TRUE, 0, 16, result.data(), 0, nullptr, nullptr));
  EXPECT_EQ(result, std::vector<cl_int>(4, 5));
}

// Every order of release is good, also while commands still wait.
TEST_F(ReleaseContext, anyOrderOfReleaseIsGood) {
  for (int order = 0; order < 4; ++order) {
    cl_context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    cl_command_queue on = clCreateCommandQueueWithProperties(own, device, nullptr, nullptr);
    cl_mem memory = clCreateBuffer(own, CL_MEM_READ_WRITE, 1 << 16, nullptr, nullptr);
    cl_event gate = clCreateUserEvent(own, nullptr);
    ASSERT_TRUE(own && on && memory && gate);
    const cl_uchar pattern = 9;
    cl_event done = nullptr;
    ASSERT_SUCCESS(clEnqueueFillBuffer(on, memory, &pattern, 1, 0, 1 << 16, 1, &gate, &done));
    if (order & 1) EXPECT_SUCCESS(clReleaseContext(own));
    if (order & 2) EXPECT_SUCCESS(clReleaseMemObject(memory));
    EXPECT_SUCCESS(clReleaseCommandQueue(on));
    EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT_SUCCESS(clWaitForEvents(1, &done));
    EXPECT_SUCCESS(clReleaseEvent(gate));
    EXPECT_SUCCESS(clReleaseEvent(done));
    if (!(order & 2)) EXPECT_SUCCESS(clReleaseMemObject(memory));
    if (!(order & 1)) EXPECT_SUCCESS(clReleaseContext(own));
  }
}

// context is not a valid context.
TEST_F(ReleaseContext, invalidContext) {
  expectRefused(*this, CL_INVALID_CONTEXT, clReleaseContext, driver->clReleaseContext);
}

}  // namespace
}  // namespace clarity::test
