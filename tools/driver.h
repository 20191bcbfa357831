// SPDX-License-Identifier: Apache-2.0
// This file declares how the command finds Clarity's driver and shows it, and nothing else, to an OpenCL loader.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace clarity::tools {

/// Changes of an environment: a value to set, or nothing for a variable to remove.
using Environment = std::map<std::string, std::optional<std::string>>;

/// A library of Clarity's: beside this executable, or where the build and the installation put it relative to it.
/// Throws Failure that lists where it was looked for; `what` names it there.
std::filesystem::path findLibrary(const std::string& name, const std::string& what);

/// Clarity's driver library. Throws Failure.
std::filesystem::path findDriver();

/// The environment in which OpenCL loaders see one driver only. `icd` is a driver library, an .icd file or a folder
/// of .icd files; empty means Clarity's own driver. Both ocl-icd and Khronos' loader accept a folder in
/// OCL_ICD_VENDORS and nothing else in common, so a private folder that holds one .icd file is made where needed.
Environment environmentFor(const std::string& icd);

/// Applies environmentFor(icd) to this process; to be called before its first OpenCL call.
void useDriver(const std::string& icd);

}  // namespace clarity::tools
