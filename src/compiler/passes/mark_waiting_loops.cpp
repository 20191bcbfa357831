// SPDX-License-Identifier: Apache-2.0
// This file looks at every loop of a kernel with sub-groups.
#include "compiler/passes/mark_waiting_loops.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/primitives.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

bool callsSubGroups(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return primitiveOf(instruction) == Primitive::SubGroup;
  });
}

/// Whether all work-items of a work-group are one sub-group.
bool isOneSubGroup(const llvm::Function& kernel) {
  std::uint64_t items = 1;
  for (unsigned d = 0; d < 3; ++d) {
    const auto size = knownLocalSize(kernel, d);
    if (!size) return false;
    items *= *size;
  }
  return items <= subGroupSizeOf(kernel);
}

/// Whether an instruction finds out what another sub-group has done.
bool observesOthers(const llvm::Instruction& instruction) {
  if (!instruction.mayReadFromMemory() || instruction.use_empty()) return false;
  if (!instruction.isAtomic() && !instruction.isVolatile()) return false;
  const auto place = llvm::MemoryLocation::getOrNone(&instruction);
  return place && !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(place->Ptr));
}

bool mayWait(const llvm::Loop& loop, const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution) {
  bool observes = false;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      if (primitiveOf(instruction) == Primitive::Barrier) return false;  // each of its turns is a meeting of all
      observes |= loops.getLoopFor(block) == &loop && observesOthers(instruction);
    }
  return observes && !evolution.hasLoopInvariantBackedgeTakenCount(&loop);
}

}  // namespace

llvm::PreservedAnalyses MarkWaitingLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!callsSubGroups(function) || isOneSubGroup(function)) return llvm::PreservedAnalyses::all();
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::ScalarEvolution& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  llvm::SmallVector<llvm::BasicBlock*, 4> headers;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    if (mayWait(*loop, loops, evolution)) headers.push_back(loop->getHeader());
  if (headers.empty()) return llvm::PreservedAnalyses::all();
  llvm::FunctionCallee yield =
      function.getParent()->getOrInsertFunction(yieldOfSubGroup, llvm::Type::getVoidTy(function.getContext()));
  auto* declaration = llvm::cast<llvm::Function>(yield.getCallee());
  declaration->setDoesNotThrow();
  declaration->setConvergent();
  for (llvm::BasicBlock* header : headers) llvm::IRBuilder<>(header, header->getFirstInsertionPt()).CreateCall(yield);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
