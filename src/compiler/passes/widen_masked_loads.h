// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that loads whole vectors where the processor cannot mask a vector's elements.
#pragma once

#include "compiler/packets/packet_shape.h"

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

/// `widen-masked-loads`: loads that the processor has no masked instruction for, such as those of bytes before AVX-512,
/// load the whole vector. Memory is accessible by pages: what lies in one page with an element of an active lane can be
/// read. Where no lane is active, the address is that of a variable, and where the vector crosses a page, the active
/// lanes load one by one.
///   before:  %v = masked.load <32 x i8> %p, %mask, %other
///   after:   %at = select (any of %mask), %p, %spare
///            br (the 32 bytes at %at cross a page), %one by one, %whole
///            %v = select %mask, load <32 x i8> %at, %other
///
/// LLVM's code generator has a branch and a load for each element instead. Other threads may write to the bytes of
/// inactive lanes meanwhile: these are not used.
struct WidenMaskedLoadsPass : llvm::PassInfoMixin<WidenMaskedLoadsPass> {
  explicit WidenMaskedLoadsPass(const VectorTarget& target) : target(target) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

  VectorTarget target;
};

}  // namespace clarity::compiler
