// SPDX-License-Identifier: Apache-2.0
// This file adds to clang's diagnostics what OpenCL forbids and clang lets through for spir64: recursion and inline
// assembly (OpenCL C 3.0, section 6.11), flags of fences that there are none of (6.15.8), and functions on what the device has not. It
// notes where what is not defined here is used first (firstUseAttribute), for a link that does not find it either.
#pragma once

#include <string>

namespace clang {
class CodeGenerator;
class CompilerInstance;
}  // namespace clang

namespace clarity::compiler {

/// Looks through the generated module and reports each offence at its place in the source. To be called when the
/// translation unit has been parsed and generated, before the compiler instance goes.
void diagnoseForbidden(clang::CompilerInstance&, clang::CodeGenerator&);

/// "2 warnings and 1 error generated.\n"; empty if there are none.
std::string diagnosticCount(unsigned warnings, unsigned errors);

}  // namespace clarity::compiler
