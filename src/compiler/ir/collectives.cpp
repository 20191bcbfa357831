// SPDX-License-Identifier: Apache-2.0
// This file reads the names of collective operations and emits their arithmetic.
#include "compiler/ir/collectives.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>

namespace clarity::compiler {
namespace {

Combination parseCombination(llvm::StringRef operation, llvm::StringRef type) {
  const bool isUnsigned = type.starts_with("u");
  if (operation == "mul") return Combination::Mul;
  if (operation == "min") return isUnsigned ? Combination::UnsignedMin : Combination::SignedMin;
  if (operation == "max") return isUnsigned ? Combination::UnsignedMax : Combination::SignedMax;
  if (operation == "and") return Combination::And;
  if (operation == "or") return Combination::Or;
  if (operation == "xor") return Combination::Xor;
  return Combination::Add;
}

}  // namespace

Collective parseCollective(llvm::StringRef name) {
  Collective result;
  using Kind = Collective::Kind;
  constexpr std::pair<llvm::StringLiteral, Kind> others[] = {{"broadcast_", Kind::Broadcast},
                                                             {"shuffle_", Kind::Shuffle},
                                                             {"ballot", Kind::Ballot},
                                                             {"local_id", Kind::LocalId},
                                                             {"id", Kind::Id},
                                                             {"max_size", Kind::MaxSize},
                                                             {"barrier", Kind::Barrier},
                                                             {"yield", Kind::Yield}};
  name.consume_front("whole_");
  for (const auto& [begin, kind] : others)
    if (name.starts_with(begin)) {
      result.kind = kind;
      return result;
    }
  if (name.consume_front("reduce_"))
    result.kind = Kind::Reduce;
  else if (name.consume_front("clustered_reduce_"))
    result.kind = Kind::ClusteredReduce;
  else if (name.consume_front("scan_inclusive_"))
    result.kind = Kind::InclusiveScan;
  else if (name.consume_front("scan_exclusive_"))
    result.kind = Kind::ExclusiveScan;
  else
    return result;
  const auto [operation, type] = name.split('_');
  result.combination = parseCombination(operation, type);
  return result;
}

std::optional<Collective> collectiveOf(const llvm::Instruction& instruction, llvm::StringRef prefix) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !call->getCalledFunction()) return std::nullopt;
  llvm::StringRef name = call->getCalledFunction()->getName();
  if (!name.consume_front(prefix)) return std::nullopt;
  return parseCollective(name);
}

std::optional<Combination> combinationOf(llvm::AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case llvm::AtomicRMWInst::Add:
    case llvm::AtomicRMWInst::Sub: return Combination::Add;
    case llvm::AtomicRMWInst::And: return Combination::And;
    case llvm::AtomicRMWInst::Or: return Combination::Or;
    case llvm::AtomicRMWInst::Xor: return Combination::Xor;
    case llvm::AtomicRMWInst::Min: return Combination::SignedMin;
    case llvm::AtomicRMWInst::Max: return Combination::SignedMax;
    case llvm::AtomicRMWInst::UMin: return Combination::UnsignedMin;
    case llvm::AtomicRMWInst::UMax: return Combination::UnsignedMax;
    default: return std::nullopt;
  }
}

llvm::Value* combine(llvm::IRBuilderBase& builder, Combination combination, llvm::Value* a, llvm::Value* b) {
  const bool floating = a->getType()->isFPOrFPVectorTy();
  switch (combination) {
    case Combination::Add: return floating ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
    case Combination::Mul: return floating ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
    case Combination::SignedMin:
      return builder.CreateBinaryIntrinsic(floating ? llvm::Intrinsic::minnum : llvm::Intrinsic::smin, a, b);
    case Combination::SignedMax:
      return builder.CreateBinaryIntrinsic(floating ? llvm::Intrinsic::maxnum : llvm::Intrinsic::smax, a, b);
    case Combination::UnsignedMin: return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
    case Combination::UnsignedMax: return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
    case Combination::And: return builder.CreateAnd(a, b);
    case Combination::Or: return builder.CreateOr(a, b);
    case Combination::Xor: return builder.CreateXor(a, b);
  }
  return nullptr;
}

llvm::Constant* identityOf(Combination combination, llvm::Type* element) {
  if (element->isFloatingPointTy()) {
    switch (combination) {
      case Combination::Mul: return llvm::ConstantFP::get(element, 1.0);
      case Combination::SignedMin: return llvm::ConstantFP::getInfinity(element, false);
      case Combination::SignedMax: return llvm::ConstantFP::getInfinity(element, true);
      default: return llvm::ConstantFP::getNegativeZero(element);
    }
  }
  const unsigned bits = element->getIntegerBitWidth();
  switch (combination) {
    case Combination::Mul: return llvm::ConstantInt::get(element, 1);
    case Combination::SignedMin: return llvm::ConstantInt::get(element, llvm::APInt::getSignedMaxValue(bits));
    case Combination::SignedMax: return llvm::ConstantInt::get(element, llvm::APInt::getSignedMinValue(bits));
    case Combination::UnsignedMin:
    case Combination::And: return llvm::Constant::getAllOnesValue(element);
    default: return llvm::Constant::getNullValue(element);
  }
}

llvm::Constant* firstOfExclusiveScan(Combination combination, llvm::Type* element) {
  if (combination == Combination::Add) return llvm::Constant::getNullValue(element);
  return identityOf(combination, element);
}

llvm::Value* combineElements(llvm::IRBuilderBase& builder, Combination combination, llvm::Value* vector) {
  unsigned count = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  for (; count > 1; count /= 2) {
    llvm::SmallVector<int, 64> lower, upper;
    for (unsigned i = 0; i < count / 2; ++i) {
      lower.push_back(static_cast<int>(i));
      upper.push_back(static_cast<int>(i + count / 2));
    }
    vector = combine(builder, combination, builder.CreateShuffleVector(vector, lower),
                     builder.CreateShuffleVector(vector, upper));
  }
  return builder.CreateExtractElement(vector, std::uint64_t{0});
}

llvm::Value* moveUp(llvm::IRBuilderBase& builder, llvm::Value* vector, unsigned by, llvm::Constant* fill) {
  const unsigned count = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  llvm::Constant* filled = llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(count), fill);
  llvm::SmallVector<int, 64> from;
  for (unsigned i = 0; i < count; ++i) from.push_back(static_cast<int>(i < by ? count : i - by));
  return builder.CreateShuffleVector(vector, filled, from);
}

llvm::Value* scanElements(llvm::IRBuilderBase& builder, Combination combination, llvm::Value* vector) {
  auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  llvm::Constant* identity = identityOf(combination, type->getElementType());
  for (unsigned by = 1; by < type->getNumElements(); by *= 2)
    vector = combine(builder, combination, moveUp(builder, vector, by, identity), vector);
  return vector;
}

}  // namespace clarity::compiler
