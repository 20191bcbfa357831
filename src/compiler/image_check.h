// SPDX-License-Identifier: Apache-2.0
// This file finds what is wrong with an image that was read from bytes: every offset, size, count and enumerator,
// before anything relies on it.
#pragma once

#include "compiler/image.h"

#include <string>

namespace clarity::compiler {

/// A sentence that names the first field with an impossible value, and the value; empty if there is none. What the code
/// itself contains is not looked at (load.cpp).
std::string wrongWith(const Image&);

}  // namespace clarity::compiler
