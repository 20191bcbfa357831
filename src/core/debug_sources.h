// SPDX-License-Identifier: Apache-2.0
// This file finds, for debuggers, the file that a program's source is from, or makes one.
#pragma once

#include <string>
#include <string_view>

namespace clarity::core {

/// Build options that name the file of this source, and the folder that its name is relative to: the file that
/// `options` name; or a file below the working folder or that of the executable with this content; or one that is
/// written to CLARITY_DEBUG_SOURCES, in a folder named after its content. Empty unless CLARITY_DEBUG is set, or when
/// there is no such file.
std::string debugSourceOptions(std::string_view source, std::string_view options);

}  // namespace clarity::core
