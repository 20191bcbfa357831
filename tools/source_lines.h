// SPDX-License-Identifier: Apache-2.0
// This file declares how the lines of a program's source are found by the numbers that the compiler has for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clarity::tools {

/// A text whose nth line is what the compiler calls line n of the file that has a kernel, as `#line` says: applications
/// join several files to one source. Without `#line` the source itself.
std::string asNumbered(std::string_view source, const std::string& kernel);

/// For each line, whether the preprocessor reads it, as far as `#if 0` and `#if 1` tell; comments do not count.
std::vector<bool> activeLines(const std::vector<std::string_view>& lines);

}  // namespace clarity::tools
