// SPDX-License-Identifier: Apache-2.0
// This file rounds to integral values with additions.
#include "compiler/workarounds/lower_rounding.h"

#include "compiler/transforms/preserved.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace clarity::compiler {
namespace {

bool rounds(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::round:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::roundeven: return true;
    default: return false;
  }
}

/// The conversion to int rounds to nearest by itself.
bool becomesInt(const llvm::IntrinsicInst& call) {
  return call.getIntrinsicID() == llvm::Intrinsic::rint && llvm::all_of(call.users(), [](const llvm::User* user) {
           return llvm::isa<llvm::FPToSIInst>(user) && user->getType()->getScalarSizeInBits() <= 32;
         });
}

/// The rounding of one number or one vector. No flags of fast math anywhere: they would let the additions cancel out.
class Rounding {
public:
  explicit Rounding(llvm::IntrinsicInst& call)
      : builder_(&call),
        x_(call.getArgOperand(0)),
        type_(x_->getType()),
        magnitude_(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x_)) {}

  llvm::Value* by(llvm::Intrinsic::ID id) {
    // From here on numbers of the type lie 1 apart: all are integral.
    llvm::Constant* integral = number(type_->getScalarType()->isFloatTy() ? 0x1p23 : 0x1p52);
    llvm::Value* nearest = builder_.CreateFSub(builder_.CreateFAdd(magnitude_, integral), integral);
    llvm::Value* rounded = withSign(inDirection(id, nearest));
    return builder_.CreateSelect(builder_.CreateFCmpOLT(magnitude_, integral), rounded, x_);
  }

private:
  /// From the nearest integral value of the magnitude to what was asked for, of the magnitude or, where its sign
  /// counts, of the number.
  llvm::Value* inDirection(llvm::Intrinsic::ID id, llvm::Value* nearest) {
    switch (id) {
      case llvm::Intrinsic::floor: {
        llvm::Value* near = withSign(nearest);
        return builder_.CreateFSub(near, oneWhere(builder_.CreateFCmpOGT(near, x_)));
      }
      case llvm::Intrinsic::ceil: {
        llvm::Value* near = withSign(nearest);
        return builder_.CreateFAdd(near, oneWhere(builder_.CreateFCmpOLT(near, x_)));
      }
      case llvm::Intrinsic::trunc: return towardsZero(nearest);
      case llvm::Intrinsic::round: {
        llvm::Value* below = towardsZero(nearest);
        return builder_.CreateFAdd(
            below, oneWhere(builder_.CreateFCmpOGE(builder_.CreateFSub(magnitude_, below), number(0.5))));
      }
      default: return nearest;
    }
  }

  llvm::Value* towardsZero(llvm::Value* nearest) {
    return builder_.CreateFSub(nearest, oneWhere(builder_.CreateFCmpOGT(nearest, magnitude_)));
  }
  llvm::Value* oneWhere(llvm::Value* condition) { return builder_.CreateSelect(condition, number(1.0), number(0.0)); }
  /// A zero has the sign of what was rounded to it.
  llvm::Value* withSign(llvm::Value* value) {
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, value, x_);
  }
  llvm::Constant* number(double value) { return llvm::ConstantFP::get(type_, value); }

  llvm::IRBuilder<> builder_;
  llvm::Value* x_;
  llvm::Type* type_;
  llvm::Value* magnitude_;
};

}  // namespace

llvm::PreservedAnalyses LowerRoundingPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || !rounds(call->getIntrinsicID())) continue;
    const llvm::Type& element = *call->getType()->getScalarType();
    if ((!element.isFloatTy() && !element.isDoubleTy()) || becomesInt(*call)) continue;
    llvm::Value* rounded = Rounding(*call).by(call->getIntrinsicID());
    rounded->takeName(call);
    call->replaceAllUsesWith(rounded);
    call->eraseFromParent();
    changed = true;
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
