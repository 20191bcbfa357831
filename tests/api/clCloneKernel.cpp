// SPDX-License-Identifier: Apache-2.0
// This file tests clCloneKernel (OpenCL 3.0, section 5.9.4).
#include "fixture.h"

namespace clarity::test {
namespace {

struct CloneKernel : OpenCL {
  cl_kernel cloneOf(cl_kernel of) {
    return created([&](cl_int* e) { return clCloneKernel(of, e); });
  }
  cl_program program() {
    return build(R"(
      kernel void value(global int* r, int a, local int* scratch) {
        scratch[get_local_id(0)] = a;
        barrier(CLK_LOCAL_MEM_FENCE);
        r[get_global_id(0)] = scratch[get_local_size(0) - 1 - get_local_id(0)];
      })");
  }
  void set(cl_kernel kernel, cl_mem memory, cl_int a) {
    ASSERT_SUCCESS(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    ASSERT_SUCCESS(clSetKernelArg(kernel, 1, sizeof a, &a));
    ASSERT_SUCCESS(clSetKernelArg(kernel, 2, 4 * sizeof(cl_int), nullptr));
  }
};

// A clone is ready to run when its source is, with the same arguments.
TEST_F(CloneKernel, copiesArguments) {
  cl_kernel first = kernel(program(), "value");
  cl_mem memory = buffer(16);
  set(first, memory, 7);
  launch(cloneOf(first), 4, 4);
  EXPECT_EQ(read<cl_int>(memory, 4), std::vector<cl_int>(4, 7));
}

// After that each has arguments of its own.
TEST_F(CloneKernel, isIndependent) {
  cl_kernel first = kernel(program(), "value");
  cl_mem memory = buffer(16), other = buffer(16);
  set(first, memory, 1);
  cl_kernel second = cloneOf(first);
  set(second, other, 2);
  launch(first, 4, 4);
  launch(second, 4, 4);
  EXPECT_EQ(read<cl_int>(memory, 4), std::vector<cl_int>(4, 1));
  EXPECT_EQ(read<cl_int>(other, 4), std::vector<cl_int>(4, 2));
}

TEST_F(CloneKernel, outlivesItsSource) {
  cl_program own = program();
  cl_kernel first = clCreateKernel(own, "value", nullptr);
  ASSERT_NE(first, nullptr);
  cl_mem memory = buffer(16);
  set(first, memory, 3);
  cl_kernel second = cloneOf(first);
  ASSERT_SUCCESS(clReleaseKernel(first));
  launch(second, 4, 4);
  EXPECT_EQ(read<cl_int>(memory, 4), std::vector<cl_int>(4, 3));
}

// A clone counts its own references and is a kernel of the program like any other.
TEST_F(CloneKernel, isAKernelOfItsOwn) {
  cl_program own = program();
  cl_kernel first = kernel(own, "value");
  ASSERT_SUCCESS(clRetainKernel(first));
  cl_kernel second = cloneOf(first);
  EXPECT_NE(first, second);
  EXPECT_EQ(infoOf<cl_uint>(clGetKernelInfo, second, CL_KERNEL_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<cl_uint>(clGetKernelInfo, first, CL_KERNEL_REFERENCE_COUNT), 2U);
  ASSERT_SUCCESS(clReleaseKernel(first));
  EXPECT_EQ(infoStringOf(clGetKernelInfo, second, CL_KERNEL_FUNCTION_NAME), "value");
  EXPECT_EQ(infoOf<cl_program>(clGetKernelInfo, second, CL_KERNEL_PROGRAM), own);
  EXPECT_CL(CL_INVALID_OPERATION, clBuildProgram(own, 0, nullptr, "", nullptr, nullptr));
}

// An argument that is not set is not set in the clone.
TEST_F(CloneKernel, copiesWhatIsMissing) {
  cl_kernel first = kernel(program(), "value");
  const cl_int a = 1;
  ASSERT_SUCCESS(clSetKernelArg(first, 1, sizeof a, &a));
  const size_t global = 4;
  EXPECT_CL(CL_INVALID_KERNEL_ARGS,
            clEnqueueNDRangeKernel(queue, cloneOf(first), 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
}

// source_kernel is not a valid kernel.
TEST_F(CloneKernel, invalidKernel) {
  expectFails(CL_INVALID_KERNEL, [&](cl_int* e) { return clCloneKernel(nullptr, e); });
  expectFails(CL_INVALID_KERNEL, [&](cl_int* e) { return driver->clCloneKernel(nullptr, e); });
  expectFails(CL_INVALID_KERNEL, [&](cl_int* e) { return clCloneKernel(notAnObject<cl_kernel>(), e); });
  expectFails(CL_INVALID_KERNEL, [&](cl_int* e) { return clCloneKernel(reinterpret_cast<cl_kernel>(queue), e); });
}

}  // namespace
}  // namespace clarity::test
