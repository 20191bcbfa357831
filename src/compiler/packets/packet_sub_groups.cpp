// SPDX-License-Identifier: Apache-2.0
// This file generates collective operations on vectors.
#include "compiler/packets/packet_sub_groups.h"

#include "compiler/ir/collectives.h"
#include "compiler/packets/sub_group_runs.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <bit>

namespace clarity::compiler {

void PacketSubGroups::emit(llvm::CallInst& call, const Collective& collective) {
  using Kind = Collective::Kind;
  llvm::Value* result = nullptr;
  switch (collective.kind) {
    case Kind::Barrier:
      // Lanes run in lock-step: only the compiler must not move accesses across.
      builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
      return;
    case Kind::Yield: builder_.CreateCall(pauseOfSubGroup(*tile_.function.getParent())); return;
    case Kind::LocalId: result = llvm::ConstantInt::get(call.getType(), 0); break;  // of the first lane
    case Kind::Id: result = subGroupId(call); break;
    case Kind::Ballot:
      result = ballot(builder_.CreateICmpNE(values_.vector(*call.getArgOperand(0), 0),
                                            llvm::Constant::getNullValue(tile_.vectorOf(builder_.getInt32Ty()))));
      break;
    case Kind::Broadcast: result = broadcast(call); break;
    case Kind::Shuffle: result = shuffle(call); break;
    case Kind::Reduce:
      result = combineElements(builder_, collective.combination, activeValues(call, collective));
      break;
    case Kind::InclusiveScan:
      result = scanElements(builder_, collective.combination, activeValues(call, collective));
      break;
    case Kind::ExclusiveScan: result = exclusiveScan(call, collective); break;
    case Kind::ClusteredReduce: result = clusteredReduce(call, collective); break;
    case Kind::MaxSize:
    case Kind::Vote: return;  // not queried of a sub-group by now
  }
  values_.define(call, 0, result);
}

/// WorkItemLoopsPass has given the query the local linear id as an argument.
llvm::Value* PacketSubGroups::subGroupId(llvm::CallInst& call) {
  const llvm::Value& item = *call.getArgOperand(0);
  llvm::Value* first = tile_.forms.form(item) == Form::Vector
                           ? builder_.CreateExtractElement(values_.vector(item, 0), std::uint64_t{0})
                           : values_.scalar(item, 0);
  return builder_.CreateLShr(
      first, llvm::ConstantInt::get(first->getType(), static_cast<unsigned>(std::countr_zero(tile_.lanes))));
}

llvm::Value* PacketSubGroups::ballot(llvm::Value* predicates) {
  // The predicate of an inactive lane may be poison.
  if (llvm::Value* here = masks_.ofCell(0)) predicates = builder_.CreateAnd(here, builder_.CreateFreeze(predicates));
  return builder_.CreateZExtOrTrunc(builder_.CreateBitCast(predicates, builder_.getIntNTy(tile_.lanes)),
                                    builder_.getInt64Ty());
}

/// The operand, and in inactive lanes the identity of the combination.
llvm::Value* PacketSubGroups::activeValues(llvm::CallInst& call, const Collective& collective) {
  llvm::Value* values = values_.vector(*call.getArgOperand(0), 0);
  llvm::Value* here = masks_.ofCell(0);
  if (!here) return values;
  llvm::Constant* others = llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(tile_.lanes),
                                                          identityOf(collective.combination, call.getType()));
  return builder_.CreateSelect(here, values, others);
}

llvm::Value* PacketSubGroups::exclusiveScan(llvm::CallInst& call, const Collective& collective) {
  llvm::Value* all = scanElements(builder_, collective.combination, activeValues(call, collective));
  llvm::Value* before = moveUp(builder_, all, 1, identityOf(collective.combination, call.getType()));
  if (!call.getType()->isFloatingPointTy() || collective.combination != Combination::Add) return before;
  return builder_.CreateFAdd(before,
                             llvm::Constant::getNullValue(before->getType()));  // the first one's is a positive zero
}

/// Partners at growing distances, as long as they belong to the cluster.
llvm::Value* PacketSubGroups::clusteredReduce(llvm::CallInst& call, const Collective& collective) {
  llvm::Value* values = activeValues(call, collective);
  const llvm::Value& size = *call.getArgOperand(1);
  llvm::Value* clusters = tile_.forms.form(size) == Form::Uniform ? values_.scalar(size, 0) : values_.vector(size, 0);
  for (unsigned distance = 1; distance < tile_.lanes; distance *= 2) {
    llvm::SmallVector<int, 64> partners;
    for (unsigned i = 0; i < tile_.lanes; ++i) partners.push_back(static_cast<int>(i ^ distance));
    llvm::Value* both =
        combine(builder_, collective.combination, values, builder_.CreateShuffleVector(values, partners));
    values = builder_.CreateSelect(
        builder_.CreateICmpUGT(clusters, llvm::ConstantInt::get(clusters->getType(), distance)), both, values);
  }
  return values;
}

// --- exchange --------------------------------------------------------------------------------------------------------

/// A scalar that is the same in all active lanes: where that is not proven, the first one's.
llvm::Value* PacketSubGroups::agreed(const llvm::Value& value) {
  if (tile_.forms.form(value) == Form::Uniform) return values_.scalar(value, 0);
  llvm::Value* first = builder_.getInt64(0);
  if (masks_.ofCell(0))
    first = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, ballot(masks_.full()), builder_.getFalse());
  return builder_.CreateExtractElement(values_.vector(value, 0),
                                       builder_.CreateAnd(first, builder_.getInt64(tile_.lanes - 1)));
}

