// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainProgram (OpenCL 3.0, section 5.8.2).
#include "references.h"

namespace clarity::test {
namespace {

using RetainProgram = OpenCL;

TEST_F(RetainProgram, countsReferences) {
  expectReferencesCounted(source("kernel void none() {}"), clRetainProgram, clReleaseProgram, clGetProgramInfo,
                          CL_PROGRAM_REFERENCE_COUNT);
}

// program is not a valid program.
TEST_F(RetainProgram, invalidProgram) {
  expectRefused(*this, CL_INVALID_PROGRAM, clRetainProgram, driver->clRetainProgram);
}

}  // namespace
}  // namespace clarity::test
