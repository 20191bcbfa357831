// SPDX-License-Identifier: Apache-2.0
// This file reports what OpenCL forbids and clang accepts for spir64: recursion and, but for devices that have it,
// inline assembly (OpenCL C 3.0, section 6.11), what passes and back ends cannot compile (allowed_ir.h), invalid flags
// of fences (6.15.8), and functions of features that the device does not support. It also records the first use of each
// undefined name (firstUseAttribute), for errors of the link.
#pragma once

#include <string>

namespace clang {
class CodeGenerator;
class CompilerInstance;
}  // namespace clang

namespace clarity::compiler {

/// Checks the generated module and reports each violation at its source location. To be called after code generation of
/// the translation unit, while the compiler instance still exists.
/// @param takesAssembly whether the device has inline assembly (BackEnd::takesAssembly)
void diagnoseForbidden(clang::CompilerInstance&, clang::CodeGenerator&, bool takesAssembly);

/// "2 warnings and 1 error generated.\n"; empty if there are none.
std::string diagnosticCount(unsigned warnings, unsigned errors);

}  // namespace clarity::compiler