llvm::Value* PacketSubGroups::broadcast(llvm::CallInst& call) {
  const llvm::Value& value = *call.getArgOperand(0);
  if (tile_.forms.form(value) == Form::Uniform) return values_.scalar(value, 0);
  llvm::Value* from = agreed(*call.getArgOperand(1));
  return builder_.CreateExtractElement(
      values_.vector(value, 0), builder_.CreateAnd(from, llvm::ConstantInt::get(from->getType(), tile_.lanes - 1)));
}

llvm::Value* PacketSubGroups::shuffle(llvm::CallInst& call) {
  llvm::Value* values = values_.vector(*call.getArgOperand(0), 0);
  // An index beyond the last lane selects one of the lanes.
  llvm::Value* from =
      builder_.CreateAnd(values_.vector(*call.getArgOperand(1), 0),
                         llvm::ConstantInt::get(tile_.vectorOf(builder_.getInt32Ty()), tile_.lanes - 1));
  if (masks_.ofCell(0))
    from = builder_.CreateAnd(builder_.CreateFreeze(from), llvm::ConstantInt::get(from->getType(), tile_.lanes - 1));
  return permute(values, from);
}

/// Every lane's choice among the lanes' values: by an instruction where there is one for as many, through memory
/// elsewhere.
llvm::Value* PacketSubGroups::permute(llvm::Value* values, llvm::Value* from) {
  auto* type = llvm::cast<llvm::FixedVectorType>(values->getType());
  const unsigned bits = type->getScalarSizeInBits();
  const unsigned most = tile_.target.bits / 32;
  if (!tile_.target.permutes || tile_.lanes < 8 || tile_.lanes > 2 * most) return permuteInMemory(values, from);
  llvm::Type* words = tile_.vectorOf(builder_.getInt32Ty());
  if (bits == 64) {
    llvm::Value* whole = builder_.CreateBitCast(values, tile_.vectorOf(builder_.getInt64Ty()));
    llvm::Value* low = permuteWords(builder_.CreateTrunc(whole, words), from);
    llvm::Value* high = permuteWords(
        builder_.CreateTrunc(builder_.CreateLShr(whole, llvm::ConstantInt::get(whole->getType(), 32)), words), from);
    low = builder_.CreateZExt(low, whole->getType());
    high =
        builder_.CreateShl(builder_.CreateZExt(high, whole->getType()), llvm::ConstantInt::get(whole->getType(), 32));
    return builder_.CreateBitCast(builder_.CreateOr(low, high), type);
  }
  llvm::Type* integers = tile_.vectorOf(builder_.getIntNTy(bits));
  llvm::Value* wide = builder_.CreateZExt(builder_.CreateBitCast(values, integers), words);
  return builder_.CreateBitCast(builder_.CreateTrunc(permuteWords(wide, from), integers), type);
}

/// The same for 32-bit values: a register, or two of which every lane takes from the one or the other.
llvm::Value* PacketSubGroups::permuteWords(llvm::Value* values, llvm::Value* from) {
  const unsigned chunk = tile_.lanes >= 16 && tile_.target.bits >= 512 ? 16 : 8;
  llvm::Function* instruction = llvm::Intrinsic::getOrInsertDeclaration(
      tile_.function.getParent(),
      chunk == 16 ? llvm::Intrinsic::x86_avx512_permvar_si_512 : llvm::Intrinsic::x86_avx2_permd);
  if (tile_.lanes == chunk) return builder_.CreateCall(instruction, {values, from});
  auto* part = llvm::FixedVectorType::get(builder_.getInt32Ty(), chunk);
  llvm::Value* result = llvm::PoisonValue::get(values->getType());
  for (unsigned to = 0; to < tile_.lanes; to += chunk) {
    llvm::Value* choice = builder_.CreateExtractVector(part, from, to);
    llvm::Value* low =
        builder_.CreateCall(instruction, {builder_.CreateExtractVector(part, values, std::uint64_t{0}), choice});
    llvm::Value* high =
        builder_.CreateCall(instruction, {builder_.CreateExtractVector(part, values, std::uint64_t{chunk}), choice});
    llvm::Value* takesLow = builder_.CreateICmpULT(choice, llvm::ConstantInt::get(part, chunk));
    result = builder_.CreateInsertVector(values->getType(), result, builder_.CreateSelect(takesLow, low, high), to);
  }
  return result;
}

llvm::Value* PacketSubGroups::permuteInMemory(llvm::Value* values, llvm::Value* from) {
  llvm::Type* type = values->getType();
  llvm::AllocaInst* place =
      llvm::IRBuilder<>(&tile_.allocas, tile_.allocas.begin()).CreateAlloca(type, nullptr, "exchange");
  builder_.CreateStore(values, place);
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < tile_.lanes; ++i) {
    llvm::Value* choice = builder_.CreateZExt(builder_.CreateExtractElement(from, i), builder_.getInt64Ty());
    llvm::Value* value =
        builder_.CreateLoad(type->getScalarType(), builder_.CreateGEP(type->getScalarType(), place, choice));
    result = builder_.CreateInsertElement(result, value, i);
  }
  return result;
}

}  // namespace clarity::compiler
