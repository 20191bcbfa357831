// SPDX-License-Identifier: Apache-2.0
// This file marks the conditions that checks put ahead of what they guard: they are none of the program's.
#pragma once

namespace llvm {
class BranchInst;
class Instruction;
}  // namespace llvm

namespace clarity::compiler {

/// `inside`: an instruction of a block that only the condition leads to.
void markGuard(llvm::Instruction& inside);
bool isGuard(const llvm::BranchInst&);

/// The branch of the condition that guards an instruction, where nothing else stands between them; the instruction
/// itself if there is none.
llvm::Instruction& placeAheadOf(llvm::Instruction&);

}  // namespace clarity::compiler
