// SPDX-License-Identifier: Apache-2.0
// This file keeps the source locations of accesses that LLVM moves or makes anew. LLVM drops them, for the sake of
// debuggers that step through lines; a fault is reported with the line that the access is from.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/iterator_range.h>
#include <llvm/IR/DebugLoc.h>

namespace llvm {
class BasicBlock;
class Instruction;
class PassInstrumentationCallbacks;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// To live as long as passes with the callbacks run.
class MovedLocations {
public:
  void registerIn(llvm::PassInstrumentationCallbacks& callbacks);

private:
  struct Access {
    const llvm::Instruction* instruction;  ///< may be gone when the pass has run
    const llvm::Value* pointer;            ///< null unless it is a load or a store, also under a mask
    unsigned opcode;
    llvm::DebugLoc location;
  };

  void note(const llvm::BasicBlock& block);
  void restore(llvm::BasicBlock& block) const;
  llvm::DebugLoc locationFor(const llvm::Instruction& instruction) const;

  // The accesses of the loop or function that the pass works on.
  llvm::SmallVector<Access, 32> accesses_;
  llvm::SmallPtrSet<const llvm::Instruction*, 32> unknown_;  ///< had no location before
};

}  // namespace clarity::compiler
