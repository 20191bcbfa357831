// SPDX-License-Identifier: Apache-2.0
// This file declares how the variables that PacketBuilder leaves between blocks become values.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class AllocaInst;
class BasicBlock;
class Function;
}  // namespace llvm

namespace clarity::compiler {

/// Variables of one run of a tile: they hold nothing where it begins, and no load reads them after it has ended.
struct RunVariables {
  llvm::BasicBlock* begin = nullptr;
  llvm::SmallVector<llvm::AllocaInst*, 64> variables;
};

/// Puts all variables into SSA form. LLVM's own pass (mem2reg) does the same, in a time that is the number of variables
/// times the number of blocks behind each: the code of a tile is one long line of blocks, with variables for every one
/// of them. Here a variable costs what lies between its stores and its loads. No block may be unreachable.
void promoteVariables(llvm::Function& function, llvm::ArrayRef<RunVariables> runs);

}  // namespace clarity::compiler
