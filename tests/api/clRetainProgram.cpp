// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainProgram (OpenCL 3.0, section 5.8.2).
#include "fixture.h"

namespace clarity::test {
namespace {

struct RetainProgram : OpenCL {
  cl_uint count(cl_program of) { return infoOf<cl_uint>(clGetProgramInfo, of, CL_PROGRAM_REFERENCE_COUNT); }
};

TEST_F(RetainProgram, countsReferences) {
  cl_program program = source("kernel void none() {}");
  EXPECT_EQ(count(program), 1U);
  EXPECT_SUCCESS(clRetainProgram(program));
  EXPECT_EQ(count(program), 2U);
  EXPECT_SUCCESS(clReleaseProgram(program));
  EXPECT_EQ(count(program), 1U);
}

// program is not a valid program.
TEST_F(RetainProgram, invalidProgram) {
  EXPECT_CL(CL_INVALID_PROGRAM, clRetainProgram(nullptr));
  EXPECT_CL(CL_INVALID_PROGRAM, driver->clRetainProgram(nullptr));
  EXPECT_CL(CL_INVALID_PROGRAM, clRetainProgram(notAnObject<cl_program>()));
  EXPECT_CL(CL_INVALID_PROGRAM, clRetainProgram(reinterpret_cast<cl_program>(context)));
}

// A program whose last reference is gone is no program any more.
TEST_F(RetainProgram, invalidProgramAfterTheLastRelease) {
  const char* text = "kernel void none() {}";
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  ASSERT_NE(program, nullptr);
  ASSERT_SUCCESS(clReleaseProgram(program));
  EXPECT_CL(CL_INVALID_PROGRAM, driver->clRetainProgram(program));
}

}  // namespace
}  // namespace clarity::test
