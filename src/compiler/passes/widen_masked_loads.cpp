// SPDX-License-Identifier: Apache-2.0
// This file replaces masked loads by loads of whole vectors that cannot leave the pages of the active lanes.
#include "compiler/passes/widen_masked_loads.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <cstdint>

namespace clarity::compiler {
namespace {

constexpr std::uint64_t pageBytes = 4096;  ///< the smallest page of any x86 system

class Widener {
public:
  Widener(llvm::Function& function, const VectorTarget& target)
      : function_(function), layout_(function.getDataLayout()), target_(target) {}
  bool run();

private:
  bool isWanted(const llvm::Instruction& instruction) const;
  void widen(llvm::IntrinsicInst& load);
  llvm::Value* loadEach(llvm::IntrinsicInst& load, llvm::Value* lanes, llvm::Instruction& before);
  llvm::Value* loadWhole(llvm::IntrinsicInst& load, llvm::Value* place, llvm::Instruction& before) const;
  llvm::AllocaInst* variable(llvm::Type& type, llvm::Align align) const;

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  const VectorTarget& target_;
  llvm::AllocaInst* spare_ = nullptr;
  std::uint64_t spareBytes_ = 1;
};

bool Widener::isWanted(const llvm::Instruction& instruction) const {
  const auto* load = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!load || load->getIntrinsicID() != llvm::Intrinsic::masked_load) return false;
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(load->getType());
  if (!type || llvm::isa<llvm::Constant>(load->getArgOperand(1))) return false;
  const llvm::TypeSize element = layout_.getTypeSizeInBits(type->getElementType());
  const std::uint64_t bytes = layout_.getTypeStoreSize(load->getType()).getFixedValue();
  return !target_.masks(element.getFixedValue()) && element.getFixedValue() % 8 == 0 &&
         bytes * 8 == element.getFixedValue() * type->getNumElements() && bytes <= pageBytes;
}

llvm::AllocaInst* Widener::variable(llvm::Type& type, llvm::Align align) const {
  llvm::IRBuilder<> builder(&function_.getEntryBlock(), function_.getEntryBlock().begin());
  llvm::AllocaInst* made = builder.CreateAlloca(&type);
  made->setAlignment(align);
  return made;
}

/// The active lanes' elements, loaded one after the other. Those of the others are undefined.
llvm::Value* Widener::loadEach(llvm::IntrinsicInst& load, llvm::Value* lanes, llvm::Instruction& before) {
  llvm::Type* element = load.getType()->getScalarType();
  llvm::AllocaInst* elements = variable(*load.getType(), layout_.getPrefTypeAlign(load.getType()));
  llvm::BasicBlock* head = before.getParent();
  llvm::BasicBlock* end = llvm::SplitBlock(head, before.getIterator());
  auto* loop = llvm::BasicBlock::Create(function_.getContext(), "lane", &function_, end);
  head->getTerminator()->setSuccessor(0, loop);
  llvm::IRBuilder<> builder(loop);
  builder.SetCurrentDebugLocation(load.getDebugLoc());
  llvm::PHINode* left = builder.CreatePHI(lanes->getType(), 2, "left");
  llvm::Value* lane = builder.CreateZExtOrTrunc(
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder.getTrue()), builder.getInt64Ty());
  llvm::Value* from = builder.CreateGEP(element, load.getArgOperand(0), lane);
  llvm::LoadInst* value = builder.CreateAlignedLoad(element, from, llvm::Align(1));
  builder.CreateAlignedStore(value, builder.CreateGEP(element, elements, lane), llvm::Align(1));
  llvm::Value* next =
      builder.CreateAnd(left, builder.CreateSub(left, llvm::ConstantInt::get(left->getType(), 1)), "next");
  builder.CreateCondBr(builder.CreateIsNull(next), end, loop);
  left->addIncoming(lanes, head);
  left->addIncoming(next, loop);
  builder.SetInsertPoint(end, end->begin());
  return builder.CreateAlignedLoad(load.getType(), elements, elements->getAlign());
}

