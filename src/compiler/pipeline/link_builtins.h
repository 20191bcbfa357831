// SPDX-License-Identifier: Apache-2.0
// This file links the OpenCL C library into a program.
#pragma once

#include <llvm/Support/Error.h>

namespace llvm {
class Module;
}

namespace clarity::compiler {

class BackEnd;

/// Adds the definitions of the builtin functions that the module uses, and no others.
/// @param relaxed take the quicker forms that -cl-unsafe-math-optimizations and -cl-fast-relaxed-math allow
/// @param avx512 take the forms that the library has for processors with AVX-512
/// @param device has forms of its own for some (BackEnd::floatForm)
llvm::Error linkBuiltins(llvm::Module& module, bool relaxed, bool avx512, const BackEnd& device);

}  // namespace clarity::compiler
