// SPDX-License-Identifier: Apache-2.0
// This file declares what the branches on the way to a block say of values there: ranges and bits that are zero.
#pragma once

#include "compiler/analysis/no_wrap.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/PassManager.h>

#include <cstdint>
#include <optional>

namespace llvm {
class BasicBlock;
class DominatorTree;
class ICmpInst;
class Value;
class raw_ostream;
}  // namespace llvm

namespace clarity::compiler {

/// Facts that hold in a block because only one edge of each comparison on the way leads there. Facts are about a value
/// under the casts that keep its lower 32 bits: what is compared as `(int)id` is known of `id` as well.
class GuardFacts {
public:
  explicit GuardFacts(const llvm::DominatorTree& dominators) : dominators_(dominators) {}

  /// The range of a value in a block: that of the value itself (an id's, or what rangeOf and valuesOf say) without what
  /// comparisons with constants exclude. Nothing for values whose own range is not known or may be negative, and in
  /// blocks that are never reached.
  std::optional<IndexRange> rangeIn(const llvm::Value& value, const llvm::BasicBlock& block) const;

  /// Those of the lower 32 bits of an integer that are zero in a block: `if ((x & 7) == 0)`.
  std::uint32_t zeroBits(const llvm::Value& value, const llvm::BasicBlock& block) const;

  /// For each comparison on the way to a block, whether it holds there.
  void forGuards(const llvm::BasicBlock& block,
                 llvm::function_ref<void(const llvm::ICmpInst& comparison, bool holds)> take) const;

private:
  const llvm::DominatorTree& dominators_;
};

/// A value under casts that keep its lower 32 bits.
const llvm::Value& underCasts(const llvm::Value& value);

/// `print<guard-facts>`: for every block the ranges and zero bits of what was compared on the way, where there are any.
struct GuardFactsPrinterPass : llvm::PassInfoMixin<GuardFactsPrinterPass> {
  explicit GuardFactsPrinterPass(llvm::raw_ostream& out) : out(out) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  llvm::raw_ostream& out;
};

}  // namespace clarity::compiler
