// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that makes the values of arguments constants.
#pragma once

#include "compiler/ir/shape.h"

#include <llvm/IR/PassManager.h>

#include <utility>
#include <vector>

namespace clarity::compiler {

/// `specialize-arguments`: replaces parameters of a kernel by the values that the shape knows, so that loops over them
/// have a trip count, switches one case and divisions a constant divisor.
///   before:  for (uint rest = %radices; rest; rest >>= 5) switch (rest & 31) { ... }
///   after:   for (uint rest = 10570; rest; rest >>= 5) switch (rest & 31) { ... }
/// Needs: the parameters of the source: specialize-images and know-images, which add some, come later. The parameters
/// stay, unused.
struct SpecializeArgumentsPass : llvm::PassInfoMixin<SpecializeArgumentsPass> {
  explicit SpecializeArgumentsPass(std::vector<ConstantArgument> constants) : constants(std::move(constants)) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  std::vector<ConstantArgument> constants;
};

}  // namespace clarity::compiler
