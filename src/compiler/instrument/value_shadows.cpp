// SPDX-License-Identifier: Apache-2.0
// This file finds the values that may come from memory never written, and where from.
#include "compiler/instrument/value_shadows.h"

#include "compiler/instrument/mark_uninitialised.h"
#include "compiler/ir/primitives.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

/// Whether the bits of operands become bits of the result. The result of a function of the program counts as written,
/// as do values that work-items ask of each other.
bool carries(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Load:
    case llvm::Instruction::AtomicRMW:
    case llvm::Instruction::AtomicCmpXchg:
    case llvm::Instruction::Alloca:
    case llvm::Instruction::ExtractValue:
    case llvm::Instruction::InsertValue: return false;
    case llvm::Instruction::Call: {
      const llvm::Function* callee = llvm::cast<llvm::CallBase>(instruction).getCalledFunction();
      return callee && !primitiveOf(instruction) && !callee->getSubprogram();
    }
    default: return true;
  }
}

}  // namespace

ValueShadows::ValueShadows(llvm::Function& function) : function_(function), layout_(function.getDataLayout()) {}

llvm::Type* ValueShadows::typeOf(llvm::Type* type) const {
  llvm::Type* const scalar = type->getScalarType();
  if (!scalar->isIntegerTy() && !scalar->isFloatingPointTy() && !scalar->isPointerTy()) return nullptr;
  if (llvm::isa<llvm::ScalableVectorType>(type)) return nullptr;
  const auto bits = static_cast<unsigned>(layout_.getTypeSizeInBits(scalar).getFixedValue());
  return type->getWithNewType(llvm::Type::getIntNTy(type->getContext(), bits));
}

void ValueShadows::setSources(llvm::ArrayRef<llvm::Instruction*> sources) {
  llvm::SmallVector<const llvm::Instruction*, 64> work;
  const auto reach = [&](const llvm::Instruction& instruction) {
    if (typeOf(instruction.getType()) && reached_.insert(&instruction).second) work.push_back(&instruction);
  };
  for (const llvm::Instruction* source : sources) reach(*source);
  while (!work.empty())
    for (const llvm::User* user : work.pop_back_val()->users())
      if (const auto* next = llvm::dyn_cast<llvm::Instruction>(user); next && carries(*next)) reach(*next);
}

void ValueShadows::addSource(llvm::Instruction& instruction, llvm::Value* shadow, ShadowOrigin origin) {
  shadows_[&instruction] = shadow;
  origins_[&instruction] = origin;
}

llvm::Value* ValueShadows::valueOf(llvm::Value* value) const {
  llvm::Value* const known = of(value);
  return known ? known : llvm::Constant::getNullValue(typeOf(value->getType()));
}

void ValueShadows::compute(llvm::Instruction& instruction) {
  if (!mayBeUninitialised(&instruction) || shadows_.contains(&instruction)) return;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    llvm::IRBuilder<> builder(phi);
    shadows_[phi] = builder.CreatePHI(typeOf(phi->getType()), phi->getNumIncomingValues());
    phis_.push_back(phi);
    return;
  }
  ShadowBuilder builder(instruction.getContext());
  builder.SetInsertPoint(instruction.getParent(), *instruction.getInsertionPointAfterDef());
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  llvm::Value* const shadow = shadowOf(builder, instruction);
  const auto* constant = llvm::dyn_cast<llvm::Constant>(shadow);
  if (!constant || !constant->isNullValue()) shadows_[&instruction] = shadow;
}

void ValueShadows::completePhis() {
  for (llvm::PHINode* phi : phis_) {
    auto* const shadow = llvm::cast<llvm::PHINode>(shadows_[phi]);
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      shadow->addIncoming(valueOf(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
  }
  phis_.clear();
  while (!originPhis_.empty()) {
    llvm::PHINode* const phi = originPhis_.pop_back_val();
    const ShadowOrigin own = origins_[phi];
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      const ShadowOrigin origin = originOf(phi->getIncomingValue(i));
      llvm::cast<llvm::PHINode>(own.site)->addIncoming(origin.site, phi->getIncomingBlock(i));
      llvm::cast<llvm::PHINode>(own.address)->addIncoming(origin.address, phi->getIncomingBlock(i));
    }
  }
}

ShadowOrigin ValueShadows::originOf(llvm::Value* value) {
  if (const auto known = origins_.find(value); known != origins_.end()) return known->second;
  llvm::Type *const i32 = llvm::Type::getInt32Ty(function_.getContext()), *const i64 = llvm::Type::getInt64Ty(
                                                                              function_.getContext());
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value); phi && of(phi)) {
    llvm::IRBuilder<> builder(phi);
    const unsigned count = phi->getNumIncomingValues();
    const ShadowOrigin made{builder.CreatePHI(i32, count), builder.CreatePHI(i64, count)};
    origins_[phi] = made;
    originPhis_.push_back(phi);
    return made;
  }
  ShadowOrigin origin{llvm::ConstantInt::get(i32, ~0u), llvm::ConstantInt::get(i64, 0)};
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !of(value)) return origin;
  ShadowBuilder builder(instruction->getContext());
  builder.SetInsertPoint(instruction->getParent(), *instruction->getInsertionPointAfterDef());
  builder.SetCurrentDebugLocation(instruction->getDebugLoc());
  bool isFirst = true;
  for (llvm::Value* operand : instruction->operands()) {
    llvm::Value* const shadow = of(operand);
    if (!shadow) continue;
    const ShadowOrigin other = originOf(operand);
    if (isFirst) {
      origin = other;
    } else {
      llvm::Value* const isThis = any(builder, shadow);
      origin = {builder.CreateSelect(isThis, other.site, origin.site),
                builder.CreateSelect(isThis, other.address, origin.address)};
    }
    isFirst = false;
  }
  origins_[value] = origin;
  return origin;
}

llvm::Value* ValueShadows::any(ShadowBuilder& builder, llvm::Value* shadow) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(shadow->getType()))
    shadow = builder.CreateBitCast(
        shadow, builder.getIntNTy(vector->getNumElements() * shadow->getType()->getScalarSizeInBits()));
  return builder.CreateICmpNE(shadow, llvm::Constant::getNullValue(shadow->getType()));
}

}  // namespace clarity::compiler
