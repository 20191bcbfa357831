// SPDX-License-Identifier: Apache-2.0
// This file prints affine forms, a line for every integer and address of a nest that has one, and how accesses in loops
// move from iteration to iteration.
#include "compiler/analysis/address.h"
#include "compiler/analysis/affine.h"
#include "compiler/analysis/item_nest.h"
#include "compiler/analysis/no_wrap.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>

namespace clarity::compiler {

void AffineForm::print(llvm::raw_ostream& out) const {
  bool first = true;
  const auto term = [&](std::int64_t coefficient) -> llvm::raw_ostream& {
    if (!first) out << " + ";
    first = false;
    return coefficient == 1 ? out : out << coefficient << " * ";
  };
  const auto name = [&](const llvm::Value& value) { value.printAsOperand(out, /*PrintType=*/false); };
  for (unsigned d = 0; d < 3; ++d)
    if (ids[d] != 0) term(ids[d]) << "xyz"[d];
  for (const Iterations& one : iterations) {
    term(one.coefficient) << "iterations of ";
    name(*one.counter);
  }
  for (const Invariant& one : invariants) {
    term(one.coefficient);
    name(*one.value);
  }
  if (first || constant != 0) out << (first ? "" : " + ") << constant;
  for (const Extension& extension : extended) {
    out << (extension.isSigned ? ", if signed " : ", if unsigned ");
    name(*extension.narrow);
    out << " does not wrap";
  }
}

namespace {

/// Prints accesses in loops inside a work-item.
void printIterations(llvm::raw_ostream& out, const llvm::Loop& items, const llvm::LoopInfo& loops) {
  for (const llvm::BasicBlock* block : items.blocks())
    for (const llvm::Instruction& instruction : *block) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      const llvm::Loop* loop = pointer ? loops.getLoopFor(block) : nullptr;
      if (!loop || isCounter(loop->getHeader()->front())) continue;
      out << "  ";
      pointer->printAsOperand(out, /*PrintType=*/false);
      if (const auto bytes = bytesPerIteration(*pointer, *loop, instruction.getDataLayout()))
        out << ": " << *bytes << " bytes per iteration of ";
      else
        out << ": not known per iteration of ";
      loop->getHeader()->printAsOperand(out, /*PrintType=*/false);
      out << '\n';
    }
}

}  // namespace

llvm::PreservedAnalyses AffinePrinterPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  out << "affine forms of '" << function.getName() << "'\n";
  for (const ItemNest& nest : findItemNests(function)) {
    const llvm::Loop* items = loops.getLoopFor(nest.header[2]);
    if (!items) continue;
    const llvm::SmallPtrSet<const llvm::BasicBlock*, 32> blocks(items->block_begin(), items->block_end());
    AffineForms forms(nest, blocks, loops);
    for (llvm::BasicBlock* block : items->blocks())
      for (llvm::Instruction& instruction : *block) {
        if (!instruction.getType()->isIntOrPtrTy()) continue;
        const auto form = forms.of(instruction);
        if (!form || form->invariant()) continue;
        out << "  ";
        instruction.printAsOperand(out, /*PrintType=*/false);
        out << ": ";
        form->print(out);
        out << '\n';
      }
    printIterations(out, *items, loops);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
