// SPDX-License-Identifier: Apache-2.0
// This file reads a program that is given as portable IR: LLVM IR for spir64, as the front end emits it.
#pragma once

#include "compiler/frontend/clang.h"

#include <string>
#include <string_view>

namespace llvm {
class Module;
}

namespace clarity::compiler {

class CollectingContext;

/// The module in bitcode or text, if an OpenCL front end could have emitted it; otherwise CompileFailure and the
/// reason. Sets the language in `options` if the module names it.
FrontendResult readPortableIR(CollectingContext&, std::string_view bytes, Options& options, bool takesAssembly);

/// Why a module is not valid, or not what an OpenCL front end could have emitted; empty if it is. Debug information
/// that is not valid is dropped.
std::string wrongWithPortableIR(llvm::Module& module, bool takesAssembly);

/// Why LLVM rejects a module, on one line; empty if it does not.
std::string invalidIR(const llvm::Module& module);

}  // namespace clarity::compiler
