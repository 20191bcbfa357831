// SPDX-License-Identifier: Apache-2.0
// This file declares how the interior of a row is computed ahead of the loops over work-items.
#pragma once

#include "compiler/transforms/boundary_operations.h"

#include <cstdint>

namespace clarity::compiler {

/// The work-items of a row for which all boundary operations have the result that they have for the one in the middle
/// of the row. Emits code ahead of the nest that computes them; all numbers there have 64 bits.
class InteriorRange {
public:
  /// `builder` stands ahead of the nest.
  InteriorRange(const ItemNest& nest, AffineForms& forms, const NestBlocks& blocks, const llvm::LoopInfo& loops,
                llvm::ScalarEvolution& evolution, unsigned along, AheadBuilder& builder);

  /// Restricts the range to where the operation's result is known, and says what that is.
  void restrictTo(BoundaryOperation& operation);

  llvm::Value* begin() const { return begin_; }  ///< ends of the row
  llvm::Value* end() const { return end_; }
  llvm::Value* low() const { return low_; }  ///< ends of the interior
  llvm::Value* high() const { return high_; }
  /// True if there is an interior, and nothing was too large to compute with.
  llvm::Value* exists();

private:
  /// slope * x + least ... slope * x + most: the values of an affine form in all iterations of all loops.
  struct Span {
    std::int64_t slope = 0;
    llvm::Value *least = nullptr, *most = nullptr;
  };
  struct Limit {
    bool upper = false;  ///< whether x < at; otherwise x >= at
    llvm::Value* at = nullptr;
  };
  llvm::Value* constant(std::int64_t value) { return builder_.getInt64(static_cast<std::uint64_t>(value)); }
  llvm::Value* number(llvm::Value& value, bool isSigned);
  llvm::Value* boundOf(llvm::Value& value, bool isSigned);
  Span spanOf(llvm::Value& value, const AffineForm& form, bool isSigned, const llvm::BasicBlock& at);
  llvm::Value* iterationsAt(const AffineForm::Iterations& iterations, const llvm::BasicBlock& at);
  llvm::Value* inMiddle(const Span& span, llvm::Value* offset);
  llvm::Value* quotient(llvm::Value* value, std::int64_t by);
  Limit below(const Span& span, llvm::Value* bound);
  Limit atLeast(const Span& span, llvm::Value* bound);
  void require(const Limit& limit);
  void requireOne(llvm::Value* first, const Limit& a, const Limit& b);
  void requireNoWrapping(const Span& span, unsigned bits, bool isSigned);
  void solveRemainder(BoundaryOperation& operation, const Span& span, llvm::Value* bound);
  void solveComparison(BoundaryOperation& operation, const Span& span, llvm::Value* bound);

  const ItemNest& nest_;
  AffineForms& forms_;
  const llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  AheadBuilder& builder_;
  ValuesAhead ofMiddle_;  ///< values of the work-item in the middle of the row
  const unsigned along_;
  llvm::Value *begin_ = nullptr, *end_ = nullptr, *middle_ = nullptr;
  llvm::Value *low_ = nullptr, *high_ = nullptr;
  llvm::Value* exact_ = nullptr;  ///< nothing was too large to compute with
};

}  // namespace clarity::compiler
