// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateProgramWithIL (OpenCL 3.0, section 5.8.1). The device takes no intermediate language, so what
// is wrong with an IL (CL_INVALID_VALUE) cannot be told from that.
#include "fixture.h"

namespace clarity::test {
namespace {

struct CreateProgramWithIL : OpenCL {
  /// The header of a SPIR-V 1.0 module: magic number, version, generator, bound, schema.
  const cl_uint module[5] = {0x07230203, 0x00010000, 0, 1, 0};
};

// No device of the context takes an intermediate language.
TEST_F(CreateProgramWithIL, invalidOperation) {
  expectFails(CL_INVALID_OPERATION, [&](cl_int* e) { return clCreateProgramWithIL(context, module, sizeof module, e); });
  EXPECT_TRUE(wasNotified("")) << "nothing was notified";
}

// context is not a valid context.
TEST_F(CreateProgramWithIL, invalidContext) {
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) { return clCreateProgramWithIL(nullptr, module, sizeof module, e); });
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) { return driver->clCreateProgramWithIL(nullptr, module, sizeof module, e); });
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) { return clCreateProgramWithIL(notAnObject<cl_context>(), module, sizeof module, e); });
}

// il is NULL or length 0: which of the two errors comes first is open.
TEST_F(CreateProgramWithIL, invalidValueOrOperation) {
  for (const auto& [il, length] : {std::pair<const void*, size_t>{nullptr, 20}, {module, 0}}) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clCreateProgramWithIL(context, il, length, &error), nullptr);
    EXPECT_TRUE(error == CL_INVALID_VALUE || error == CL_INVALID_OPERATION) << errorName(error);
  }
}

}  // namespace
}  // namespace clarity::test
