// SPDX-License-Identifier: Apache-2.0
// This file computes half in float, and converts between the two with integers where the processor does not.
#include "compiler/passes/lower_half.h"

#include "compiler/transforms/half_emitter.h"
#include "compiler/transforms/preserved.h"
#include "compiler/workarounds/rounded_half.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

namespace clarity::compiler {
namespace {

/// Intrinsics whose result in float, rounded, is the result in half.
bool sameInFloat(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::round:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::minimumnum:
    case llvm::Intrinsic::maximumnum:
    case llvm::Intrinsic::canonicalize: return true;
    default: return false;
  }
}

llvm::Value* inFloat(llvm::IntrinsicInst& call, HalfEmitter& emitter) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (id == llvm::Intrinsic::fma) {
    emitter.builder().clearFastMathFlags();
    return emitter.multiplyAdd(call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
  }
  if (id == llvm::Intrinsic::fmuladd) {
    llvm::Value *left = emitter.widened(call.getArgOperand(0)), *right = emitter.widened(call.getArgOperand(1)),
                *addend = emitter.widened(call.getArgOperand(2));
    llvm::Value* product = emitter.builder().CreateFMul(left, right);
    if (!emitter.isRelaxed()) product = emitter.widened(emitter.narrowed(product));
    return emitter.narrowed(emitter.builder().CreateFAdd(product, addend));
  }
  if (id == llvm::Intrinsic::fptosi_sat || id == llvm::Intrinsic::fptoui_sat) {
    llvm::Value* number = emitter.widened(call.getArgOperand(0));
    return emitter.builder().CreateIntrinsic(id, {call.getType(), number->getType()}, {number});
  }
  if (!sameInFloat(id)) return nullptr;
  llvm::SmallVector<llvm::Value*, 2> arguments;
  for (llvm::Value* argument : call.args()) arguments.push_back(emitter.widened(argument));
  llvm::Value* result = emitter.builder().CreateIntrinsic(id, {arguments[0]->getType()}, arguments);
  return emitter.narrowed(result);
}

/// An instruction that computes the same in float; nullptr where nothing needs to be done.
llvm::Value* inFloat(llvm::Instruction& instruction) {
  if (instruction.getNumOperands() == 0 || (!isHalf(&instruction) && !isHalf(instruction.getOperand(0))))
    return nullptr;
  HalfEmitter emitter(instruction);
  emitter.takeFlagsOf(instruction);
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Value* first = instruction.getOperand(0);
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
    case llvm::Instruction::FMul:
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FRem: {
      llvm::Value *left = emitter.widened(first), *right = emitter.widened(instruction.getOperand(1));
      return emitter.narrowed(
          builder.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(instruction.getOpcode()), left, right));
    }
    case llvm::Instruction::FCmp: {
      llvm::Value *left = emitter.widened(first), *right = emitter.widened(instruction.getOperand(1));
      return builder.CreateFCmp(llvm::cast<llvm::FCmpInst>(instruction).getPredicate(), left, right);
    }
    case llvm::Instruction::FPExt:
      return instruction.getType()->getScalarType()->isDoubleTy()
                 ? builder.CreateFPExt(emitter.widened(first), instruction.getType())
                 : nullptr;
    case llvm::Instruction::FPTrunc:
      return first->getType()->getScalarType()->isDoubleTy() ? emitter.fromDouble(first) : nullptr;
    // An integer that a float does not hold exactly is infinite as a half.
    case llvm::Instruction::SIToFP:
    case llvm::Instruction::UIToFP: {
      llvm::Type* type = withElement(instruction.getType(), builder.getFloatTy());
      return emitter.narrowed(instruction.getOpcode() == llvm::Instruction::SIToFP ? builder.CreateSIToFP(first, type)
                                                                                   : builder.CreateUIToFP(first, type));
    }
    case llvm::Instruction::FPToSI: return builder.CreateFPToSI(emitter.widened(first), instruction.getType());
    case llvm::Instruction::FPToUI: return builder.CreateFPToUI(emitter.widened(first), instruction.getType());
    case llvm::Instruction::Call:
      if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return inFloat(*intrinsic, emitter);
      return nullptr;
    default: return nullptr;
  }
}

llvm::Value* byBits(llvm::Instruction& instruction) {
  if (instruction.getNumOperands() == 0) return nullptr;
  HalfEmitter emitter(instruction);
  if (isHalf(&instruction))
    if (llvm::Value* signedByBits = emitter.signByBits(instruction)) return signedByBits;
  if (instruction.getOpcode() == llvm::Instruction::FPTrunc && isHalf(&instruction))
    return emitter.narrowedByBits(instruction.getOperand(0));
  if (instruction.getOpcode() != llvm::Instruction::FPExt || !isHalf(instruction.getOperand(0))) return nullptr;
  const auto* rounded = llvm::dyn_cast<llvm::FPTruncInst>(instruction.getOperand(0));
  if (rounded && isFloat(rounded->getOperand(0))) return emitter.roundedByBits(rounded->getOperand(0));
  return emitter.widenedByBits(instruction.getOperand(0));
}

