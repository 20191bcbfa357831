// SPDX-License-Identifier: Apache-2.0
// This file tests clSetProgramReleaseCallback (OpenCL 2.2, deprecated since 3.0; section 5.8.3). The device knows no
// destructors of program scope variables, so the call is refused with every callback.
#include "fixture.h"

namespace clarity::test {
namespace {

void CL_CALLBACK mark(cl_program /*program*/, void* called) { *static_cast<bool*>(called) = true; }

struct SetProgramReleaseCallback : OpenCL {
  bool called = false;
};

// No device of the context supports destructors of program scope variables.
TEST_F(SetProgramReleaseCallback, invalidOperation) {
  const char* text = "kernel void none() {}";
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  ASSERT_NE(program, nullptr);
  EXPECT_CL(CL_INVALID_OPERATION, clSetProgramReleaseCallback(program, &mark, &called));
  EXPECT_SUCCESS(clReleaseProgram(program));
  EXPECT_FALSE(called) << "a callback that was refused";
}

// program is not a valid program.
TEST_F(SetProgramReleaseCallback, invalidProgram) {
  EXPECT_CL(CL_INVALID_PROGRAM, clSetProgramReleaseCallback(nullptr, &mark, &called));
  EXPECT_CL(CL_INVALID_PROGRAM, driver->clSetProgramReleaseCallback(nullptr, &mark, &called));
  EXPECT_CL(CL_INVALID_PROGRAM, clSetProgramReleaseCallback(notAnObject<cl_program>(), &mark, &called));
}

// pfn_notify is NULL.
TEST_F(SetProgramReleaseCallback, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, clSetProgramReleaseCallback(source("kernel void none() {}"), nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
