// SPDX-License-Identifier: Apache-2.0
// This file tests clUnloadCompiler (OpenCL 1.x, deprecated since 1.2; section 5.8.7), which always succeeds.
#include "driver_functions.h"

namespace clarity::test {
namespace {

struct UnloadCompiler : OpenCL {};

TEST_F(UnloadCompiler, buildsAfterIt) {
  EXPECT_SUCCESS(clUnloadCompiler());
  EXPECT_SUCCESS(driverFunction<decltype(cl_icd_dispatch::clUnloadCompiler)>(*this, "clUnloadCompiler")());
  EXPECT_EQ(valueOf(build("kernel void value(global int* r) { *r = 2; }")), 2);
}

}  // namespace
}  // namespace clarity::test
