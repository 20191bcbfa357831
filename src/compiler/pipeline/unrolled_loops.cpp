// SPDX-License-Identifier: Apache-2.0
// This file compares a function's size before and after LLVM's pass that unrolls loops, which does not say whether it
// has unrolled one or only brought loops into the form that it needs. The pass that unrolls completely says it.
#include "compiler/pipeline/unrolled_loops.h"

#include "compiler/pipeline/ir_unit.h"

#include <llvm/ADT/Any.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassInstrumentation.h>

namespace clarity::compiler {
namespace {

constexpr llvm::StringLiteral ofFunctions = "LoopUnrollPass", ofLoops = "LoopFullUnrollPass";

/// Instructions but phis, of which the form of loops has more or fewer.
std::uint64_t instructionsOf(const llvm::Function& function) {
  std::uint64_t count = 0;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) count += !llvm::isa<llvm::PHINode>(instruction);
  return count;
}

}  // namespace

void UnrolledLoops::registerIn(llvm::PassInstrumentationCallbacks& callbacks) {
  callbacks.registerBeforeNonSkippedPassCallback([this](llvm::StringRef pass, llvm::Any ir) {
    if (const auto* loop = pass == ofLoops ? unitAs<llvm::Loop>(ir) : nullptr)
      running_ = loop->getHeader()->getParent();
    if (const auto* function = pass == ofFunctions ? unitAs<llvm::Function>(ir) : nullptr) {
      instructions_ = instructionsOf(*function);
      if (unrolled_ == function) unrolled_ = nullptr;
    }
  });
  callbacks.registerAfterPassCallback(
      [this](llvm::StringRef pass, llvm::Any ir, const llvm::PreservedAnalyses& preserved) {
        if (preserved.areAllPreserved()) return;
        if (pass == ofLoops) unrolled_ = running_;
        if (const auto* function = pass == ofFunctions ? unitAs<llvm::Function>(ir) : nullptr)
          if (instructionsOf(*function) != instructions_) unrolled_ = function;
      });
  callbacks.registerAfterPassInvalidatedCallback(
      [this](llvm::StringRef pass, const llvm::PreservedAnalyses&) {  // the loop is gone
        if (pass == ofLoops) unrolled_ = running_;
      });
}

}  // namespace clarity::compiler
