// SPDX-License-Identifier: Apache-2.0
// This file renames functions.
#include "compiler/workarounds/library_names.h"

#include <llvm/IR/Module.h>

namespace clarity::compiler {

void keepFromLibraryNames(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage()) function.setName("cl." + function.getName());
}

}  // namespace clarity::compiler
