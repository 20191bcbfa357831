// SPDX-License-Identifier: Apache-2.0
// This file tells builds of the compiler apart, for those who keep what it has made.
#pragma once

#include <string>

namespace clarity::compiler {

/// Twelve digits that tell this build of the compiler from every other: it may not know binaries that others made.
std::string buildName();

}  // namespace clarity::compiler
