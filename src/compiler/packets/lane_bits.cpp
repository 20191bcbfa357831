// SPDX-License-Identifier: Apache-2.0
// This file recognises arithmetic whose lanes are narrower or wider than its type.
#include "compiler/packets/lane_bits.h"

#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

/// Integer arithmetic of a type that can be computed in parts, up to where it is extended from or truncated to other
/// types.
bool isWideArithmetic(const llvm::Value& value) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!operation || !operation->getType()->isIntegerTy() || operation->isIntDivRem()) return false;
  return !operation->isShift() || llvm::isa<llvm::ConstantInt>(operation->getOperand(1));
}

/// Whether an operation belongs to an expression all of whose operands are extended from, and all of whose results are
/// truncated to, at most half its width: products whose halves are wanted (mul_hi), averages, fixed-point arithmetic.
/// Processors have instructions for some of them, and what is computed in full width then fills two registers for each
/// of narrow values.
bool isBetweenHalves(const llvm::Instruction& operation) {
  llvm::Type* type = operation.getType();
  if (!type->isIntegerTy(16) && !type->isIntegerTy(32) && !type->isIntegerTy(64)) return false;
  const unsigned half = type->getIntegerBitWidth() / 2;
  const auto narrow = [half](const llvm::Value& value) { return value.getType()->getScalarSizeInBits() <= half; };
  llvm::SmallVector<const llvm::Value*, 16> work{&operation};
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  while (!work.empty()) {
    const auto* next = llvm::cast<llvm::Instruction>(work.pop_back_val());
    if (!seen.insert(next).second) continue;
    if (seen.size() > cost::tile::mostNarrowOperations) return false;
    for (const llvm::Use& operand : next->operands()) {
      if (llvm::isa<llvm::ConstantInt>(operand)) continue;
      if (isWideArithmetic(*operand))
        work.push_back(operand);
      else if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(operand) ||
               !narrow(*llvm::cast<llvm::Instruction>(operand)->getOperand(0)))
        return false;
    }
    for (const llvm::User* user : next->users()) {
      if (isWideArithmetic(*user))
        work.push_back(user);
      else if (!llvm::isa<llvm::TruncInst>(user) || !narrow(*user))
        return false;
    }
  }
  return true;
}

/// Such an operation, or what is extended for such operations only.
bool computesInHalves(const llvm::Instruction& instruction) {
  if (isWideArithmetic(instruction)) return isBetweenHalves(instruction);
  if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(instruction) || instruction.use_empty()) return false;
  return llvm::all_of(instruction.users(), [](const llvm::User* user) {
    return isWideArithmetic(*user) && isBetweenHalves(*llvm::cast<llvm::Instruction>(user));
  });
}

}  // namespace

unsigned laneBits(const llvm::Instruction& instruction, const VectorTarget& target) {
  if (computesInHalves(instruction)) return instruction.getType()->getScalarSizeInBits() / 2;
  const llvm::Type& type = *instruction.getType()->getScalarType();
  // Loads do not compute.
  const bool inFloat =
      type.isHalfTy() && target.half != HalfSupport::Arithmetic && !llvm::isa<llvm::LoadInst>(instruction);
  return inFloat ? 32 : type.getScalarSizeInBits();
}

unsigned halfOperations(const llvm::Instruction& instruction, const VectorTarget& target) {
  if (!instruction.getType()->getScalarType()->isHalfTy() || instruction.mayReadOrWriteMemory()) return 1;
  if (!llvm::isa<llvm::BinaryOperator, llvm::CallInst, llvm::FPTruncInst>(instruction)) return 1;
  return target.half == HalfSupport::Arithmetic    ? 1
         : target.half == HalfSupport::Conversions ? cost::budget::halfConverted
                                                   : cost::budget::halfEmulated;
}

}  // namespace clarity::compiler