llvm::Value* Widener::loadWhole(llvm::IntrinsicInst& load, llvm::Value* place, llvm::Instruction& before) const {
  llvm::IRBuilder<> builder(&before);
  builder.SetCurrentDebugLocation(load.getDebugLoc());
  // Alias analysis knows that no access is larger than its object: this one may be, and hides what it belongs to.
  const llvm::Value* object = llvm::getUnderlyingObject(load.getArgOperand(0), 0);
  if (llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(object)) {
    auto* type = llvm::FunctionType::get(place->getType(), {place->getType()}, false);
    place = builder.CreateCall(llvm::InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false), {place});
  }
  return builder.CreateAlignedLoad(load.getType(), place, llvm::Align(1));
}

void Widener::widen(llvm::IntrinsicInst& load) {
  llvm::Value* mask = load.getArgOperand(1);
  const std::uint64_t bytes = layout_.getTypeStoreSize(load.getType()).getFixedValue();
  llvm::IRBuilder<> builder(&load);
  const unsigned count = llvm::cast<llvm::FixedVectorType>(load.getType())->getNumElements();
  llvm::Value* lanes = builder.CreateBitCast(mask, builder.getIntNTy(count));
  if (!spare_) spare_ = variable(*builder.getInt8Ty(), llvm::Align(1));
  spareBytes_ = std::max(spareBytes_, llvm::PowerOf2Ceil(bytes));
  llvm::Value* pointer = load.getArgOperand(0);
  llvm::Value* place = builder.CreateSelect(builder.CreateIsNotNull(lanes), pointer,
                                            builder.CreatePointerBitCastOrAddrSpaceCast(spare_, pointer->getType()));
  llvm::Value* result = nullptr;
  if (load.getParamAlign(0).valueOrOne().value() >= llvm::PowerOf2Ceil(bytes)) {
    result = loadWhole(load, place, load);
  } else {
    llvm::Value* inPage = builder.CreateAnd(builder.CreatePtrToInt(place, builder.getInt64Ty()), pageBytes - 1);
    llvm::Value* crosses = builder.CreateICmpUGT(inPage, builder.getInt64(pageBytes - bytes));
    llvm::Instruction *each = nullptr, *whole = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(crosses, load.getIterator(), &each, &whole,
                                        llvm::MDBuilder(function_.getContext()).createUnlikelyBranchWeights());
    llvm::Value* ofEach = loadEach(load, lanes, *each);
    llvm::Value* ofWhole = loadWhole(load, place, *whole);
    builder.SetInsertPoint(load.getParent(), load.getParent()->begin());
    llvm::PHINode* either = builder.CreatePHI(load.getType(), 2);
    either->addIncoming(ofEach, llvm::cast<llvm::Instruction>(ofEach)->getParent());
    either->addIncoming(ofWhole, whole->getParent());
    result = either;
  }
  builder.SetInsertPoint(&load);
  result = builder.CreateSelect(mask, result, load.getArgOperand(2));
  result->takeName(&load);
  load.replaceAllUsesWith(result);
  load.eraseFromParent();
}

bool Widener::run() {
  llvm::SmallVector<llvm::IntrinsicInst*, 8> loads;
  for (llvm::Instruction& instruction : llvm::instructions(function_))
    if (isWanted(instruction)) loads.push_back(llvm::cast<llvm::IntrinsicInst>(&instruction));
  for (llvm::IntrinsicInst* load : loads) widen(*load);
  if (!spare_) return false;
  // It is as large and as aligned as the widest load, so that no load of it crosses a page.
  spare_->setAllocatedType(llvm::ArrayType::get(llvm::Type::getInt8Ty(function_.getContext()), spareBytes_));
  spare_->setAlignment(llvm::Align(spareBytes_));
  return true;
}

}  // namespace

llvm::PreservedAnalyses WidenMaskedLoadsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  return Widener(function, target).run() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
