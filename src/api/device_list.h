// SPDX-License-Identifier: Apache-2.0
// This file finds the devices of a type, for clGetDeviceIDs and clCreateContextFromType.
#pragma once

#include "core/device.h"
#include "core/ref.h"

#include <CL/cl.h>

#include <vector>

namespace clarity::api {

/// The root devices that `type` selects; empty if there is none. CL_INVALID_DEVICE_TYPE if it is not a valid value.
std::vector<core::Ref<core::Device>> devicesOfType(cl_device_type type);

}  // namespace clarity::api
