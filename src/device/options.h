// SPDX-License-Identifier: Apache-2.0
// This file checks what the user wants of the devices against what there is.
#pragma once

#include "device/device.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::device {

/// Replaces what cannot be followed: names that nothing has, processors whose code cannot run here, far too many
/// threads. Returns a sentence on each for the user.
std::vector<std::string> correct(Options&);

/// The devices of a list that are separated by commas: "cpu", "joined(cpu,cpu)"; without blanks around them.
std::vector<std::string_view> kindsIn(std::string_view list);
/// The list between the brackets of "joined(...)"; nothing for other kinds.
std::optional<std::string_view> joinedKinds(std::string_view kind);

/// The type of the device of that name: cpu, gpu, accelerator; 0 for other names.
cl_device_type deviceType(std::string_view name);

}  // namespace clarity::device
