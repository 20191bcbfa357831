// SPDX-License-Identifier: Apache-2.0
// This file reads instructions of sub-groups that some members may not reach, and Intel's (SPIR-V 1.6, section
// 3.49.24; SPV_INTEL_subgroups).
#include "compiler/spirv/builtin_names.h"
#include "compiler/spirv/group_calls.h"
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/scopes.h"

#include <llvm/IR/Constants.h>

namespace clarity::compiler::spirv {
namespace {

void requireSubGroup(FunctionReader& in) {
  require(static_cast<Scope>(in.number(0)) == Scope::Subgroup, in.current(), "its execution scope is not Subgroup");
}

llvm::Value& maskAt(FunctionReader& in, std::size_t index) {
  llvm::Value& mask = integerAt(in, index);
  require(mask.getType() == llvm::FixedVectorType::get(in.builder().getInt32Ty(), 4), in.current(),
          "operand {} is not a vector of four integers", index + 1);
  return mask;
}

llvm::Value* elect(FunctionReader& in) {
  requireSubGroup(in);
  return in.builder().CreateIsNotNull(in.call("_Z15sub_group_electv", in.builder().getInt32Ty(), {}));
}

template <bool isAll>
llvm::Value* voteOfActive(FunctionReader& in) {
  requireSubGroup(in);
  return callVote(in, isAll ? "sub_group_non_uniform_all" : "sub_group_non_uniform_any", boolAt(in, 1));
}

/// Every component of a vector is equal in all members.
llvm::Value* allEqual(FunctionReader& in) {
  requireSubGroup(in);
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& value = in.operand(1);
  const auto call = [&](llvm::Value* one) {
    if (one->getType()->isIntegerTy(1)) one = builder.CreateZExt(one, builder.getInt32Ty());
    return builder.CreateIsNotNull(in.call(Mangled("sub_group_non_uniform_all_equal").add(*one->getType(), true).text(),
                                           builder.getInt32Ty(), {one}));
  };
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  require(value.getType()->isIntOrIntVectorTy() || value.getType()->isFPOrFPVectorTy(), in.current(),
          "its value is not a number");
  if (!vector) return call(&value);
  llvm::Value* equal = builder.getTrue();
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    equal = builder.CreateAnd(equal, call(builder.CreateExtractElement(&value, std::uint64_t(i))));
  return equal;
}

llvm::Value* broadcastActive(FunctionReader& in) {
  requireSubGroup(in);
  return callGroup(in, "sub_group_non_uniform_broadcast", in.operand(1), true, {uintAt(in, 2)});
}

llvm::Value* broadcastFirst(FunctionReader& in) {
  requireSubGroup(in);
  return callGroup(in, "sub_group_broadcast_first", in.operand(1), true, {});
}

llvm::Value* ballot(FunctionReader& in) {
  requireSubGroup(in);
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value* const predicate = builder.CreateZExt(&boolAt(in, 1), builder.getInt32Ty());
  require(predicate->getType()->isIntegerTy(), in.current(), "its predicate is a vector");
  return in.call("_Z16sub_group_balloti", llvm::FixedVectorType::get(builder.getInt32Ty(), 4), {predicate});
}

llvm::Value* callMask(FunctionReader& in, std::string_view name, std::size_t mask,
                      llvm::ArrayRef<llvm::Value*> further = {}) {
  Mangled mangled(name);
  llvm::Value& bits = maskAt(in, mask);
  mangled.add(*bits.getType(), false);
  llvm::SmallVector<llvm::Value*, 2> arguments = {&bits};
  for (llvm::Value* const argument : further) {
    mangled.add(*argument->getType(), false);
    arguments.push_back(argument);
  }
  return in.call(mangled.text(), in.builder().getInt32Ty(), arguments);
}

llvm::Value* inverseBallot(FunctionReader& in) {
  requireSubGroup(in);
  return in.builder().CreateIsNotNull(callMask(in, "sub_group_inverse_ballot", 1));
}

llvm::Value* ballotBitExtract(FunctionReader& in) {
  requireSubGroup(in);
  return in.builder().CreateIsNotNull(callMask(in, "sub_group_ballot_bit_extract", 1, {uintAt(in, 2)}));
}

llvm::Value* ballotBitCount(FunctionReader& in) {
  requireSubGroup(in);
  const std::string_view form = groupForm(in, 1);
  return callMask(in,
                  form == "reduce"           ? "sub_group_ballot_bit_count"
                  : form == "scan_inclusive" ? "sub_group_ballot_inclusive_scan"
                                             : "sub_group_ballot_exclusive_scan",
                  2);
}

template <bool isLowest>
llvm::Value* ballotFind(FunctionReader& in) {
  requireSubGroup(in);
  return callMask(in, isLowest ? "sub_group_ballot_find_lsb" : "sub_group_ballot_find_msb", 1);
}

enum class Exchange { Any, Xor, Up, Down };

template <Exchange kind>
llvm::Value* exchangeLanes(FunctionReader& in) {
  requireSubGroup(in);
  constexpr const char* names[] = {"sub_group_shuffle", "sub_group_shuffle_xor", "sub_group_shuffle_up",
                                   "sub_group_shuffle_down"};
  return callGroup(in, names[static_cast<unsigned>(kind)], in.operand(1), true, {uintAt(in, 2)});
}

/// sub_group_rotate(value, int): its number has a sign, unlike that of other functions.
llvm::Value* rotate(FunctionReader& in) {
  requireSubGroup(in);
  llvm::IRBuilder<>& builder = in.builder();
  llvm::SmallVector<llvm::Value*, 2> further = {uintAt(in, 2)};
  if (in.current().has(3)) further.push_back(uintAt(in, 3));
  return byComponents(in, in.operand(1), [&](llvm::Value* one) -> llvm::Value* {
    const bool isBool = one->getType()->isIntegerTy(1);
    if (isBool) one = builder.CreateZExt(one, builder.getInt32Ty());
    Mangled name(further.size() > 1 ? "sub_group_clustered_rotate" : "sub_group_rotate");
    name.add(*one->getType(), true);
    llvm::SmallVector<llvm::Value*, 3> arguments = {one};
    for (llvm::Value* const number : further) {
      name.add(*number->getType(), number == further[0]);
      arguments.push_back(number);
    }
    llvm::Value* const made = in.call(name.text(), one->getType(), arguments);
    return isBool ? builder.CreateIsNotNull(made) : made;
  });
}

/// Operands: scope, operation, value, cluster size.
template <const GroupArithmetic& operation>
llvm::Value* arithmeticOfActive(FunctionReader& in) {
  requireSubGroup(in);
  if (in.current().as<GroupOperation>(1) == GroupOperation::ClusteredReduce)
    return callGroup(in, fmt::format("sub_group_clustered_reduce_{}", operation.name), in.operand(2),
                     operation.isSigned, {uintAt(in, 3)});
  return callGroup(in, fmt::format("sub_group_non_uniform_{}_{}", groupForm(in, 1), operation.name), in.operand(2),
                   operation.isSigned, {});
}

/// One or two values and a number. OpenCL C has the functions for vectors of some types only.
llvm::Value* callIntel(FunctionReader& in, const char* name, std::size_t values) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::SmallVector<llvm::Value*, 2> given;
  for (std::size_t i = 0; i < values; ++i) {
    given.push_back(&in.operand(i));
    require(given[i]->getType() == in.resultType().llvm, in.current(), "operand {} has not the type of the result",
            i + 1);
  }
  llvm::Value* const number = uintAt(in, values);
  const auto nameFor = [&](const llvm::Type& type) {
    Mangled mangled(name);
    for (std::size_t i = 0; i < values; ++i) mangled.add(type, true);
    return mangled.add(*builder.getInt32Ty(), false).text();
  };
  const auto call = [&](llvm::SmallVector<llvm::Value*, 3> arguments) {
    llvm::Type* const type = arguments[0]->getType();
    arguments.push_back(number);
    return in.call(nameFor(*type), type, arguments);
  };
  require(given[0]->getType()->isIntOrIntVectorTy() || given[0]->getType()->isFPOrFPVectorTy(), in.current(),
          "its value is not a number");
  if (!typeOfBuiltin(nameFor(*given[0]->getType())).empty()) return call({given.begin(), given.end()});
  unsigned component = 0;
  return byComponents(in, *given[0], [&](llvm::Value* first) -> llvm::Value* {
    llvm::SmallVector<llvm::Value*, 3> parts = {first};
    if (values == 2) parts.push_back(given[1]);
    if (values == 2 && given[1]->getType()->isVectorTy())
      parts[1] = builder.CreateExtractElement(given[1], std::uint64_t(component++));
    const bool isBool = first->getType()->isIntegerTy(1);
    for (llvm::Value*& part : parts)
      if (isBool) part = builder.CreateZExt(part, builder.getInt32Ty());
    llvm::Value* const made = call(parts);
    return isBool ? builder.CreateIsNotNull(made) : made;
  });
}

llvm::Value* shuffleIntel(FunctionReader& in) { return callIntel(in, "intel_sub_group_shuffle", 1); }
llvm::Value* shuffleXorIntel(FunctionReader& in) { return callIntel(in, "intel_sub_group_shuffle_xor", 1); }
llvm::Value* shuffleDownIntel(FunctionReader& in) { return callIntel(in, "intel_sub_group_shuffle_down", 2); }
llvm::Value* shuffleUpIntel(FunctionReader& in) { return callIntel(in, "intel_sub_group_shuffle_up", 2); }

llvm::Value* blockRead(FunctionReader& in) {
  llvm::Value& pointer = pointerAt(in, 0);
  llvm::Type* const type = in.resultType().llvm;
  const std::string name =
      Mangled(blockName(in, "read", type))
          .addPointer(*type->getScalarType(), false, pointer.getType()->getPointerAddressSpace(), "K")
          .text();
  return in.call(name, type, {&pointer});
}

llvm::Value* blockWrite(FunctionReader& in) {
  llvm::Value& pointer = pointerAt(in, 0);
  llvm::Value& value = integerAt(in, 1);
  llvm::Type* const type = value.getType();
  const std::string name = Mangled(blockName(in, "write", type))
                               .addPointer(*type->getScalarType(), false, pointer.getType()->getPointerAddressSpace())
                               .add(*type, false)
                               .text();
  in.call(name, in.builder().getVoidTy(), {&pointer, &value});
  return nullptr;
}

}  // namespace

