// SPDX-License-Identifier: Apache-2.0
// This file replaces parameters of kernels by numbers.
#include "compiler/passes/specialize_arguments.h"

#include "compiler/transforms/preserved.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APInt.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Type.h>

namespace clarity::compiler {
namespace {

/// The number of a type with these bits; null if the type has no such numbers.
llvm::Constant* numberOf(llvm::Type& type, std::uint64_t bits) {
  const unsigned width = type.getScalarSizeInBits();
  if (!type.isIntegerTy() && !type.isFloatingPointTy()) return nullptr;
  if (width == 0 || width > 64) return nullptr;
  const llvm::APInt number = llvm::APInt(64, bits).trunc(width);
  if (type.isIntegerTy()) return llvm::ConstantInt::get(&type, number);
  return llvm::ConstantFP::get(&type, llvm::APFloat(type.getFltSemantics(), number));
}

}  // namespace

llvm::PreservedAnalyses SpecializeArgumentsPass::run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (const ConstantArgument& constant : constants) {
    if (constant.argument >= kernel.arg_size()) continue;
    llvm::Argument& parameter = *kernel.getArg(constant.argument);
    llvm::Constant* const number = numberOf(*parameter.getType(), constant.bits);
    if (!number || parameter.use_empty()) continue;
    parameter.replaceAllUsesWith(number);
    changed = true;
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
