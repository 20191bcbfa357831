// SPDX-License-Identifier: Apache-2.0
// This file recognises the functions that stand for an instruction of AVX-512.
#include "compiler/ir/processor_functions.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <string_view>

namespace clarity::compiler {

std::optional<ProcessorOperation> processorOperationOf(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  if (!function.isDeclaration() || !name.consume_front("__clarity_processor_")) return {};
  return llvm::StringSwitch<std::optional<ProcessorOperation>>(name.take_until([](char c) { return c == '_'; }))
      .Case("exponent", ProcessorOperation::Exponent)
      .Case("significand", ProcessorOperation::Significand)
      .Case("mantissa", ProcessorOperation::Mantissa)
      .Case("reciprocal", ProcessorOperation::Reciprocal)
      .Case("root", ProcessorOperation::ReciprocalRoot)
      .Case("scale", ProcessorOperation::Scale)
      .Case("choose", ProcessorOperation::Choose)
      .Default({});
}

std::optional<ProcessorOperation> processorOperationOf(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee ? processorOperationOf(*callee) : std::nullopt;
}

std::string nameForLanes(const llvm::Function& scalar, unsigned lanes) {
  return fmt::format("{}_v{}", std::string_view(scalar.getName()), lanes);
}

llvm::Value* emitReciprocalEstimate(llvm::IRBuilderBase& builder, llvm::Value* value) {
  const auto* type = llvm::cast<llvm::FixedVectorType>(value->getType());
  const std::string name =
      fmt::format("__clarity_processor_reciprocal_f{}_v{}", type->getScalarSizeInBits(), type->getNumElements());
  llvm::FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      name, llvm::FunctionType::get(value->getType(), {value->getType()}, /*isVarArg=*/false));
  markPure(*llvm::cast<llvm::Function>(callee.getCallee()));
  return builder.CreateCall(callee, {value});
}

void markPure(llvm::Function& declaration) {
  declaration.setDoesNotAccessMemory();
  declaration.setDoesNotThrow();
  declaration.setWillReturn();
  declaration.setSpeculatable();
}

}  // namespace clarity::compiler
