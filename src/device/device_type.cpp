// SPDX-License-Identifier: Apache-2.0
// This file is the names of the types that the CPU device may say it has.
#include "device/options.h"

#include <CL/cl.h>

#include <string_view>

namespace clarity::device {

cl_device_type deviceType(std::string_view name) {
  if (name == "cpu") return CL_DEVICE_TYPE_CPU;
  if (name == "gpu") return CL_DEVICE_TYPE_GPU;
  return name == "accelerator" ? CL_DEVICE_TYPE_ACCELERATOR : 0;
}

}  // namespace clarity::device
