// SPDX-License-Identifier: Apache-2.0
// This file prints what the analysis found, a line for every value and block.
#include "compiler/analysis/variance.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>

namespace clarity::compiler {
namespace {

void printDimensions(llvm::raw_ostream& out, Dimensions dims) {
  if (dims.empty())
    out << "uniform";
  else
    out << "varies in ";
  for (unsigned d = 0; d < 3; ++d)
    if (dims.has(d)) out << "xyz"[d];
}

}  // namespace

void VarianceInfo::print(llvm::raw_ostream& out, const llvm::Function& function) const {
  out << "variance of '" << function.getName() << "'\n";
  for (const llvm::BasicBlock& block : function) {
    out << "block ";
    block.printAsOperand(out, false);
    if (const Dimensions dims = divergence(block); !dims.empty()) {
      out << ": divergent, ";
      printDimensions(out, dims);
    }
    out << '\n';
    for (const llvm::Instruction& instruction : block) {
      if (instruction.getType()->isVoidTy()) continue;
      const ValueVariance variance = of(instruction);
      out << "  ";
      instruction.printAsOperand(out, false);
      out << ": ";
      printDimensions(out, variance.dims);
      if (!variance.uniform() && instruction.getType()->isIntOrPtrTy()) {
        out << ", stride";
        for (unsigned d = 0; d < 3; ++d) {
          if (!variance.dims.has(d)) continue;
          out << ' ' << "xyz"[d] << '=';
          if (variance.stride[d])
            out << *variance.stride[d];
          else
            out << '?';
        }
        if (mayWrap(instruction)) out << ", as an address";
        if (extendsTerms(instruction)) out << ", by terms";
      }
      out << '\n';
    }
  }
}

llvm::PreservedAnalyses VariancePrinterPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  analyses.getResult<VarianceAnalysis>(function).print(out, function);
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
