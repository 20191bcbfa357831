// SPDX-License-Identifier: Apache-2.0
// This file declares how the simple entries of a record are read.
#pragma once

#include "profile_process.h"

#include <nlohmann/json_fwd.hpp>

namespace clarity::tools {

/// Adds compiles, counted launches, and those of GPUs. Throws nlohmann::json::exception where something is missing.
void addEntries(ProfiledProcess& process, const nlohmann::json& json);

}  // namespace clarity::tools
