// SPDX-License-Identifier: Apache-2.0
// This file declares how loops are unrolled. The passes unroll-barrier-loops, unroll-private-loops, unroll-row-loops,
// unroll-short-loops and unroll-loads say which loops are worth it, and why.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <cstdint>
#include <string_view>

namespace llvm {
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class ScalarEvolution;
}  // namespace llvm

namespace clarity::compiler {

/// The trip count and the size up to which loops are unrolled fully.
struct FullUnrollBudget {
  unsigned tripCount = 0;
  std::uint64_t instructions = 0;
};

/// A trip count that differs from one iteration of other loops to the next.
struct MeanTripCount {
  unsigned iterations = 0;
  llvm::SmallVector<const llvm::Loop*, 2> deciding{};  ///< those loops
};

bool hasBarrier(const llvm::Loop& loop);

/// Unrolls loops of a function: whether a loop can be, how often it runs and how large it becomes is decided here. The
/// analyses of other loops stay valid.
class Unroller {
public:
  Unroller(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

  /// Loops in simplified form that have no loop inside.
  llvm::SmallVector<llvm::Loop*, 8> innermost() const;
  /// How often the header is executed; 0: not known. Where the header has the test, its last execution is no iteration.
  unsigned tripCountOf(const llvm::Loop& loop) const;
  /// How often the header is executed at most where the loop may also be left sooner, as by `break`; 0: not known.
  unsigned mostTripsOf(const llvm::Loop& loop) const;
  /// How often the loop runs from its beginning to its end; 0: not known.
  unsigned iterationsOf(const llvm::Loop& loop) const;
  /// How often the header is executed on average where counters of loops around decide it, as in
  /// `for (i...) for (j = i...)`; of no loops: it is not known, or always the same.
  MeanTripCount meanTripCountOf(const llvm::Loop& loop) const;
  static unsigned sizeOf(const llvm::Loop& loop);
  /// Instructions of loops once all of them are unrolled fully, of those that `stays` says are left. A loop may be
  /// inside another of them. Those whose trip count has no small bound are taken for `unknown` iterations.
  std::uint64_t unrolledSize(
      llvm::ArrayRef<llvm::Loop*> unrolled,
      llvm::function_ref<bool(llvm::Instruction&)> stays = [](llvm::Instruction&) { return true; },
      unsigned unknown = 0) const;
  /// Whether a loop of known trip count is within the budget, of whose instructions those count that `stays` says are
  /// left.
  bool canUnrollFully(
      llvm::Loop& loop, const FullUnrollBudget& budget,
      llvm::function_ref<bool(llvm::Instruction&)> stays = [](llvm::Instruction&) { return true; }) const;

  /// Unrolls a loop of known trip count, or bound of it, fully, and leaves the remark "`what` fully unrolled: N
  /// iterations" if `what` is not empty.
  bool unrollFully(llvm::Loop& loop, std::string_view what);
  /// Makes one iteration of so many; iterations that remain have a loop of their own, which `remainder` gets. Where
  /// their number cannot be computed ahead of the loop, each iteration keeps its test (`testsEach`) or nothing changes.
  bool unrollBy(unsigned iterations, llvm::Loop& loop, bool testsEach, llvm::Loop** remainder = nullptr);
  /// Moves the test of a loop to its end, as unrollBy() needs it, if that copies no more instructions.
  void rotate(llvm::Loop& loop, unsigned mostCopied);

  llvm::Function& function;
  llvm::LoopInfo& loops;
  llvm::ScalarEvolution& evolution;
  llvm::DominatorTree& dominators;

private:
  llvm::LoopUnrollResult unroll(unsigned by, llvm::Loop& loop, bool testsEach, llvm::Loop** remainder);

  llvm::FunctionAnalysisManager& analyses_;
};

}  // namespace clarity::compiler
