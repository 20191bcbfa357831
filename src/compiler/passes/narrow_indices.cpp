// SPDX-License-Identifier: Apache-2.0
// This file rewrites 64-bit index arithmetic as the 32-bit arithmetic of the program.
#include "compiler/passes/narrow_indices.h"

#include "compiler/analysis/guard_facts.h"
#include "compiler/analysis/no_wrap.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/kernel_abi.h"
#include "compiler/ir/primitives.h"
#include "compiler/transforms/created_instructions.h"
#include "compiler/transforms/preserved.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

namespace clarity::compiler {
namespace {

/// Tells of every instruction that it inserts.
using Builder = llvm::IRBuilder<llvm::ConstantFolder, llvm::IRBuilderCallbackInserter>;

/// The sum of two small values (isSmall) is a positive int: ids are below `wideIdsFrom` where they have 32 bits.
constexpr std::uint64_t smallConstants = std::uint64_t{1} << 28;
constexpr std::uint64_t largestInt = (std::uint64_t{1} << 31) - 1;
static_assert(wideIdsFrom + smallConstants <= largestInt && 2 * (wideIdsFrom - 1) <= largestInt);

llvm::Value* scaled(llvm::Value* value, std::uint64_t bits, Builder& builder, bool nuw = false, bool nsw = false) {
  return bits ? builder.CreateShl(value, bits, "", nuw, nsw) : value;
}

/// An id of 64 bits that is below `wideIdsFrom`, or a query for one.
bool isSmallId(const llvm::Value& value) {
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&value))
    return primitiveOf(*call) == Primitive::GlobalId || primitiveOf(*call) == Primitive::LocalId;
  return isExtendedId(value);
}

/// A constant, or an id truncated to 32 bits, as far as ids fit int.
bool isSmall(llvm::Value& value, IndexForm form) {
  using namespace llvm::PatternMatch;
  llvm::Value* id;
  if (!form.idsFitInt) return false;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return constant->getValue().abs().ult(smallConstants);
  return match(&value, m_Trunc(m_Value(id))) && isSmallId(*id);
}

/// The lower 32 bits of values, each truncated once, so that sums of them differ by a constant only.
class LowHalves {
public:
  llvm::Value* of(llvm::Value* value, Builder& builder) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    const auto behind = instruction ? instruction->getInsertionPointAfterDef() : std::nullopt;
    if (!behind) return builder.CreateTrunc(value, builder.getInt32Ty());
    llvm::WeakTrackingVH& half = halves_[value];
    if (half) return half;
    const Builder::InsertPointGuard guard(builder);
    builder.SetInsertPoint((*behind)->getParent(), *behind);
    half = builder.CreateTrunc(value, builder.getInt32Ty());
    return half;
  }

private:
  llvm::DenseMap<llvm::Value*, llvm::WeakTrackingVH> halves_;
};

/// The 32-bit value whose product with 2^32 a 64-bit expression is; nullptr if it is not known to be one.
llvm::Value* narrowed(llvm::Value* wide, Builder& builder, LowHalves& halves, IndexForm form, unsigned depth = 0) {
  using namespace llvm::PatternMatch;
  llvm::Value *left, *right;
  const llvm::APInt* constant;
  if (depth > cost::mostIndexDepth) return nullptr;
  if (match(wide, m_APInt(constant)))
    return constant->countr_zero() >= 32
               ? builder.getInt32(static_cast<std::uint32_t>(constant->lshr(32).getZExtValue()))
               : nullptr;
  if (match(wide, m_Shl(m_Value(left), m_APInt(constant))) && constant->uge(32) && constant->ult(64))
    return scaled(halves.of(left, builder), constant->getZExtValue() - 32, builder);
  if (match(wide, m_Mul(m_Value(left), m_APInt(constant))) && constant->countr_zero() >= 32)
    return builder.CreateMul(halves.of(left, builder),
                             builder.getInt32(static_cast<std::uint32_t>(constant->lshr(32).getZExtValue())));
  const bool isAdd = match(wide, m_Add(m_Value(left), m_Value(right)));
  if (!isAdd && !match(wide, m_Sub(m_Value(left), m_Value(right)))) return nullptr;
  llvm::Value* first = narrowed(left, builder, halves, form, depth + 1);
  llvm::Value* second = first ? narrowed(right, builder, halves, form, depth + 1) : nullptr;
  if (!second) return nullptr;
  // The sum of two small values fits int; what else is added may be a uint that wraps.
  const bool small = isSmall(*first, form) && isSmall(*second, form);
  const auto isNegative = [](const llvm::Value* value) {
    return llvm::isa<llvm::ConstantInt>(value) && llvm::cast<llvm::ConstantInt>(value)->isNegative();
  };
  if (!isAdd) return builder.CreateSub(first, second, "", false, small);
  return builder.CreateAdd(first, second, "", small && !isNegative(first) && !isNegative(second), small);
}

