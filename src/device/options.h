// SPDX-License-Identifier: Apache-2.0
// This file checks what the user wants of the devices against what there is.
#pragma once

#include "device/device.h"

#include <string>
#include <string_view>
#include <vector>

namespace clarity::device {

/// Replaces what cannot be followed: names that nothing has, processors whose code cannot run here, far too many
/// threads. Returns a sentence on each for the user.
std::vector<std::string> correct(Options&);

/// The type of the device of that name: cpu, gpu, accelerator; 0 for other names.
cl_device_type deviceType(std::string_view name);

}  // namespace clarity::device
