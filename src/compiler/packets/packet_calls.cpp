// SPDX-License-Identifier: Apache-2.0
// This file chooses the form of a call.
#include "compiler/packets/packet_calls.h"

#include "builtins/builtins.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/processor_functions.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace clarity::compiler {

void PacketCalls::emit(llvm::CallInst& call) {
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (intrinsic->isAssumeLikeIntrinsic()) return;
    const bool pure = llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID());
    if (pure && tile_.forms.form(call) != Form::Uniform) {
      for (const unsigned cell : tile_.forms.cellsOf(call))
        values_.define(call, cell, vectorIntrinsic(*intrinsic, cell));
      return;
    }
  }
  if (const auto collective = collectiveOf(call, subGroupPrefix)) return subGroups_.emit(call, *collective);
  if (primitiveOf(call) == Primitive::ExpectBelow) return emitExpectation(call);
  const bool once = primitiveOf(call) || (call.doesNotAccessMemory() && !call.isConvergent());
  if (once && tile_.forms.form(call) == Form::Uniform) {
    for (const unsigned cell : tile_.forms.cellsOf(call)) values_.defineUniform(call, cell);
    return;
  }
  if (once) {
    const bool isInstruction = processorOperationOf(call).has_value();
    for (const unsigned cell : tile_.forms.cellsOf(call)) {
      if (llvm::Value* value = isInstruction ? processorFunction(call, cell) : vectorMath(call, cell))
        values_.define(call, cell, value);
      else
        laneByLane_.emit(call, cell, masks_.of(call, cell));
    }
    return;
  }
  for (unsigned cell = 0; cell < tile_.shape.cells(); ++cell) laneByLane_.emit(call, cell, masks_.ofCell(cell));
}

/// A number that grows by a constant from lane to lane is below the limit in all lanes if it is in the first and in the
/// last one.
void PacketCalls::emitExpectation(llvm::CallInst& call) {
  const llvm::Value &value = *call.getArgOperand(0), &limit = *call.getArgOperand(1);
  const Form form = tile_.forms.form(limit) == Form::Uniform ? tile_.forms.form(value) : Form::Vector;
  const auto expect = [&](llvm::Value* below, llvm::Value* bound) {
    builder_.CreateCall(call.getCalledFunction(), {below, bound});
  };
  const auto one = [&](llvm::Value* wrong) {
    expect(builder_.CreateZExt(wrong, builder_.getInt64Ty()), builder_.getInt64(1));
  };
  llvm::SmallVector<llvm::Value*, 8> wrong;
  for (const unsigned cell : tile_.forms.cellsOfOperands(call)) {
    llvm::Value* const lanes = lanesWith(call, cell);
    if (form == Form::Vector || (lanes && form == Form::Affine)) {
      llvm::Value* above = builder_.CreateICmpUGE(values_.vector(value, cell), values_.vector(limit, cell));
      wrong.push_back(lanes ? builder_.CreateAnd(builder_.CreateFreeze(above), lanes) : above);
    } else if (lanes) {
      llvm::Value* above = builder_.CreateICmpUGE(values_.scalar(value, cell), values_.scalar(limit, cell));
      one(builder_.CreateAnd(builder_.CreateFreeze(above), masks_.any(lanes)));
    } else if (form == Form::Uniform || tile_.shape.packetOf(cell) == 0) {
      llvm::Value *const first = values_.scalar(value, cell), *const bound = values_.scalar(limit, cell);
      expect(first, bound);
      const std::int64_t stride = form == Form::Affine ? tile_.forms.stride(value) : 0;
      if (stride != 0) expect(tile_.advance(first, wrappingProduct(stride, tile_.shape.width() - 1), value), bound);
    }
  }
  if (!wrong.empty()) one(masks_.any(wrong));
}

/// The active lanes of all cells in which the operands of a call are those of this one; nullptr: all.
llvm::Value* PacketCalls::lanesWith(const llvm::CallInst& call, unsigned cell) {
  if (!masks_.masked()) return nullptr;
  llvm::Value* joined = nullptr;
  for (unsigned other = 0; other < tile_.shape.cells(); ++other) {
    const bool isSame = llvm::all_of(call.args(), [&](const llvm::Use& operand) {
      return tile_.forms.cellFor(*operand, other) == tile_.forms.cellFor(*operand, cell);
    });
    if (isSame) joined = joined ? builder_.CreateOr(joined, masks_.ofCell(other)) : masks_.ofCell(other);
  }
  return joined;
}

