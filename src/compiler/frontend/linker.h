// SPDX-License-Identifier: Apache-2.0
// This file links the portable IR of compiled programs and libraries (clLinkProgram).
#pragma once

#include "compiler/ir/compiled_program.h"
#include "compiler/ir/status.h"
#include "compiler/ir/target.h"

#include <memory>
#include <span>
#include <string>

namespace llvm {
class Module;
}

namespace clarity::compiler {

class CollectingContext;

/// One module from all compiled programs, or nullptr and errors in `log`: functions or variables that are defined
/// twice, conflicting declarations, recursion across programs, a compiled program that is neither an Object nor a
/// Library.
std::unique_ptr<llvm::Module> linkPrograms(CollectingContext&,
                                           std::span<const std::shared_ptr<const CompiledProgram>> programs,
                                           std::string& log);

}  // namespace clarity::compiler