/// Whether a value is the lower half of a number that is not computed from ids and sizes.
bool isCutNumber(const llvm::Value& narrow) {
  const auto* cut = llvm::dyn_cast<llvm::TruncInst>(&narrow);
  return cut && valuesOf(*cut->getOperand(0)).isFullSet();
}

/// Marks the sum of an index and a small constant: where it would wrap in int, the address lies outside any memory, or
/// the program's int has overflowed. LLVM has dropped the flag that int may not overflow, and without it `a[i]` and
/// `a[i + 1]` are not known to be neighbours. A 64-bit number of the program may be cut to an int anywhere.
void indexSum(llvm::Value& narrow, const llvm::Instruction& index, IndexForm form) {
  auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&narrow);
  if (!sum || (sum->getOpcode() != llvm::Instruction::Add && sum->getOpcode() != llvm::Instruction::Sub)) return;
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
  if (!constant || !isSmall(*sum->getOperand(1), form) || isCutNumber(*sum->getOperand(0))) return;
  if (llvm::all_of(index.users(), [](const llvm::User* user) { return llvm::isa<llvm::GetElementPtrInst>(user); }))
    sum->setHasNoSignedWrap();
}

/// How many low bits of a number are zero, at least. LLVM looks at six operations, and indices of pictures with two
/// numbers an element have more: `2 * (z * height + y) * width + 2 * x`.
unsigned lowZeros(const llvm::Value& value, const llvm::DataLayout& layout, unsigned depth = 0) {
  const auto* operation = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!operation || depth == cost::mostIndexDepth)
    return llvm::computeKnownBits(&value, layout).countMinTrailingZeros();
  const unsigned bits = value.getType()->getIntegerBitWidth();
  const auto zerosOf = [&](unsigned operand) { return lowZeros(*operation->getOperand(operand), layout, depth + 1); };
  switch (operation->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Or: return std::min(zerosOf(0), zerosOf(1));
    case llvm::Instruction::Mul: return std::min(zerosOf(0) + zerosOf(1), bits);
    case llvm::Instruction::Shl:
      if (const auto* by = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1)); by && by->getValue().ult(bits))
        return std::min(zerosOf(0) + static_cast<unsigned>(by->getZExtValue()), bits);
      return zerosOf(0);
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::Trunc: return std::min(zerosOf(0), bits);
    default: return llvm::computeKnownBits(&value, layout).countMinTrailingZeros();
  }
}

/// Whether the operands of an `or` have no bit in common, so that it is their sum.
bool isSum(const llvm::Instruction& instruction, const GuardFacts& facts) {
  using namespace llvm::PatternMatch;
  const auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
  if (!either || (!either->getType()->isIntegerTy(32) && !either->getType()->isIntegerTy(64))) return false;
  const llvm::Value* value;
  const llvm::APInt* bits;
  if (either->isDisjoint()) return true;
  if (!match(either, m_Or(m_Value(value), m_APInt(bits))) || bits->getActiveBits() > 32) return false;
  return bits->zextOrTrunc(32).isSubsetOf(llvm::APInt(32, facts.zeroBits(*value, *either->getParent()))) ||
         bits->getActiveBits() <= lowZeros(*value, either->getDataLayout());
}

