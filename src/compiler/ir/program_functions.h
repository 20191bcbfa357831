// SPDX-License-Identifier: Apache-2.0
// This file names what tells a program's own functions from OpenCL's builtin functions in the IR
// (frontend/program_names.h).
#pragma once

namespace clarity::compiler {

/// Prefix of a program's own functions whose names are those of builtins.
inline constexpr char programPrefix[] = "user.";

/// Prefix of the names of the implementation's own functions: primitives, forms of the library, the runtime's. Programs
/// have none, as they would be called, or call, by what the name says.
inline constexpr char reservedPrefix[] = "__clarity_";

/// Prefix of clang's function with the body of a kernel, which other kernels call.
inline constexpr char kernelBodyPrefix[] = "__clang_ocl_kern_imp_";

/// The attribute of a function that the program declares and does not define: the mangled name of the builtin with its
/// name and parameters. Read by take-declared-builtins.
inline constexpr char builtinAttribute[] = "clarity-builtin";

}  // namespace clarity::compiler