std::string blockName(FunctionReader& in, const char* action, llvm::Type* type) {
  const unsigned bits = type->getScalarSizeInBits();
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  require(type->isIntOrIntVectorTy(), in.current(), "blocks consist of integers");
  return fmt::format("intel_sub_group_block_{}{}{}", action,
                     bits == 8    ? "_uc"
                     : bits == 16 ? "_us"
                     : bits == 64 ? "_ul"
                                  : "",
                     vector ? std::to_string(vector->getNumElements()) : "");
}

void addSubGroups(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::GroupNonUniformElect, elect);
  set(Op::GroupNonUniformAll, voteOfActive<true>);
  set(Op::GroupNonUniformAny, voteOfActive<false>);
  set(Op::GroupNonUniformAllEqual, allEqual);
  set(Op::GroupNonUniformBroadcast, broadcastActive);
  set(Op::GroupNonUniformBroadcastFirst, broadcastFirst);
  set(Op::GroupNonUniformBallot, ballot);
  set(Op::GroupNonUniformInverseBallot, inverseBallot);
  set(Op::GroupNonUniformBallotBitExtract, ballotBitExtract);
  set(Op::GroupNonUniformBallotBitCount, ballotBitCount);
  set(Op::GroupNonUniformBallotFindLSB, ballotFind<true>);
  set(Op::GroupNonUniformBallotFindMSB, ballotFind<false>);
  set(Op::GroupNonUniformShuffle, exchangeLanes<Exchange::Any>);
  set(Op::GroupNonUniformShuffleXor, exchangeLanes<Exchange::Xor>);
  set(Op::GroupNonUniformShuffleUp, exchangeLanes<Exchange::Up>);
  set(Op::GroupNonUniformShuffleDown, exchangeLanes<Exchange::Down>);
  set(Op::GroupNonUniformRotateKHR, rotate);
  set(Op::GroupNonUniformIAdd, arithmeticOfActive<groupAdd>);
  set(Op::GroupNonUniformFAdd, arithmeticOfActive<groupAdd>);
  set(Op::GroupNonUniformIMul, arithmeticOfActive<groupMul>);
  set(Op::GroupNonUniformFMul, arithmeticOfActive<groupMul>);
  set(Op::GroupNonUniformSMin, arithmeticOfActive<groupMin>);
  set(Op::GroupNonUniformFMin, arithmeticOfActive<groupMin>);
  set(Op::GroupNonUniformUMin, arithmeticOfActive<groupUmin>);
  set(Op::GroupNonUniformSMax, arithmeticOfActive<groupMax>);
  set(Op::GroupNonUniformFMax, arithmeticOfActive<groupMax>);
  set(Op::GroupNonUniformUMax, arithmeticOfActive<groupUmax>);
  set(Op::GroupNonUniformBitwiseAnd, arithmeticOfActive<groupAnd>);
  set(Op::GroupNonUniformBitwiseOr, arithmeticOfActive<groupOr>);
  set(Op::GroupNonUniformBitwiseXor, arithmeticOfActive<groupXor>);
  set(Op::GroupNonUniformLogicalAnd, arithmeticOfActive<groupLogicalAnd>);
  set(Op::GroupNonUniformLogicalOr, arithmeticOfActive<groupLogicalOr>);
  set(Op::GroupNonUniformLogicalXor, arithmeticOfActive<groupLogicalXor>);
  set(Op::SubgroupShuffleINTEL, shuffleIntel);
  set(Op::SubgroupShuffleXorINTEL, shuffleXorIntel);
  set(Op::SubgroupShuffleDownINTEL, shuffleDownIntel);
  set(Op::SubgroupShuffleUpINTEL, shuffleUpIntel);
  set(Op::SubgroupBlockReadINTEL, blockRead);
  set(Op::SubgroupBlockWriteINTEL, blockWrite);
}

}  // namespace clarity::compiler::spirv
