// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that makes a known work-group size a constant.
#pragma once

#include "compiler/ir/shape.h"

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// Replaces queries of the local size by the shape's numbers and notes them for later passes
/// (attributes "clarity-local-size-0" to "-2").
struct SpecializeShapePass : llvm::PassInfoMixin<SpecializeShapePass> {
  explicit SpecializeShapePass(Shape shape) : shape(shape) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  Shape shape;
};

}  // namespace clarity::compiler