/// `(id + 2^32 - n) & (2^32 - 1)` is `id - n` in int where a guard lets only ids of at least n pass; nullptr otherwise.
llvm::Value* guardedDifference(llvm::Instruction& masked, Builder& builder, const GuardFacts& facts) {
  using namespace llvm::PatternMatch;
  llvm::Value* id;
  const llvm::APInt* added;
  if (!match(&masked, m_And(m_Add(m_Value(id), m_APInt(added)), m_SpecificInt(0xffffffff))) || !isSmallId(*id))
    return nullptr;
  const llvm::APInt less = llvm::APInt(64, std::uint64_t{1} << 32) - *added;
  if (less.ugt(smallConstants)) return nullptr;
  const auto range = facts.rangeIn(*id, *masked.getParent());
  if (!range || range->least < less.getSExtValue()) return nullptr;
  llvm::Value* narrow =
      isExtendedId(*id) ? llvm::cast<llvm::ZExtInst>(id)->getOperand(0) : builder.CreateTrunc(id, builder.getInt32Ty());
  llvm::Value* difference =
      builder.CreateAdd(narrow, llvm::ConstantInt::getSigned(narrow->getType(), -less.getSExtValue()), "", false, true);
  // A sign extension keeps the stride for all work-items, also for those that the guard excludes, whose difference is
  // negative.
  return builder.CreateSExt(difference, masked.getType());
}

/// Arithmetic of `size_t` on ids, in 32 bits: half as many vectors, and processors have more operations on them.
llvm::Value* narrowedOperation(llvm::Instruction& instruction, Builder& builder) {
  if (instruction.getNumOperands() == 0 || !instruction.getOperand(0)->getType()->isIntegerTy(64) ||
      llvm::isa<llvm::Constant>(instruction.getOperand(0)))
    return nullptr;
  llvm::Value* first = narrowNonNegative(*instruction.getOperand(0));
  if (!first) return nullptr;
  // A subtrahend that does not make the difference wrap (nuw) is no larger than the minuend, so it fits, too: the
  // global offset of an id, for example.
  if (instruction.getOpcode() == llvm::Instruction::Sub && instruction.hasNoUnsignedWrap())
    return builder.CreateZExt(
        builder.CreateSub(first, builder.CreateTrunc(instruction.getOperand(1), builder.getInt32Ty()), "", true, true),
        instruction.getType(), "", true);
  if (llvm::isa<llvm::UIToFPInst, llvm::SIToFPInst>(instruction))
    return builder.CreateSIToFP(first, instruction.getType());
  const unsigned opcode = instruction.getOpcode();
  const bool calculates = opcode == llvm::Instruction::UDiv || opcode == llvm::Instruction::URem ||
                          opcode == llvm::Instruction::And || opcode == llvm::Instruction::LShr;
  if (!calculates && opcode != llvm::Instruction::ICmp) return nullptr;
  llvm::Value* second = narrowNonNegative(*instruction.getOperand(1));
  if (opcode == llvm::Instruction::And && llvm::isa<llvm::ConstantInt>(instruction.getOperand(1)))
    second = builder.getInt32(static_cast<std::uint32_t>(
        llvm::cast<llvm::ConstantInt>(instruction.getOperand(1))->getZExtValue() & 0x7fffffff));
  // A divisor that exceeds 32 bits exceeds the dividend, too, as does the largest number of 32 bits.
  if (!second && (opcode == llvm::Instruction::UDiv || opcode == llvm::Instruction::URem))
    second = builder.CreateTrunc(
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, instruction.getOperand(1), builder.getInt64(0xffffffff)),
        builder.getInt32Ty());
  if (!second) return nullptr;
  // Both are below 2^31 in comparisons, where signed and unsigned order agree.
  if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return builder.CreateICmp(comparison->getPredicate(), first, second);
  if (opcode == llvm::Instruction::LShr && !llvm::isa<llvm::ConstantInt>(second)) return nullptr;
  if (opcode == llvm::Instruction::LShr && llvm::cast<llvm::ConstantInt>(second)->getZExtValue() > 31) return nullptr;
  llvm::Value* result = builder.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(opcode), first, second);
  return builder.CreateZExt(result, instruction.getType(), "", /*IsNonNeg=*/true);
}

}  // namespace

