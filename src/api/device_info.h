// SPDX-License-Identifier: Apache-2.0
// This file is the answer to clGetDeviceInfo.
#pragma once

#include "core/device.h"

#include <CL/cl.h>

#include <cstddef>

namespace clarity::api {

/// Answers one query of OpenCL 3.0, table 5. CL_INVALID_VALUE.
void answerDevice(core::Device& device, cl_device_info param, std::size_t room, void* value, std::size_t* sizeRet);

}  // namespace clarity::api
