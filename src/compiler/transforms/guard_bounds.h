// SPDX-License-Identifier: Apache-2.0
// This file declares how a guard is solved for the counters of the loops over work-items.
#pragma once

#include "compiler/analysis/item_nest.h"
#include "compiler/analysis/variance.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/IR/IRBuilder.h>

#include <array>
#include <cstdint>
#include <optional>

namespace llvm {
class BasicBlock;
class ICmpInst;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// Ahead of a nest; ends that are constants stay constants. Tells of every instruction that it inserts.
using GuardBuilder = llvm::IRBuilder<llvm::InstSimplifyFolder, llvm::IRBuilderCallbackInserter>;

/// Values of a nest computed ahead of it, for chosen values of counters.
class CounterValues {
public:
  CounterValues(const ItemNest& nest, GuardBuilder& builder) : nest_(nest), builder_(builder) {}

  /// The value where the counters of some dimensions are 0, as the work-item computes it; nullptr if it needs more than
  /// arithmetic. Frozen: where the kernel would not have come to compute it, it may be poison.
  llvm::Value* first(llvm::Value& value, Dimensions dimensions);
  /// The same where the counter of one dimension has a given value, modulo 2^bits: flags of the kernel's operations are
  /// ignored.
  llvm::Value* at(llvm::Value& value, unsigned dimension, std::uint64_t counter);
  /// Whether a block is part of the nest.
  bool inside(const llvm::BasicBlock& block);

private:
  struct Choice {
    Dimensions dimensions;
    std::uint64_t counter = 0;
    bool keepFlags = true;
  };
  llvm::Value* frozen(llvm::Value* copy);
  llvm::Value* copy(llvm::Value& value, const Choice& choice, unsigned depth);

  const ItemNest& nest_;
  GuardBuilder& builder_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> blocks_;
};

/// The bounds that a condition sets to counters. All numbers have 64 bits.
struct GuardBounds {
  std::array<llvm::Value*, 3> low{}, high{};      ///< low <= counter < high, signed; nullptr: no bound
  std::array<llvm::Value*, 3> stride{}, first{};  ///< (counter + first) % stride == 0
  llvm::Value* rowLimit = nullptr;                ///< x + y * rowSlope < rowLimit
  std::int64_t rowSlope = 0;
  bool complete = true;                                   ///< the bounds imply the condition
  bool some = false;                                      ///< there are bounds
  llvm::SmallSetVector<llvm::Instruction*, 4> implied{};  ///< parts of the condition that the bounds imply

  bool restricts(unsigned dimension) const { return low[dimension] || high[dimension] || stride[dimension]; }
};

/// Solves conditions of the forms
///
///     a * x + b < bound      and <=, >, >=; a and b the same for all work-items
///     x + b == bound
///     (x + b) % m == r       also written with masks and shifts
///     x + n * y + b < bound  n a constant
///
/// and conjunctions of them. The code that computes the bounds goes ahead of the nest.
class GuardSolver {
public:
  GuardSolver(const ItemNest& nest, const VarianceInfo& variance, GuardBuilder& builder);

  /// The bounds of work-items for which the condition is as wanted.
  GuardBounds solve(llvm::Value& condition, bool wanted);
  CounterValues& values() { return values_; }

private:
  using Predicate = llvm::CmpInst::Predicate;
  bool restrictTo(llvm::Value& condition, bool wanted);
  bool solveComparison(const llvm::ICmpInst& comparison, bool wanted);
  bool solveUnit(llvm::Value& id, llvm::Value& bound, Predicate predicate);
  bool solveByRow(llvm::Value& id, llvm::Value& bound, Predicate predicate);
  bool solveAffine(llvm::Value& value, llvm::Value& bound, Predicate predicate);
  void solveExactly(unsigned dimension, llvm::Value* coefficient, llvm::Value* difference, bool isLess);
  void solveIfNoneWraps(unsigned dimension, llvm::Value& value, llvm::Value& limit, Predicate predicate);
  bool solveCongruence(llvm::Value& value, llvm::Value& bound, Predicate predicate);
  void addStride(unsigned dimension, llvm::Value& id, llvm::Value* first, llvm::Value* stride, llvm::Value* remainder);
  std::optional<unsigned> dimensionOf(const llvm::Value& id) const;
  bool isGuarded() const;
  bool neverWraps(const llvm::Value& value, bool isSigned) const;
  llvm::Value* distance(llvm::Value& first, llvm::Value& limit, bool isSigned);
  llvm::Value* wide(llvm::Value* value, bool isSigned = false);
  llvm::Value* number(std::int64_t value) { return builder_.getInt64(static_cast<std::uint64_t>(value)); }
  llvm::Value* atLeastZero(llvm::Value* value);
  llvm::Value* endOf(unsigned dimension) { return wide(nest_.end[dimension]); }
  void requireFrom(unsigned dimension, llvm::Value* low);
  void requireBelow(unsigned dimension, llvm::Value* high);

  const ItemNest& nest_;
  const VarianceInfo& variance_;
  GuardBuilder& builder_;
  CounterValues values_;
  const bool alongX_;  ///< lanes are neighbours along x
  GuardBounds bounds_;
  bool guarded_ = false;  ///< only work-items compute it that have passed another part of the condition
};

}  // namespace clarity::compiler
