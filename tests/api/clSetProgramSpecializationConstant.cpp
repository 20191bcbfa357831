// SPDX-License-Identifier: Apache-2.0
// This file tests clSetProgramSpecializationConstant (OpenCL 3.0, section 5.8.4). The device takes no intermediate
// language, so no program has specialization constants: CL_INVALID_SPEC_ID and CL_INVALID_VALUE cannot be provoked.
#include "fixture.h"

namespace clarity::test {
namespace {

struct SetProgramSpecializationConstant : OpenCL {
  const cl_int value = 1;
};

// No device of the program takes an intermediate language; a program from source is also no program from one.
TEST_F(SetProgramSpecializationConstant, invalidOperation) {
  const cl_int error = clSetProgramSpecializationConstant(source("kernel void none() {}"), 0, sizeof value, &value);
  EXPECT_TRUE(error == CL_INVALID_OPERATION || error == CL_INVALID_PROGRAM) << errorName(error);
}

// program is not a valid program.
TEST_F(SetProgramSpecializationConstant, invalidProgram) {
  EXPECT_CL(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(nullptr, 0, sizeof value, &value));
  EXPECT_CL(CL_INVALID_PROGRAM, driver->clSetProgramSpecializationConstant(nullptr, 0, sizeof value, &value));
  EXPECT_CL(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(notAnObject<cl_program>(), 0, sizeof value, &value));
}

}  // namespace
}  // namespace clarity::test
