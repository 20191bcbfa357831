// SPDX-License-Identifier: Apache-2.0
// This file makes programs to be linked mean the same by the names that they share, or says where they do not.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace clarity::compiler {

/// Turns declarations that leave out `kernel` or a result into those of the definition, and their calls too. Returns an
/// error for each other name that modules define or use as functions or variables of different types, kinds or address
/// spaces; nothing if there is none. LLVM's linker joins such names, and the call of a function by another type is
/// undefined in its IR.
///   part: "int part(int);" in one module, "float part(int a) { return a; }" in another one
std::string reconcileSharedNames(const std::vector<std::unique_ptr<llvm::Module>>& modules);

}  // namespace clarity::compiler
