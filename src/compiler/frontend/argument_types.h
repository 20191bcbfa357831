// SPDX-License-Identifier: Apache-2.0
// This file declares what corrects the names of argument types for CL_KERNEL_ARG_TYPE_NAME.
#pragma once

namespace clang {
class CodeGenerator;
}
namespace llvm {
class Module;
}

namespace clarity::compiler {

/// Clang names a pointer by what it points to, "float*", also where the source has a typedef of a pointer. Here such an
/// argument has the typedef's name. To be called with the module that was generated.
void nameTypedefsOfPointers(llvm::Module&, clang::CodeGenerator&);

}  // namespace clarity::compiler
