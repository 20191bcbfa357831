// SPDX-License-Identifier: Apache-2.0
// This file prints ranges and which values stay in step, a line for every integer that varies between work-items.
#include "compiler/analysis/no_wrap.h"

#include "compiler/analysis/variance.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>

namespace clarity::compiler {
namespace {

void printProofs(llvm::raw_ostream& out, const llvm::Value& value, const VarianceInfo& variance) {
  bool any = false;
  const auto print = [&](WrapQuestion question, const char* text) {
    if (!staysInStep(value, question, variance)) return;
    out << (any ? ", " : "; in step ") << text;
    any = true;
  };
  print({.isSigned = true}, "signed");
  print({.isSigned = false}, "unsigned");
  print({.isSigned = true, .guarded = true}, "signed behind guards");
  print({.isSigned = false, .guarded = true}, "unsigned behind guards");
  if (!any) out << "; may wrap";
}

}  // namespace

llvm::PreservedAnalyses NoWrapPrinterPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const VarianceInfo& variance = analyses.getResult<VarianceAnalysis>(function);
  out << "ranges of '" << function.getName() << "'\n";
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const ValueVariance varies = variance.of(instruction);
    if (!instruction.getType()->isIntegerTy() || instruction.getType()->isIntegerTy(1) || varies.uniform()) continue;
    out << "  ";
    instruction.printAsOperand(out, /*PrintType=*/false);
    if (const auto range = rangeOf(instruction))
      out << ": " << range->least << " to " << range->most;
    else
      out << ": any";
    const bool hasStrides = llvm::all_of(varies.stride, [](const auto& stride) { return stride.has_value(); });
    if (hasStrides) printProofs(out, instruction, variance);
    out << '\n';
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
