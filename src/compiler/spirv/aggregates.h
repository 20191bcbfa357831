// SPDX-License-Identifier: Apache-2.0
// This file declares accesses to values of any type, one number at a time: clang copies structures and arrays as memory
// and never loads or stores them as a whole, and passes rely on it.
#pragma once

#include "compiler/spirv/instruction.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace clarity::compiler::spirv {

/// Called for each load or store that is made, to mark it.
using MarkAccess = llvm::function_ref<void(llvm::Instruction&)>;

/// Loads a value. Refuses the module if it has more numbers than a kernel could hold in registers.
llvm::Value* loadParts(llvm::IRBuilderBase& builder, llvm::Type* type, llvm::Value* pointer, llvm::Align alignment,
                       const Instruction& user, MarkAccess mark);
void storeParts(llvm::IRBuilderBase& builder, llvm::Value* value, llvm::Value* pointer, llvm::Align alignment,
                const Instruction& user, MarkAccess mark);

}  // namespace clarity::compiler::spirv
