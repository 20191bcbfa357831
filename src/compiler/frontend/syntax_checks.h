// SPDX-License-Identifier: Apache-2.0
// This file declares the checks of the syntax tree: for what clang accepts and the specification, or this compiler,
// does not.
#pragma once

#include "compiler/frontend/options.h"

namespace clang {
class CodeGenerator;
class CompilerInstance;
}  // namespace clang

namespace clarity::compiler {

/// Reports, at their source locations: invalid conversions of printf, and strings that are not literals (OpenCL C 3.0,
/// section 6.15.14), with lengths that the version of the language does not have; invalid orders of atomic operations
/// (atomic_orders.h); sizes of work-groups and sub-groups that the device does not support; virtual base classes;
/// objects in global memory with destructors, and static variables of functions without a constant initialiser
/// (collect_constructors.h says why). To be called after code generation of the translation unit, while the compiler
/// instance still exists.
void checkSyntax(clang::CompilerInstance&, Language, clang::CodeGenerator&);

}  // namespace clarity::compiler