llvm::Value* PacketCalls::vectorIntrinsic(llvm::IntrinsicInst& call, unsigned cell) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  llvm::SmallVector<llvm::Value*, 4> arguments;
  llvm::SmallVector<llvm::Type*, 2> types;
  if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr)) types.push_back(tile_.vectorOf(call.getType()));
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const llvm::Value& argument = *call.getArgOperand(i);
    const bool keepScalar = llvm::isVectorIntrinsicWithScalarOpAtArg(id, i, nullptr);
    arguments.push_back(keepScalar ? values_.scalar(argument, cell) : values_.vector(argument, cell));
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i), nullptr))
      types.push_back(arguments.back()->getType());
  }
  llvm::Function* function = llvm::Intrinsic::getOrInsertDeclaration(tile_.function.getParent(), id, types);
  llvm::CallInst* made = builder_.CreateCall(function, arguments, call.getName());
  if (llvm::isa<llvm::FPMathOperator>(made)) made->copyFastMathFlags(&call);
  return made;
}

llvm::Value* PacketCalls::processorFunction(llvm::CallInst& call, unsigned cell) {
  llvm::SmallVector<llvm::Value*, 2> arguments;
  llvm::SmallVector<llvm::Type*, 2> types;
  for (const llvm::Use& argument : call.args()) {
    arguments.push_back(values_.vector(*argument, cell));
    types.push_back(arguments.back()->getType());
  }
  llvm::FunctionCallee callee = tile_.function.getParent()->getOrInsertFunction(
      nameForLanes(*call.getCalledFunction(), tile_.lanes),
      llvm::FunctionType::get(tile_.vectorOf(call.getType()), types, /*isVarArg=*/false));
  markPure(*llvm::cast<llvm::Function>(callee.getCallee()));
  return builder_.CreateCall(callee, arguments, call.getName());
}

/// The form of a math function for several numbers at once, as many as fill a register.
llvm::Value* PacketCalls::vectorMath(llvm::CallInst& call, unsigned cell) {
  const llvm::Function* function = call.getCalledFunction();
  if (!function || !function->getName().starts_with("__clarity_")) return nullptr;
  const unsigned elementBits = call.getType()->getScalarSizeInBits();
  const unsigned most = std::min(tile_.lanes, elementBits ? tile_.target.bits / elementBits : 0);
  const builtins::VectorMath* form = nullptr;
  for (const builtins::VectorMath& candidate : builtins::vectorMath())
    if (function->getName() == candidate.scalar && candidate.lanes <= most && (!form || candidate.lanes > form->lanes))
      form = &candidate;
  if (!form || form->lanes < 2) return nullptr;
  llvm::SmallVector<llvm::Value*, 3> whole;
  for (const llvm::Use& argument : call.args()) whole.push_back(values_.vector(*argument, cell));
  llvm::SmallVector<llvm::Type*, 3> types;
  for (const llvm::Value* argument : whole)
    types.push_back(llvm::FixedVectorType::get(argument->getType()->getScalarType(), form->lanes));
  llvm::Type* result = llvm::FixedVectorType::get(call.getType(), form->lanes);
  llvm::FunctionCallee callee =
      tile_.function.getParent()->getOrInsertFunction(form->name, llvm::FunctionType::get(result, types, false));
  if (auto* declaration = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
    declaration->setDoesNotAccessMemory();
    declaration->setDoesNotThrow();
    declaration->setWillReturn();
  }
  llvm::Value* joined = tile_.lanes == form->lanes ? nullptr : llvm::PoisonValue::get(tile_.vectorOf(call.getType()));
  for (unsigned first = 0; first < tile_.lanes; first += form->lanes) {
    llvm::SmallVector<llvm::Value*, 3> arguments;
    for (llvm::Value* argument : whole)
      arguments.push_back(
          joined ? builder_.CreateExtractVector(
                       llvm::FixedVectorType::get(argument->getType()->getScalarType(), form->lanes), argument, first)
                 : argument);
    llvm::Value* part = builder_.CreateCall(callee, arguments);
    if (!joined) return part;
    joined = builder_.CreateInsertVector(joined->getType(), joined, part, first);
  }
  return joined;
}

}  // namespace clarity::compiler
