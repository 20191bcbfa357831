// SPDX-License-Identifier: Apache-2.0
// This file declares how the lines of a program's source are found by the numbers that the compiler has for them.
#pragma once

#include <string>
#include <string_view>

namespace clarity::tools {

/// A text whose nth line is what the compiler calls line n of the file that has a kernel, as `#line` says: applications
/// join several files to one source. Without `#line` the source itself.
std::string asNumbered(std::string_view source, const std::string& kernel);

}  // namespace clarity::tools
