// SPDX-License-Identifier: Apache-2.0
// This file calls functions that loaders get by name from the driver and do not hand on themselves.
#pragma once

#include "fixture.h"

namespace clarity::test {

/// The driver's function of this name; the test fails if there is none.
template <class Function>
Function driverFunction(OpenCL& test, const char* name) {
  void* const address = test.driver->clGetExtensionFunctionAddressForPlatform(test.platform, name);
  EXPECT_NE(address, nullptr) << name;
  return reinterpret_cast<Function>(address);
}

}  // namespace clarity::test
