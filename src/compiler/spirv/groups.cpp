// SPDX-License-Identifier: Apache-2.0
// This file reads instructions of work-groups and sub-groups whose members all take part (SPIR-V 1.6, section 3.49.21).
#include "compiler/spirv/group_calls.h"
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/scopes.h"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <bit>

namespace clarity::compiler::spirv {
namespace {

const char* groupName(FunctionReader& in) { return isSubGroup(in, 0) ? "sub_group" : "work_group"; }

template <bool isAll>
llvm::Value* vote(FunctionReader& in) {
  return callVote(in, fmt::format("{}_{}", groupName(in), isAll ? "all" : "any"), boolAt(in, 1));
}

/// Operands: scope, value, local id, which is a vector for a work-group of several dimensions.
llvm::Value* broadcast(FunctionReader& in) {
  llvm::Value& value = in.operand(1);
  llvm::Value& id = integerAt(in, 2);
  llvm::IRBuilder<>& builder = in.builder();
  const bool isOfSubGroup = isSubGroup(in, 0);
  llvm::Type* const idType = isOfSubGroup ? builder.getInt32Ty() : builder.getInt64Ty();
  llvm::SmallVector<llvm::Value*, 3> ids;
  if (const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(id.getType()))
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      ids.push_back(builder.CreateExtractElement(&id, std::uint64_t(i)));
  else
    ids.push_back(&id);
  require(ids.size() <= (isOfSubGroup ? 1u : 3u), in.current(), "its local id has {} components", ids.size());
  for (llvm::Value*& one : ids) one = builder.CreateZExtOrTrunc(one, idType);
  return callGroup(in, fmt::format("{}_broadcast", groupName(in)), value, true, ids);
}

/// Operands: scope, operation, value. A sub-group has products and the like among its non-uniform functions only.
template <const GroupArithmetic& operation>
llvm::Value* arithmetic(FunctionReader& in) {
  const bool isExtended = &operation != &groupAdd && &operation != &groupMin && &operation != &groupUmin &&
                          &operation != &groupMax && &operation != &groupUmax;
  const std::string_view form = groupForm(in, 1);
  const std::string name = fmt::format("{}_{}{}_{}", groupName(in),
                                       isSubGroup(in, 0) && isExtended ? "non_uniform_" : "", form, operation.name);
  return callGroup(in, name, in.operand(2), operation.isSigned, {});
}

/// An element of a copy between untyped pointers: a number, or a vector of longs, as its bytes are all that is known.
llvm::Type& elementOf(FunctionReader& in, std::uint64_t bytes) {
  const bool isKnown = bytes >= 1 && bytes <= 128 && std::has_single_bit(bytes);
  require(isKnown, in.current(), "no type of OpenCL C has elements of {} bytes", bytes);
  llvm::Type* const number = in.builder().getIntNTy(static_cast<unsigned>(8 * std::min<std::uint64_t>(bytes, 8)));
  return bytes <= 8 ? *number : *llvm::FixedVectorType::get(number, static_cast<unsigned>(bytes / 8));
}

/// Operands: scope, destination, source, the bytes of an element if the pointers are untyped, elements, stride, event.
llvm::Value* asyncCopy(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& to = pointerAt(in, 1);
  llvm::Value& from = pointerAt(in, 2);
  const bool isUntyped = in.current().op == Op::UntypedGroupAsyncCopyKHR;
  const std::size_t count = isUntyped ? 4 : 3;
  llvm::Type& element = isUntyped ? elementOf(in, in.module().number(in.current()[3], in.current()))
                                  : *in.pointeeOf(in.typeOf(in.current()[1]));
  const auto* const stride = llvm::dyn_cast<llvm::ConstantInt>(&integerAt(in, count + 1));
  const bool isPlain = stride && stride->isOne();
  Mangled name(isPlain ? "async_work_group_copy" : "async_work_group_strided_copy");
  name.addPointer(element, true, to.getType()->getPointerAddressSpace());
  name.addPointer(element, true, from.getType()->getPointerAddressSpace(), "K");
  llvm::Type* const size = builder.getInt64Ty();
  llvm::SmallVector<llvm::Value*, 5> arguments = {&to, &from, builder.CreateZExtOrTrunc(&integerAt(in, count), size)};
  name.add(*size, false);
  if (!isPlain) {
    arguments.push_back(builder.CreateZExtOrTrunc(&integerAt(in, count + 1), size));
    name.add(*size, false);
  }
  arguments.push_back(&in.operand(count + 2));
  return in.call(name.addNamed("ocl_event").text(), in.resultType().llvm, arguments);
}

llvm::Value* waitEvents(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& events = pointerAt(in, 2);
  const std::string name = Mangled("wait_group_events")
                               .add(*builder.getInt32Ty(), true)
                               .addNamedPointer("ocl_event", events.getType()->getPointerAddressSpace())
                               .text();
  in.call(name, builder.getVoidTy(), {builder.CreateZExtOrTrunc(&integerAt(in, 1), builder.getInt32Ty()), &events});
  return nullptr;
}

}  // namespace

void addGroups(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::GroupAll, vote<true>);
  set(Op::GroupAny, vote<false>);
  set(Op::GroupBroadcast, broadcast);
  set(Op::GroupIAdd, arithmetic<groupAdd>);
  set(Op::GroupFAdd, arithmetic<groupAdd>);
  set(Op::GroupSMin, arithmetic<groupMin>);
  set(Op::GroupFMin, arithmetic<groupMin>);
  set(Op::GroupUMin, arithmetic<groupUmin>);
  set(Op::GroupSMax, arithmetic<groupMax>);
  set(Op::GroupFMax, arithmetic<groupMax>);
  set(Op::GroupUMax, arithmetic<groupUmax>);
  set(Op::GroupIMulKHR, arithmetic<groupMul>);
  set(Op::GroupFMulKHR, arithmetic<groupMul>);
  set(Op::GroupBitwiseAndKHR, arithmetic<groupAnd>);
  set(Op::GroupBitwiseOrKHR, arithmetic<groupOr>);
  set(Op::GroupBitwiseXorKHR, arithmetic<groupXor>);
  set(Op::GroupLogicalAndKHR, arithmetic<groupLogicalAnd>);
  set(Op::GroupLogicalOrKHR, arithmetic<groupLogicalOr>);
  set(Op::GroupLogicalXorKHR, arithmetic<groupLogicalXor>);
  set(Op::GroupAsyncCopy, asyncCopy);
  set(Op::UntypedGroupAsyncCopyKHR, asyncCopy);
  set(Op::GroupWaitEvents, waitEvents);
}

}  // namespace clarity::compiler::spirv
