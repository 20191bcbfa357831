// SPDX-License-Identifier: Apache-2.0
// This file generates code for the host and loads it: what the CPU device asks the compiler for.
#pragma once

#include "compiler/driver/compiler.h"
#include "compiler/host/host_code.h"

#include <cstddef>
#include <string_view>

namespace clarity::compiler {

/// generate() for the host and the loading of what it returns. `variables` is where the block of the compiled program's
/// ProgramScope::variables is; nullptr if it is empty.
NativeOutcome generateNative(const CompiledProgram&, std::string_view kernel, const Shape&, const Target&,
                             std::byte* variables, IfNotKept = IfNotKept::Generate);

}  // namespace clarity::compiler
