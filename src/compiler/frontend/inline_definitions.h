// SPDX-License-Identifier: Apache-2.0
// This file declares what gives inline functions a definition.
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
class CodeGenerator;
}  // namespace clang
namespace llvm {
class Module;
}

namespace clarity::compiler {

/// Makes clang emit a definition of every function that is used and whose definition is `inline` without `static` or
/// `extern` (C99, section 6.7.4), or has the attribute gnu_inline. C leaves it to another translation unit to define
/// such a function, and clang emits nothing if it is not inlined; most OpenCL programs have one translation unit.
/// Kernels that are inline are kernels like any other. To be called with the consumer that generates code.
std::unique_ptr<clang::ASTConsumer> defineInlineFunctions(std::unique_ptr<clang::ASTConsumer> next);

/// Gives these definitions internal linkage, as the translation unit calls its own inline definition: others may have
/// different ones, or an external one. To be called with the module that was generated.
void internaliseInlineDefinitions(llvm::Module&, clang::CodeGenerator&);

}  // namespace clarity::compiler
