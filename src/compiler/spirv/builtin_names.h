// SPDX-License-Identifier: Apache-2.0
// This file declares which functions the builtin library has, by their whole mangled names.
#pragma once

#include <string_view>

namespace clarity::compiler::spirv {

/// The type of a function of the builtin library as LLVM writes it, "float (float, i32)"; empty if there is none of the
/// name.
std::string_view typeOfBuiltin(std::string_view mangledName);

}  // namespace clarity::compiler::spirv
