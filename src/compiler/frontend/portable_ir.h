// SPDX-License-Identifier: Apache-2.0
// This file reads a program that is given as portable IR: LLVM IR for spir64 as the front end makes it.
#pragma once

#include "compiler/frontend/clang.h"

#include <string_view>

namespace clarity::compiler {

class CollectingContext;

/// The module in bitcode or text, if it is one that OpenCL's front ends could have made; otherwise CompileFailure and a
/// sentence that says what is wrong with it. `options` get the language that the module was compiled as, where it says
/// so.
FrontendResult readPortableIR(CollectingContext&, std::string_view bytes, Options& options);

}  // namespace clarity::compiler
