// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateKernelsInProgram (OpenCL 3.0, section 5.9.1).
#include "fixture.h"

#include <set>

namespace clarity::test {
namespace {

struct CreateKernelsInProgram : OpenCL {
  static constexpr const char* kSource =
      "kernel void first(global int* r) { *r = 1; } kernel void second(float a) {} kernel void third() {}";
  std::set<std::string> names(const std::vector<cl_kernel>& kernels) {
    std::set<std::string> found;
    for (cl_kernel each : kernels) found.insert(infoStringOf(clGetKernelInfo, each, CL_KERNEL_FUNCTION_NAME));
    return found;
  }
};

TEST_F(CreateKernelsInProgram, makesEveryKernel) {
  cl_program program = build(kSource);
  cl_uint count = 0;
  ASSERT_SUCCESS(clCreateKernelsInProgram(program, 0, nullptr, &count));
  ASSERT_EQ(count, 3U);
  std::vector<cl_kernel> kernels(5, nullptr);
  count = 0;
  ASSERT_SUCCESS(clCreateKernelsInProgram(program, 5, kernels.data(), &count));
  EXPECT_EQ(count, 3U);
  EXPECT_EQ(kernels[3], nullptr);
  EXPECT_EQ(kernels[4], nullptr);
  kernels.resize(3);
  for (cl_kernel each : kernels) {
    keep(each);
    EXPECT_EQ(infoOf<cl_uint>(clGetKernelInfo, each, CL_KERNEL_REFERENCE_COUNT), 1U);
    EXPECT_EQ(infoOf<cl_program>(clGetKernelInfo, each, CL_KERNEL_PROGRAM), program);
  }
  EXPECT_EQ(names(kernels), (std::set<std::string>{"first", "second", "third"}));
}

TEST_F(CreateKernelsInProgram, needsNoCount) {
  std::vector<cl_kernel> kernels(3, nullptr);
  ASSERT_SUCCESS(clCreateKernelsInProgram(build(kSource), 3, kernels.data(), nullptr));
  for (cl_kernel each : kernels) EXPECT_NE(keep(each), nullptr);
}

TEST_F(CreateKernelsInProgram, makesNoneOfNone) {
  cl_uint count = 9;
  EXPECT_SUCCESS(clCreateKernelsInProgram(build("int helper() { return 1; }"), 0, nullptr, &count));
  EXPECT_EQ(count, 0U);
}

// program is not a valid program.
TEST_F(CreateKernelsInProgram, invalidProgram) {
  cl_uint count = 0;
  EXPECT_CL(CL_INVALID_PROGRAM, clCreateKernelsInProgram(nullptr, 0, nullptr, &count));
  EXPECT_CL(CL_INVALID_PROGRAM, driver->clCreateKernelsInProgram(nullptr, 0, nullptr, &count));
  EXPECT_CL(CL_INVALID_PROGRAM, clCreateKernelsInProgram(notAnObject<cl_program>(), 0, nullptr, &count));
}

// No executable has been built.
TEST_F(CreateKernelsInProgram, invalidProgramExecutable) {
  cl_uint count = 0;
  EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(source(kSource), 0, nullptr, &count));
  cl_program failed = source("this is no program");
  clBuildProgram(failed, 0, nullptr, "", nullptr, nullptr);
  EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(failed, 0, nullptr, &count));
}

// There is room for fewer kernels than there are; none is made.
TEST_F(CreateKernelsInProgram, invalidValue) {
  cl_program program = build(kSource);
  cl_kernel kernels[2] = {};
  EXPECT_CL(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 2, kernels, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 0, kernels, nullptr));
  EXPECT_EQ(kernels[0], nullptr);
  EXPECT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr)) << "no kernel is attached";
}

}  // namespace
}  // namespace clarity::test
