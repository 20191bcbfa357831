// SPDX-License-Identifier: Apache-2.0
// This file says what SPIR-V devices take (CL_DEVICE_IL_VERSION and cl_khr_spirv_queries).
#pragma once

#include "core/device.h"

#include <CL/cl.h>

#include <string>
#include <vector>

namespace clarity::core {

/// Every version that clCreateProgramWithIL takes, the highest first; the same on all devices.
inline constexpr cl_version spirvVersions[] = {
    CL_MAKE_VERSION(1, 6, 0), CL_MAKE_VERSION(1, 5, 0), CL_MAKE_VERSION(1, 4, 0), CL_MAKE_VERSION(1, 3, 0),
    CL_MAKE_VERSION(1, 2, 0), CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 0, 0)};

/// "SPIR-V_1.6 SPIR-V_1.5 ...": the same as CL_DEVICE_IL_VERSION has it.
std::string spirvVersionText();

// Names that a module for the device may use: the part of what the compiler reads that the device has extensions and
// features for. The texts live as long as the process.
std::vector<const char*> spirvInstructionSets(const Device& device);
std::vector<const char*> spirvExtensions(const Device& device);
std::vector<cl_uint> spirvCapabilities(const Device& device);

}  // namespace clarity::core
