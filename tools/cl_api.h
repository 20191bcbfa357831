// SPDX-License-Identifier: Apache-2.0
// This file includes the OpenCL C++ bindings with the settings of the command, and declares names of error codes.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 110  // 2023.02 of the bindings does not compile with 120
#include <CL/opencl.hpp>

#include <string>
#include <vector>

namespace clarity::tools {

/// "CL_INVALID_VALUE" for -30; the number if the standard has no name for it.
std::string errorName(cl_int code);

/// The platforms that the loader reports. Throws Failure that names the missing driver if there are none.
std::vector<cl::Platform> allPlatforms();
/// The devices of a platform, which may be none.
std::vector<cl::Device> devicesOf(const cl::Platform& platform);

}  // namespace clarity::tools
