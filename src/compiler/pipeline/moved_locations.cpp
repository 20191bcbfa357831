// SPDX-License-Identifier: Apache-2.0
// This file notes the accesses of a loop ahead of LLVM's licm, and those of a function ahead of simplifycfg and
// instcombine, and gives what has lost its location the one that was noted.
#include "compiler/pipeline/moved_locations.h"

#include "compiler/pipeline/ir_unit.h"

#include <llvm/ADT/Any.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassInstrumentation.h>

namespace clarity::compiler {
namespace {

/// The loop, if the pass moves code out of loops.
const llvm::Loop* loopOf(llvm::StringRef pass, const llvm::Any& ir) {
  return pass == "LICMPass" ? unitAs<llvm::Loop>(ir) : nullptr;
}

/// The function, if the pass merges stores of several blocks, or makes accesses under a mask of others.
const llvm::Function* functionOf(llvm::StringRef pass, const llvm::Any& ir) {
  return pass == "SimplifyCFGPass" || pass == "InstCombinePass" ? unitAs<llvm::Function>(ir) : nullptr;
}

/// The pointer that an access, under a mask or not, reads or writes; null for anything else.
const llvm::Value* pointerOf(const llvm::Instruction& instruction) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) switch (intrinsic->getIntrinsicID()) {
      case llvm::Intrinsic::masked_load:
      case llvm::Intrinsic::masked_gather: return intrinsic->getArgOperand(0);
      case llvm::Intrinsic::masked_store:
      case llvm::Intrinsic::masked_scatter: return intrinsic->getArgOperand(1);
      default: return nullptr;
    }
  return llvm::getLoadStorePointerOperand(&instruction);
}

bool mayFault(const llvm::Instruction& instruction) {
  return instruction.mayReadOrWriteMemory() || instruction.isIntDivRem();
}

}  // namespace

void MovedLocations::registerIn(llvm::PassInstrumentationCallbacks& callbacks) {
  callbacks.registerBeforeNonSkippedPassCallback([this](llvm::StringRef pass, llvm::Any ir) {
    const llvm::Loop* loop = loopOf(pass, ir);
    const llvm::Function* function = functionOf(pass, ir);
    if (!loop && !function) return;
    accesses_.clear();
    unknown_.clear();
    if (loop)
      for (const llvm::BasicBlock* block : loop->blocks()) note(*block);
    else
      for (const llvm::BasicBlock& block : *function) note(block);
  });
  callbacks.registerAfterPassCallback([this](llvm::StringRef pass, llvm::Any ir, const llvm::PreservedAnalyses&) {
    if (accesses_.empty()) return;
    if (const llvm::Loop* loop = loopOf(pass, ir)) {
      if (llvm::BasicBlock* preheader = loop->getLoopPreheader()) restore(*preheader);
    } else if (const llvm::Function* function = functionOf(pass, ir)) {
      for (llvm::BasicBlock& block : const_cast<llvm::Function&>(*function)) restore(block);
    }
  });
}

void MovedLocations::note(const llvm::BasicBlock& block) {
  for (const llvm::Instruction& instruction : block) {
    if (!mayFault(instruction)) continue;
    if (instruction.getDebugLoc())
      accesses_.push_back({&instruction, pointerOf(instruction), instruction.getOpcode(), instruction.getDebugLoc()});
    else
      unknown_.insert(&instruction);
  }
}

void MovedLocations::restore(llvm::BasicBlock& block) const {
  for (llvm::Instruction& instruction : block)
    if (!instruction.getDebugLoc() && mayFault(instruction) && !unknown_.contains(&instruction))
      instruction.setDebugLoc(locationFor(instruction));
}

/// The location that the instruction had; of a new one, that of the accesses that it stands for.
llvm::DebugLoc MovedLocations::locationFor(const llvm::Instruction& instruction) const {
  const llvm::Value* const pointer = pointerOf(instruction);
  llvm::DebugLoc merged;
  for (const Access& access : accesses_) {
    if (access.instruction == &instruction && access.opcode == instruction.getOpcode()) return access.location;
    if (pointer && access.pointer == pointer)
      merged = merged ? llvm::DebugLoc::getMergedLocation(merged, access.location) : access.location;
  }
  return merged;
}

}  // namespace clarity::compiler
