// SPDX-License-Identifier: Apache-2.0
// This file reads branches (SPIR-V 1.6, section 3.49.17). Structured control flow is not demanded, so merge
// instructions count for what they say of loops only.
#include "compiler/ir/loop_properties.h"
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

namespace clarity::compiler::spirv {
namespace {

llvm::Value* endBlock(FunctionReader& in) {
  in.builder().ClearInsertionPoint();
  return nullptr;
}

llvm::Value* branch(FunctionReader& in) {
  in.builder().CreateBr(&in.block(in.current()[0]));
  return endBlock(in);
}

llvm::Value* branchConditional(FunctionReader& in) {
  llvm::Value& condition = boolAt(in, 0);
  require(!condition.getType()->isVectorTy(), in.current(), "its condition is a vector");
  llvm::MDNode* weights = nullptr;
  if (in.current().count() == 5 && (in.current()[3] | in.current()[4]) != 0)
    weights = llvm::MDBuilder(in.context()).createBranchWeights(in.current()[3], in.current()[4]);
  in.builder().CreateCondBr(&condition, &in.block(in.current()[1]), &in.block(in.current()[2]), weights);
  return endBlock(in);
}

/// Literals are as wide as the selector.
llvm::Value* switchOn(FunctionReader& in) {
  llvm::Value& selector = integerAt(in, 0);
  auto* const type = llvm::dyn_cast<llvm::IntegerType>(selector.getType());
  require(type != nullptr, in.current(), "its selector is not an integer");
  const std::size_t words = wordsOf(type->getBitWidth());
  const std::span<const std::uint32_t> targets = in.current().from(2);
  require(targets.size() % (words + 1) == 0, in.current(), "a target is not whole");
  llvm::SwitchInst* const made = in.builder().CreateSwitch(&selector, &in.block(in.current()[1]),
                                                           static_cast<unsigned>(targets.size() / (words + 1)));
  llvm::DenseSet<const llvm::ConstantInt*> seen;  // there is one of each value
  for (std::size_t i = 0; i < targets.size(); i += words + 1) {
    const llvm::APInt value = numberOf(targets.subspan(i, words), type->getBitWidth());
    llvm::ConstantInt* const constant = llvm::ConstantInt::get(in.context(), value);
    require(seen.insert(constant).second, in.current(), "the target for {} is there twice",
            llvm::toString(value, 10, false));
    made->addCase(constant, &in.block(targets[i + words]));
  }
  return endBlock(in);
}

llvm::Value* returnNothing(FunctionReader& in) {
  require(in.function().getReturnType()->isVoidTy(), in.current(), "the function returns a value");
  in.builder().CreateRetVoid();
  return endBlock(in);
}

llvm::Value* returnValue(FunctionReader& in) {
  llvm::Value& value = in.operand(0);
  require(value.getType() == in.function().getReturnType(), in.current(), "the function returns another type");
  in.builder().CreateRet(&value);
  return endBlock(in);
}

llvm::Value* unreachable(FunctionReader& in) {
  in.builder().CreateUnreachable();
  return endBlock(in);
}

llvm::Value* phi(FunctionReader& in) {
  require(in.resultType().llvm->isFirstClassType() && in.resultType().llvm->isSized(), in.current(),
          "there are no values of its type");
  return in.phi();
}

/// The metadata of a loop that is to be unrolled, or not.
llvm::MDNode* loopMetadata(FunctionReader& in, std::uint32_t control, std::span<const std::uint32_t> parameters) {
  llvm::LLVMContext& context = in.context();
  const auto has = [&](LoopControl bit) { return (control & static_cast<std::uint32_t>(bit)) != 0; };
  if (has(LoopControl::DontUnroll)) return notUnrolled(context);
  if (has(LoopControl::PartialCount)) {
    // Its number follows those of the bits below it.
    std::size_t index = 0;
    for (const LoopControl bit : {LoopControl::DependencyLength, LoopControl::MinIterations, LoopControl::MaxIterations,
                                  LoopControl::IterationMultiple, LoopControl::PeelCount})
      index += has(bit);
    const std::uint32_t count = index < parameters.size() ? parameters[index] : 0;
    return count == 0 ? nullptr : loopProperties(context, loopProperty(context, "llvm.loop.unroll.count", count));
  }
  return has(LoopControl::Unroll) ? loopProperties(context, loopProperty(context, "llvm.loop.unroll.enable")) : nullptr;
}

/// In the header: the block behind the loop, the one that leads back, and what is wanted.
llvm::Value* loopMerge(FunctionReader& in) {
  if (llvm::MDNode* const loop = loopMetadata(in, in.current()[2], in.current().from(3)))
    in.setLoopControl(in.currentLabel(), in.current()[1], loop);
  return nullptr;
}

llvm::Value* nothing(FunctionReader&) { return nullptr; }

}  // namespace

void addControlFlow(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::Branch, branch);
  set(Op::BranchConditional, branchConditional);
  set(Op::Switch, switchOn);
  set(Op::Return, returnNothing);
  set(Op::ReturnValue, returnValue);
  set(Op::Unreachable, unreachable);
  set(Op::Phi, phi);
  set(Op::LoopMerge, loopMerge);
  set(Op::LoopControlINTEL, nothing);
  set(Op::SelectionMerge, nothing);
}

}  // namespace clarity::compiler::spirv
