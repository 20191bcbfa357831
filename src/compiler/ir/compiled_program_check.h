// SPDX-License-Identifier: Apache-2.0
// This file finds what is wrong with a compiled program that was read from bytes: every offset, size, count and
// enumerator, before anything relies on it.
#pragma once

#include "compiler/ir/compiled_program.h"

#include <string>

namespace clarity::compiler {

/// A sentence that names the first field with an impossible value, and the value; empty if there is none. The code
/// itself is not looked at (load.cpp).
std::string wrongWith(const CompiledProgram&);

}  // namespace clarity::compiler
