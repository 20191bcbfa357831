// SPDX-License-Identifier: Apache-2.0
// This file gives the part of the builtin library that is there for NVIDIA GPUs only.
#pragma once

#include <string_view>

namespace clarity::builtins {

/// LLVM bitcode for nvptx64: the math functions of runtime_math.def, and what sub-groups, work-groups and printf leave
/// to the target. Lives as long as the process.
std::string_view nvptxLibrary();

/// The function of this library that computes the builtin `name` of scalars whose first parameter is float, within the
/// bounds of unsafe math if `relaxed`; empty where the builtin library's serves (builtins.h).
std::string_view nvptxFloatForm(std::string_view name, bool relaxed);
/// The same for double, which unsafe math does not change.
std::string_view nvptxDoubleForm(std::string_view name);

}  // namespace clarity::builtins
