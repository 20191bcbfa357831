// SPDX-License-Identifier: Apache-2.0
// This file declares the calls that stand around a packet's run where its sub-groups may wait for each other.
// PacketsPass leaves them, OutlineSubGroupsPass makes functions of what is between them.
#pragma once

#include <llvm/IR/DerivedTypes.h>

namespace llvm {
class BasicBlock;
class Instruction;
class Module;
}  // namespace llvm

namespace clarity::compiler {

/// The function whose calls begin a run.
inline constexpr char beginOfRun[] = "__clarity_begin_run";

/// Declares a function of the device's runtime: void (parameters...), which never throws.
llvm::FunctionCallee runtimeHook(llvm::Module& module, llvm::StringRef name,
                                 llvm::ArrayRef<llvm::Type*> parameters = {});

/// Marks at the end of a block; finishRuns marks the block behind the loops over packets.
void markBeginOfRun(llvm::BasicBlock& block);
void markEndOfRun(llvm::BasicBlock& block);
void finishRuns(llvm::BasicBlock& afterNest);
bool isEndOfRun(const llvm::Instruction& instruction);

/// The function that a loop calls while it waits.
llvm::FunctionCallee pauseOfSubGroup(llvm::Module& module);

}  // namespace clarity::compiler
