// SPDX-License-Identifier: Apache-2.0
// This file is what a device says of its driver.
#pragma once

#include <string>

namespace clarity::core {

/// CL_DRIVER_VERSION, from the version in the device's properties: with which build it is, and what kernels are
/// instrumented for. Programs that keep binaries tell by it whether they may use them.
std::string driverVersion(const std::string& version);

}  // namespace clarity::core
