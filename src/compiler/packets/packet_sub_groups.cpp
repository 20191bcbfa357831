// SPDX-License-Identifier: Apache-2.0
// This file makes what the work-items of a sub-group compute together. A sub-group is a packet: its lanes' values lie in
// one vector, and those take part that come here.
#include "compiler/collectives.h"
#include "compiler/packets/packet_builder.h"
#include "compiler/transforms/sub_group_runs.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <bit>

namespace clarity::compiler {

void PacketBuilder::emitSubGroup(llvm::CallInst& call, const Collective& asked) {
  using Kind = Collective::Kind;
  llvm::Value* result = nullptr;
  switch (asked.kind) {
    case Kind::Barrier:
      // Lanes run in step: only the compiler must not move accesses across.
      builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
      return;
    case Kind::Yield: builder_.CreateCall(pauseOfSubGroup(*function_.getParent())); return;
    case Kind::LocalId: result = llvm::ConstantInt::get(call.getType(), 0); break;  // of the first lane
    case Kind::Id: result = subGroupId(call); break;
    case Kind::Ballot: result = ballot(builder_.CreateICmpNE(vector(*call.getArgOperand(0), 0), llvm::Constant::getNullValue(vectorOf(builder_.getInt32Ty())))); break;
    case Kind::Broadcast: result = broadcast(call); break;
    case Kind::Shuffle: result = shuffle(call); break;
    case Kind::Reduce: result = combineElements(builder_, asked.combination, ofThoseHere(call, asked)); break;
    case Kind::InclusiveScan: result = scanElements(builder_, asked.combination, ofThoseHere(call, asked)); break;
    case Kind::ExclusiveScan: result = exclusiveScan(call, asked); break;
    case Kind::ClusteredReduce: result = clusteredReduce(call, asked); break;
    case Kind::MaxSize:
    case Kind::Vote: return;  // not asked of a sub-group by now
  }
  define(call, 0, result);
}

/// WorkItemLoopsPass has given the query the local linear id.
llvm::Value* PacketBuilder::subGroupId(llvm::CallInst& call) {
  const llvm::Value& item = *call.getArgOperand(0);
  llvm::Value* first = plan_.form(item) == Form::Vector ? builder_.CreateExtractElement(vector(item, 0), std::uint64_t{0}) : scalar(item, 0);
  return builder_.CreateLShr(first, llvm::ConstantInt::get(first->getType(), static_cast<unsigned>(std::countr_zero(lanes_))));
}

llvm::Value* PacketBuilder::ballot(llvm::Value* predicates) {
  // What lanes that do not come here would say may be poison.
  if (llvm::Value* here = lane(0)) predicates = builder_.CreateAnd(here, builder_.CreateFreeze(predicates));
  return builder_.CreateZExtOrTrunc(builder_.CreateBitCast(predicates, builder_.getIntNTy(lanes_)), builder_.getInt64Ty());
}

/// The operand, and in lanes that do not come here the value that changes nothing.
llvm::Value* PacketBuilder::ofThoseHere(llvm::CallInst& call, const Collective& asked) {
  llvm::Value* values = vector(*call.getArgOperand(0), 0);
  llvm::Value* here = lane(0);
  if (!here) return values;
  llvm::Constant* others = llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes_), identityOf(asked.combination, call.getType()));
  return builder_.CreateSelect(here, values, others);
}

llvm::Value* PacketBuilder::exclusiveScan(llvm::CallInst& call, const Collective& asked) {
  llvm::Value* all = scanElements(builder_, asked.combination, ofThoseHere(call, asked));
  llvm::Value* before = moveUp(builder_, all, 1, identityOf(asked.combination, call.getType()));
  if (!call.getType()->isFloatingPointTy() || asked.combination != Combination::Add) return before;
  return builder_.CreateFAdd(before, llvm::Constant::getNullValue(before->getType()));  // the first one's is a positive zero
}

/// Partners at growing distances, as long as they belong to the cluster.
llvm::Value* PacketBuilder::clusteredReduce(llvm::CallInst& call, const Collective& asked) {
  llvm::Value* values = ofThoseHere(call, asked);
  const llvm::Value& size = *call.getArgOperand(1);
  llvm::Value* clusters = plan_.form(size) == Form::Scalar ? scalar(size, 0) : vector(size, 0);
  for (unsigned distance = 1; distance < lanes_; distance *= 2) {
    llvm::SmallVector<int, 64> partners;
    for (unsigned i = 0; i < lanes_; ++i) partners.push_back(static_cast<int>(i ^ distance));
    llvm::Value* both = combine(builder_, asked.combination, values, builder_.CreateShuffleVector(values, partners));
    values = builder_.CreateSelect(builder_.CreateICmpUGT(clusters, llvm::ConstantInt::get(clusters->getType(), distance)), both, values);
  }
  return values;
}

// --- exchange --------------------------------------------------------------------------------------------------------

