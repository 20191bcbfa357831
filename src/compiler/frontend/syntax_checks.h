// SPDX-License-Identifier: Apache-2.0
// This file declares what is checked in the syntax tree: what clang lets through and the specification, or this compiler, does not.
#pragma once

namespace clang {
class CodeGenerator;
class CompilerInstance;
}  // namespace clang

namespace clarity::compiler {

/// Reports at their places in the source: conversions of printf that OpenCL C has not, and strings that are no literals (OpenCL C 3.0, section
/// 6.15.14); orders of atomic operations (atomic_orders.h); sizes of work-groups and sub-groups that there are none of; virtual base classes; objects in global memory whose destructors nothing would run, and static
/// variables of functions that do not begin as constants (collect_constructors.h says why). To be called when the
/// translation unit has been parsed and generated, before the compiler instance goes.
void checkSyntax(clang::CompilerInstance&, clang::CodeGenerator&);

}  // namespace clarity::compiler