llvm::PreservedAnalyses NarrowIndicesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  using namespace llvm::PatternMatch;
  const GuardFacts facts(analyses.getResult<llvm::DominatorTreeAnalysis>(function));
  LowHalves halves;
  llvm::SmallVector<llvm::WeakTrackingVH, 16> replaced, created;
  Builder builder(function.getContext(), llvm::ConstantFolder(),
                  llvm::IRBuilderCallbackInserter([&](auto* instruction) { created.emplace_back(instruction); }));
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    builder.SetInsertPoint(&instruction);
    llvm::Value* wide;
    llvm::Value* replacement = nullptr;
    std::uint64_t shift;
    if (instruction.getType()->isIntegerTy(64)) {
      if (match(&instruction, m_AShr(m_Value(wide), m_ConstantInt(shift))) && shift <= 32) {
        if (llvm::Value* narrow = narrowed(wide, builder, halves, form)) {
          indexSum(*narrow, instruction, form);
          replacement = scaled(builder.CreateSExt(narrow, builder.getInt64Ty()), 32 - shift, builder, false, true);
        }
      } else if (match(&instruction, m_LShr(m_Value(wide), m_ConstantInt(shift))) && shift <= 32) {
        // A logical shift of an id alone is a division by a power of two; of a sum it is index arithmetic.
        if (llvm::Value* narrow =
                llvm::isa<llvm::BinaryOperator>(wide) ? narrowed(wide, builder, halves, form) : nullptr)
          replacement = scaled(builder.CreateZExt(narrow, builder.getInt64Ty()), 32 - shift, builder, true, false);
      } else if (llvm::Value* difference = form.idsFitInt ? guardedDifference(instruction, builder, facts) : nullptr) {
        replacement = difference;
      } else if (match(&instruction, m_And(m_Value(wide), m_SpecificInt(0xffffffff)))) {
        replacement = builder.CreateZExt(builder.CreateTrunc(wide, builder.getInt32Ty()), builder.getInt64Ty());
      }
      if (match(&instruction, m_And(m_Value(wide), m_SpecificInt(0x7fffffff))) && form.idsFitInt && isSmallId(*wide))
        replacement = wide;
    }
    // `n - 1 - id` reaches this pass as `n + ~id`.
    if (match(&instruction, m_Not(m_Value(wide))) &&
        (instruction.getType()->isIntegerTy(32) || instruction.getType()->isIntegerTy(64)))
      replacement = builder.CreateSub(llvm::Constant::getAllOnesValue(instruction.getType()), wide, "", true, true);
    // `63 - id` reaches this pass as `id ^ 63` where ids are known to be below 64.
    const llvm::APInt* ones;
    if (!replacement && match(&instruction, m_Xor(m_Value(wide), m_APInt(ones))) &&
        (instruction.getType()->isIntegerTy(32) || instruction.getType()->isIntegerTy(64)) && ones->isMask() &&
        (~llvm::computeKnownBits(wide, instruction.getDataLayout()).Zero).isSubsetOf(*ones))
      replacement = builder.CreateSub(instruction.getOperand(1), wide, "", true, true);
    // Operands without a common set bit are added without a carry.
    if (isSum(instruction, facts))
      replacement = builder.CreateAdd(instruction.getOperand(0), instruction.getOperand(1), "", true, true);
    if (!replacement && form.idsFitInt) replacement = narrowedOperation(instruction, builder);
    if (!replacement) continue;
    instruction.replaceAllUsesWith(replacement);
    replaced.emplace_back(&instruction);
  }
  const bool changed = !replaced.empty();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(replaced);
  deleteUnused(created);
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
