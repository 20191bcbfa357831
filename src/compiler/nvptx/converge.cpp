// SPDX-License-Identifier: Apache-2.0
// This file finds branches behind which threads come apart to where they have to be together.
#include "compiler/nvptx/converge.h"

#include "compiler/guard/limits.h"
#include "compiler/ir/cost_model.h"
#include "compiler/nvptx/divergent_branches.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/StructurizeCFG.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>
#include <llvm/Transforms/Utils/UnifyLoopExits.h>

namespace clarity::compiler::nvptx {
namespace {

class ApartFinder {
public:
  explicit ApartFinder(llvm::Function& function) : together_(blocksForSeveralThreads(function)) {}

  /// Whether threads may come apart to a block with an instruction for all of them.
  bool run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    return !together_.empty() &&
           anyDivergentBranch(function, analyses, [&](llvm::BasicBlock& branch, llvm::BasicBlock* meeting) {
             return comeApart(branch, meeting);
           });
  }

private:
  /// Whether two ways from a branch lead to such a block ahead of `meeting`.
  bool comeApart(llvm::BasicBlock& branch, llvm::BasicBlock* meeting) {
    Blocks onOthers;
    for (llvm::BasicBlock* successor :
         llvm::SmallPtrSet<llvm::BasicBlock*, 4>(llvm::from_range, llvm::successors(&branch))) {
      Blocks onThis;
      llvm::SmallVector<llvm::BasicBlock*, 16> work{successor};
      while (!work.empty()) {
        checkLimits();
        llvm::BasicBlock* block = work.pop_back_val();
        if (block == meeting || !onThis.insert(block).second) continue;
        if (++visits_ > cost::search::apartBlocks || (together_.contains(block) && onOthers.contains(block)))
          return true;
        llvm::append_range(work, llvm::successors(block));
      }
      onOthers.insert(onThis.begin(), onThis.end());
    }
    return false;
  }

  Blocks together_;
  std::size_t visits_ = 0;
};

}  // namespace

llvm::PreservedAnalyses ConvergePass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!ApartFinder(function).run(function, analyses)) return llvm::PreservedAnalyses::all();
  llvm::FunctionPassManager nest;
  nest.addPass(llvm::UnifyFunctionExitNodesPass());
  nest.addPass(llvm::LowerSwitchPass());
  nest.addPass(llvm::LoopSimplifyPass());
  nest.addPass(llvm::UnifyLoopExitsPass());
  nest.addPass(llvm::FixIrreduciblePass());
  nest.addPass(llvm::StructurizeCFGPass());
  return nest.run(function, analyses);
}

}  // namespace clarity::compiler::nvptx