// --- relaxed math ----------------------------------------------------------------------------------------------------

/// The float that relaxed math may compute with in place of a half which it has rounded; nullptr if the half is
/// anything else.
llvm::Value* unrounded(llvm::Value* half) {
  auto* rounding = llvm::dyn_cast<llvm::FPTruncInst>(half);
  return rounding && rounding->hasAllowContract() && isFloat(rounding->getOperand(0)) ? rounding->getOperand(0)
                                                                                      : nullptr;
}

bool isRelaxedExtension(const llvm::User* user) {
  const auto* extension = llvm::dyn_cast<llvm::FPExtInst>(user);
  return extension && extension->hasAllowContract() && isFloat(extension) && isHalf(extension->getOperand(0));
}

/// Gives `wide` as a float the values that travel around a loop as a half, from one relaxed operation to the next.
void fillWide(llvm::PHINode& narrow, llvm::PHINode& wide) {
  for (unsigned i = 0; i < narrow.getNumIncomingValues(); ++i) {
    llvm::Value* incoming = narrow.getIncomingValue(i);
    llvm::BasicBlock* from = narrow.getIncomingBlock(i);
    llvm::Value* value = incoming == &narrow ? &wide : unrounded(incoming);
    if (const int before = wide.getBasicBlockIndex(from); before >= 0)
      value = wide.getIncomingValue(static_cast<unsigned>(before));  // another case of a switch
    if (!value) value = llvm::IRBuilder<>(from->getTerminator()).CreateFPExt(incoming, wide.getType());
    wide.addIncoming(value, from);
  }
  const llvm::SmallSetVector<llvm::User*, 8> users(narrow.user_begin(), narrow.user_end());
  for (llvm::User* user : users) {
    if (isRelaxedExtension(user)) {
      user->replaceAllUsesWith(&wide);
      llvm::cast<llvm::Instruction>(user)->eraseFromParent();
    } else if (!llvm::isa<llvm::PHINode>(user)) {
      llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(user));
      user->replaceUsesOfWith(&narrow, builder.CreateFPTrunc(&wide, narrow.getType()));
    }
  }
}

/// Between operations of relaxed math nothing has to be rounded.
void leaveUnrounded(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    for (llvm::PHINode& narrow : llvm::make_early_inc_range(block.phis())) {
      if (!isHalf(&narrow) || llvm::none_of(narrow.users(), isRelaxedExtension) ||
          llvm::none_of(narrow.incoming_values(), unrounded))
        continue;
      llvm::PHINode* wide =
          llvm::PHINode::Create(withElement(narrow.getType(), llvm::Type::getFloatTy(function.getContext())),
                                narrow.getNumIncomingValues(), "", narrow.getIterator());
      fillWide(narrow, *wide);
      wide->takeName(&narrow);
      if (!llvm::all_of(narrow.users(), [&](const llvm::User* user) { return user == &narrow; })) continue;
      narrow.replaceAllUsesWith(llvm::PoisonValue::get(narrow.getType()));
      narrow.eraseFromParent();
    }
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!isRelaxedExtension(&instruction)) continue;
    llvm::Value* value = unrounded(instruction.getOperand(0));
    if (!value) continue;
    instruction.replaceAllUsesWith(value);
    instruction.eraseFromParent();
  }
}

/// Puts what `make` returns in the place of each instruction, from the last to the first: what is made of others'
/// results still sees how these are made.
bool replaceEach(llvm::Function& function, llvm::Value* (*make)(llvm::Instruction&)) {
  bool changed = false;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (llvm::isInstructionTriviallyDead(&instruction)) {
        instruction.eraseFromParent();
        changed = true;
        continue;
      }
      llvm::Value* made = make(instruction);
      if (!made) continue;
      if (auto* named = llvm::dyn_cast<llvm::Instruction>(made)) named->takeName(&instruction);
      instruction.replaceAllUsesWith(made);
      instruction.eraseFromParent();
      changed = true;
    }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses LowerHalfPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const bool computes = processor == HalfSupport::Arithmetic;
  bool changed = computes ? replaceEach(function, roundedInFloat) : replaceEach(function, inFloat);
  if (changed && !computes) leaveUnrounded(function);
  if (processor == HalfSupport::None) changed |= replaceEach(function, byBits);
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
