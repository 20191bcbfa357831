// SPDX-License-Identifier: Apache-2.0
// This file tests clUnloadPlatformCompiler (OpenCL 3.0, section 5.8.7).
#include "fixture.h"

namespace clarity::test {
namespace {

struct UnloadPlatformCompiler : OpenCL {};

// It is a hint: programs are built before and after it, and those that are there work on.
TEST_F(UnloadPlatformCompiler, buildsAfterIt) {
  cl_program before = build("kernel void value(global int* r) { *r = 1; }");
  EXPECT_SUCCESS(clUnloadPlatformCompiler(platform));
  EXPECT_EQ(valueOf(before), 1);
  EXPECT_EQ(valueOf(build("kernel void value(global int* r) { *r = 2; }")), 2);
  EXPECT_SUCCESS(clUnloadPlatformCompiler(platform));
  EXPECT_SUCCESS(clUnloadPlatformCompiler(platform));
}

// platform is not a valid platform.
TEST_F(UnloadPlatformCompiler, invalidPlatform) {
  EXPECT_CL(CL_INVALID_PLATFORM, driver->clUnloadPlatformCompiler(nullptr));
  EXPECT_CL(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(notAnObject<cl_platform_id>()));
  EXPECT_CL(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(reinterpret_cast<cl_platform_id>(device)));
}

}  // namespace
}  // namespace clarity::test
