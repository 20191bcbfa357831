// SPDX-License-Identifier: Apache-2.0
// This file names the error codes of OpenCL 3.0 and of common extensions, and selects the device.
#include "cl_api.h"

#include "command.h"

#include <cstdlib>
#include <vector>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

struct Name {
  cl_int code;
  const char* name;
};

constexpr Name kNames[] = {
#define CLARITY_ERROR(code) {code, #code},
#include "support/errors.def"
#undef CLARITY_ERROR
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

[[noreturn]] void failNoDriver() {
  const char* vendors = std::getenv("OCL_ICD_VENDORS");
  throw Failure(
      fmt::format("the OpenCL loader found no platform with a device; the driver could not be loaded "
                  "(OCL_ICD_VENDORS={})",
                  vendors ? vendors : ""));
}

}  // namespace

std::string errorName(cl_int code) {
  for (const Name& entry : kNames)
    if (entry.code == code) return entry.name;
  return fmt::format("error {}", code);
}

cl::Device firstDevice() {
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error& error) {
    if (error.err() == -1001) failNoDriver();
    throw;
  }
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> devices;
    try {
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error& error) {
      if (error.err() != CL_DEVICE_NOT_FOUND) throw;
    }
    if (!devices.empty()) return devices.front();
  }
  failNoDriver();
}

}  // namespace clarity::tools
