// SPDX-License-Identifier: Apache-2.0
// This file declares the operations of a nest whose results depend on how near to the boundary of a row a work-item is.
#pragma once

#include "compiler/analysis/affine.h"
#include "compiler/analysis/item_nest.h"
#include "compiler/ir/cost_model.h"
#include "compiler/transforms/nest_forms.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>

#include <optional>

namespace llvm {
class Instruction;
class LoopInfo;
class SCEV;
class ScalarEvolution;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// An operation on a value that is affine in the id and one that is the same for all work-items: `min(x + 1, width -
/// 1)`,
/// `(x + 1) % width`, `x > 0`. For interior work-items its result is simpler.
struct BoundaryOperation {
  enum class Kind { Minimum, Maximum, Remainder, Comparison };
  llvm::Instruction* instruction = nullptr;
  Kind kind = Kind::Comparison;
  llvm::Value* affine = nullptr;
  llvm::Value* bound = nullptr;
  llvm::CmpInst::Predicate predicate = llvm::CmpInst::BAD_ICMP_PREDICATE;  ///< affine PREDICATE bound, of comparisons
  bool isSigned = false;
  bool isMask = false;      ///< a remainder by the bound plus one, where that is a power of two
  bool takesBound = false;  ///< a minimum or maximum: in the interior it is the bound, not the affine value
  std::optional<bool> expected =
      std::nullopt;  ///< the result of a comparison in the interior, where that is known before the launch
  llvm::Value* interior =
      nullptr;  ///< in the interior: the result of a comparison; of a remainder, what is subtracted (InteriorRange)
};

/// Rows and divisors shorter than this have no interior.
inline constexpr unsigned leastInterior = cost::interior::leastItems;

inline bool isLess(llvm::CmpInst::Predicate predicate) {
  return llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
}

/// Finds the operations along one dimension that decide what a nest accesses or which branch it takes. From then on
/// `forms` counts their results as they are in the interior.
class BoundaryOperations {
public:
  BoundaryOperations(const ItemNest& nest, AffineForms& forms, const llvm::LoopInfo& loops,
                     llvm::ScalarEvolution& evolution, unsigned along)
      : nest_(nest), forms_(forms), loops_(loops), evolution_(evolution), along_(along) {}

  llvm::SmallVector<BoundaryOperation, 8> find();

private:
  std::optional<BoundaryOperation> operationOf(llvm::Instruction& instruction);
  std::optional<BoundaryOperation> remainderOf(llvm::Instruction& instruction);
  std::optional<BoundaryOperation> complete(BoundaryOperation operation, llvm::Value& left, llvm::Value& right);
  std::optional<bool> expected(const BoundaryOperation& operation);
  bool iterationsKnown(const AffineForm& form);
  bool endsLoop(const llvm::ICmpInst& comparison) const;
  bool clipsLoop(const llvm::Instruction& value, llvm::Value& affine);
  bool countsBackwards(const llvm::Instruction& end);
  bool isEndOfLoop(const llvm::Instruction& instruction) const;

  const ItemNest& nest_;
  AffineForms& forms_;
  const llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  const unsigned along_;
};

/// The most times that a loop of the region comes back to its beginning: an expression, or llvm::SCEVCouldNotCompute.
const llvm::SCEV* mostIterationsOf(const AffineForm::Iterations& iterations, const llvm::LoopInfo& loops,
                                   llvm::ScalarEvolution& evolution);

}  // namespace clarity::compiler
