// SPDX-License-Identifier: Apache-2.0
// This file finds masked stores whose mask is a constant with one lane.
#include "compiler/workarounds/single_lane_stores.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

namespace clarity::compiler {
namespace {

std::optional<unsigned> onlyLane(const llvm::Constant& mask) {
  std::optional<unsigned> lane;
  for (unsigned i = 0; i < llvm::cast<llvm::FixedVectorType>(mask.getType())->getNumElements(); ++i) {
    const llvm::Constant* element = mask.getAggregateElement(i);
    if (!element) return {};
    if (element->isNullValue() || llvm::isa<llvm::UndefValue>(element)) continue;
    if (lane || !element->isOneValue()) return {};
    lane = i;
  }
  return lane;
}

}  // namespace

llvm::PreservedAnalyses SingleLaneStoresPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* store = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!store || store->getIntrinsicID() != llvm::Intrinsic::masked_store) continue;
    const auto* mask = llvm::dyn_cast<llvm::Constant>(store->getArgOperand(2));
    const auto lane = mask ? onlyLane(*mask) : std::nullopt;
    if (!lane) continue;
    llvm::IRBuilder<> builder(store);
    llvm::Value* value = store->getArgOperand(0);
    llvm::Type* element = value->getType()->getScalarType();
    const std::uint64_t offset = *lane * function.getDataLayout().getTypeAllocSize(element).getFixedValue();
    llvm::Value* place = offset ? builder.CreateConstGEP1_64(builder.getInt8Ty(), store->getArgOperand(1), offset)
                                : store->getArgOperand(1);
    const llvm::Align align = llvm::commonAlignment(store->getParamAlign(1).valueOrOne(), offset);
    builder.CreateAlignedStore(builder.CreateExtractElement(value, *lane), place, align);
    store->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
