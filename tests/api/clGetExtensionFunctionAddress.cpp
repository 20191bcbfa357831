// SPDX-License-Identifier: Apache-2.0
// This file tests clGetExtensionFunctionAddress (OpenCL 1.x, deprecated since 1.2; section 4.5). The loader asks the
// platform whose suffix a name has, so the driver is asked past the loader.
#include "fixture.h"

namespace clarity::test {
namespace {

struct GetExtensionFunctionAddress : OpenCL {};

// The function is that which is found for the platform.
TEST_F(GetExtensionFunctionAddress, findsTheFunctionOfTheLoader) {
  void* address = driver->clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR");
  EXPECT_NE(address, nullptr);
  EXPECT_EQ(address, driver->clGetExtensionFunctionAddressForPlatform(platform, "clIcdGetPlatformIDsKHR"));
}

TEST_F(GetExtensionFunctionAddress, findsNothing) {
  EXPECT_EQ(clGetExtensionFunctionAddress("clNoSuchFunctionKHR"), nullptr);
  EXPECT_EQ(driver->clGetExtensionFunctionAddress("clNoSuchFunctionKHR"), nullptr);
  EXPECT_EQ(driver->clGetExtensionFunctionAddress(""), nullptr);
  EXPECT_EQ(driver->clGetExtensionFunctionAddress(nullptr), nullptr);
}

}  // namespace
}  // namespace clarity::test
