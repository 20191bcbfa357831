// SPDX-License-Identifier: Apache-2.0
// This file looks through a region for obstacles.
#include "compiler/packets/packet_obstacle.h"

#include "compiler/ir/primitives.h"
#include "compiler/packets/packet_plan.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <bit>

namespace clarity::compiler {

bool isVectorElement(const llvm::Type& type) {
  if (type.isIntegerTy()) {
    const unsigned bits = type.getIntegerBitWidth();
    return bits == 1 || (bits >= 8 && bits <= 64 && std::has_single_bit(bits));
  }
  return type.isFloatTy() || type.isDoubleTy() || type.isHalfTy() || type.isPointerTy();
}

bool isStructureOfElements(const llvm::Type& type) {
  const auto* structure = llvm::dyn_cast<llvm::StructType>(&type);
  return structure && structure->getNumElements() <= 4 &&
         llvm::all_of(structure->elements(), [](const llvm::Type* element) { return isVectorElement(*element); });
}

const llvm::Instruction* findObstacle(const PacketPlan& plan) {
  const ValueForms& forms = plan.forms();
  // Those of the loop alone: a kernel with many barriers has many loops over work-items.
  for (const llvm::BasicBlock* inside : plan.items().loop->blocks()) {
    if (!plan.contains(*inside)) continue;
    const llvm::BasicBlock& block = *inside;
    const llvm::Instruction* terminator = block.getTerminator();
    if (!llvm::isa<llvm::BranchInst, llvm::ReturnInst, llvm::UnreachableInst>(terminator)) return terminator;
    for (const llvm::Instruction& instruction : block) {
      if (llvm::isa<llvm::AllocaInst>(instruction)) return &instruction;  // of a size that is known at run time only
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        if (call->isInlineAsm() || call->isMustTailCall()) return call;
        if (primitiveOf(*call) == Primitive::Barrier) return call;
      }
      if (!forms.varies(instruction) || instruction.getType()->isVoidTy()) continue;
      if (isVectorElement(*instruction.getType())) continue;
      const auto extracts = [&](const llvm::User* user) {
        return llvm::isa<llvm::ExtractValueInst>(user) && llvm::cast<llvm::Instruction>(user)->getParent() == &block;
      };
      if (isStructureOfElements(*instruction.getType()) && llvm::all_of(instruction.users(), extracts)) continue;
      return &instruction;
    }
    // A value that is stored may still be no element of a vector.
    for (const llvm::Instruction& instruction : block)
      for (const llvm::Use& operand : instruction.operands())
        if (llvm::isa<llvm::Instruction>(operand) && forms.form(*operand) == Form::Vector &&
            !isVectorElement(*operand->getType()) && !llvm::isa<llvm::ExtractValueInst>(instruction))
          return &instruction;
  }
  return nullptr;
}

}  // namespace clarity::compiler
