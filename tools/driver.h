// SPDX-License-Identifier: Apache-2.0
// This file declares how the command finds Clarity's driver and makes an OpenCL loader load only that.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace clarity::tools {

/// Changes of the environment: a value to set, or nothing to remove the variable.
using Environment = std::map<std::string, std::optional<std::string>>;

/// A library of Clarity, in the folder of this executable or in those of the build and the installation relative to it.
/// Throws Failure with the list of these folders; `what` is the name of the library in that text.
std::filesystem::path findLibrary(const std::string& name, const std::string& what);

/// Clarity's driver library. Throws Failure.
std::filesystem::path findDriver();

/// The environment in which OpenCL loaders find one driver only. `icd` is a driver library, an .icd file or a folder
/// of .icd files; empty means Clarity's own driver.
Environment environmentFor(const std::string& icd);

/// Adds the option --icd, which is such a driver.
void addIcdOption(CLI::App& command, std::string& icd);

/// Applies environmentFor(icd) to this process; to be called before its first OpenCL call.
void useDriver(const std::string& icd);

}  // namespace clarity::tools