/// A scalar that all lanes that come here agree on: where nobody has proven it, the first one's.
llvm::Value* PacketBuilder::agreed(const llvm::Value& value) {
  if (plan_.form(value) == Form::Scalar) return scalar(value, 0);
  llvm::Value* first = builder_.getInt64(0);
  if (lane(0)) first = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, ballot(allLanes()), builder_.getFalse());
  return builder_.CreateExtractElement(vector(value, 0), builder_.CreateAnd(first, builder_.getInt64(lanes_ - 1)));
}

llvm::Value* PacketBuilder::broadcast(llvm::CallInst& call) {
  const llvm::Value& value = *call.getArgOperand(0);
  if (plan_.form(value) == Form::Scalar) return scalar(value, 0);
  llvm::Value* from = agreed(*call.getArgOperand(1));
  return builder_.CreateExtractElement(vector(value, 0), builder_.CreateAnd(from, llvm::ConstantInt::get(from->getType(), lanes_ - 1)));
}

llvm::Value* PacketBuilder::shuffle(llvm::CallInst& call) {
  llvm::Value* values = vector(*call.getArgOperand(0), 0);
  // A lane that there is not gives a value that there is.
  llvm::Value* from = builder_.CreateAnd(vector(*call.getArgOperand(1), 0), llvm::ConstantInt::get(vectorOf(builder_.getInt32Ty()), lanes_ - 1));
  if (lane(0)) from = builder_.CreateAnd(builder_.CreateFreeze(from), llvm::ConstantInt::get(from->getType(), lanes_ - 1));
  return permute(values, from);
}

/// Every lane's choice among the lanes' values: by an instruction where there is one for as many, through memory elsewhere.
llvm::Value* PacketBuilder::permute(llvm::Value* values, llvm::Value* from) {
  auto* type = llvm::cast<llvm::FixedVectorType>(values->getType());
  const unsigned bits = type->getScalarSizeInBits();
  const unsigned most = target_.bits / 32;
  if (!target_.permutes || lanes_ < 8 || lanes_ > 2 * most) return permuteInMemory(values, from);
  llvm::Type* words = vectorOf(builder_.getInt32Ty());
  if (bits == 64) {
    llvm::Value* whole = builder_.CreateBitCast(values, vectorOf(builder_.getInt64Ty()));
    llvm::Value* low = permuteWords(builder_.CreateTrunc(whole, words), from);
    llvm::Value* high = permuteWords(builder_.CreateTrunc(builder_.CreateLShr(whole, llvm::ConstantInt::get(whole->getType(), 32)), words), from);
    low = builder_.CreateZExt(low, whole->getType());
    high = builder_.CreateShl(builder_.CreateZExt(high, whole->getType()), llvm::ConstantInt::get(whole->getType(), 32));
    return builder_.CreateBitCast(builder_.CreateOr(low, high), type);
  }
  llvm::Type* integers = vectorOf(builder_.getIntNTy(bits));
  llvm::Value* wide = builder_.CreateZExt(builder_.CreateBitCast(values, integers), words);
  return builder_.CreateBitCast(builder_.CreateTrunc(permuteWords(wide, from), integers), type);
}

/// The same for 32-bit values: a register, or two of which every lane takes from the one or the other.
llvm::Value* PacketBuilder::permuteWords(llvm::Value* values, llvm::Value* from) {
  const unsigned chunk = lanes_ >= 16 && target_.bits >= 512 ? 16 : 8;
  llvm::Function* instruction = llvm::Intrinsic::getOrInsertDeclaration(
      function_.getParent(), chunk == 16 ? llvm::Intrinsic::x86_avx512_permvar_si_512 : llvm::Intrinsic::x86_avx2_permd);
  if (lanes_ == chunk) return builder_.CreateCall(instruction, {values, from});
  auto* part = llvm::FixedVectorType::get(builder_.getInt32Ty(), chunk);
  llvm::Value* result = llvm::PoisonValue::get(values->getType());
  for (unsigned to = 0; to < lanes_; to += chunk) {
    llvm::Value* choice = builder_.CreateExtractVector(part, from, to);
    llvm::Value* low = builder_.CreateCall(instruction, {builder_.CreateExtractVector(part, values, std::uint64_t{0}), choice});
    llvm::Value* high = builder_.CreateCall(instruction, {builder_.CreateExtractVector(part, values, std::uint64_t{chunk}), choice});
    llvm::Value* takesLow = builder_.CreateICmpULT(choice, llvm::ConstantInt::get(part, chunk));
    result = builder_.CreateInsertVector(values->getType(), result, builder_.CreateSelect(takesLow, low, high), to);
  }
  return result;
}

llvm::Value* PacketBuilder::permuteInMemory(llvm::Value* values, llvm::Value* from) {
  llvm::Type* type = values->getType();
  llvm::AllocaInst* place = llvm::IRBuilder<>(&allocas_, allocas_.begin()).CreateAlloca(type, nullptr, "exchange");
  builder_.CreateStore(values, place);
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < lanes_; ++i) {
    llvm::Value* choice = builder_.CreateZExt(builder_.CreateExtractElement(from, i), builder_.getInt64Ty());
    llvm::Value* value = builder_.CreateLoad(type->getScalarType(), builder_.CreateGEP(type->getScalarType(), place, choice));
    result = builder_.CreateInsertElement(result, value, i);
  }
  return result;
}

}  // namespace clarity::compiler
