// SPDX-License-Identifier: Apache-2.0
// This file replaces values of the type of events.
#include "compiler/passes/drop_events.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

bool isEvent(const llvm::Type* type) {
  const auto* opaque = llvm::dyn_cast<llvm::TargetExtType>(type);
  return opaque && opaque->getName() == "spirv.Event";
}

/// The type with numbers in place of events; the type itself if there are none.
llvm::Type* withoutEvents(llvm::Type* type) {
  if (isEvent(type)) return llvm::Type::getInt64Ty(type->getContext());
  if (auto* const array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    llvm::Type* const element = withoutEvents(array->getElementType());
    return element == array->getElementType() ? type : llvm::ArrayType::get(element, array->getNumElements());
  }
  auto* const structure = llvm::dyn_cast<llvm::StructType>(type);
  if (!structure) return type;
  llvm::SmallVector<llvm::Type*, 8> members;
  for (llvm::Type* member : structure->elements()) members.push_back(withoutEvents(member));
  return llvm::equal(members, structure->elements())
             ? type
             : llvm::StructType::get(type->getContext(), members, structure->isPacked());
}

}  // namespace

llvm::PreservedAnalyses DropEventsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::LLVMContext& context = function.getContext();
  llvm::Constant* const number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), 0);
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      llvm::Type* const type = withoutEvents(variable->getAllocatedType());
      changed |= type != variable->getAllocatedType();
      variable->setAllocatedType(type);
    } else if (auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      place->setSourceElementType(withoutEvents(place->getSourceElementType()));
      place->setResultElementType(withoutEvents(place->getResultElementType()));
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
               store && isEvent(store->getValueOperand()->getType())) {
      store->setOperand(0, number);
      changed = true;
    }
  }
  // No one is left who asks for a value but those that hand it on.
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!isEvent(instruction.getType()) || llvm::isa<llvm::CallBase>(instruction)) continue;
    instruction.replaceAllUsesWith(llvm::PoisonValue::get(instruction.getType()));
    instruction.eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
