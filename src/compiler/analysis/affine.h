// SPDX-License-Identifier: Apache-2.0
// This file declares which integers and addresses are affine functions of work-item ids and loop iterations, and with
// which coefficients. Variance, the passes that solve for ids and the addresses of packets build on it. LLVM's scalar
// evolution knows more of single loops without work-items.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/PassManager.h>

#include <array>
#include <cstdint>
#include <optional>

namespace llvm {
class BasicBlock;
class DataLayout;
class Loop;
class LoopInfo;
class PHINode;
class Value;
class raw_ostream;
}  // namespace llvm

namespace clarity::compiler {

class VarianceInfo;
struct ItemNest;

/// One operation as a combination of its operands: constant + the sum of factor * operand, all modulo 2^64 and so
/// modulo 2^bits of its type. Units are those of integers; of addresses, bytes.
struct AffineOperation {
  enum class Kind {
    Sum,            ///< as above; the operands have the type of the result, but for indices of addresses
    SignExtension,  ///< the one operand, read as a signed number
    ZeroExtension,  ///< read as an unsigned number, or as either if that is known not to be negative
    Truncation,     ///< the one operand, modulo 2^bits of the result
  };
  struct Term {
    llvm::Value* operand = nullptr;
    std::int64_t factor = 1;
  };
  Kind kind = Kind::Sum;
  llvm::SmallVector<Term, 3> terms;
  std::int64_t constant = 0;  ///< the sum of an address's fields and known indices

  /// Whether it hands its only operand on.
  bool isCopy() const { return kind == Kind::Sum && terms.size() == 1 && terms[0].factor == 1 && constant == 0; }
};

/// Nothing for what is not affine in its operands: loads, products of two unknown values, ... and for phis, which have
/// no operands of one moment.
std::optional<AffineOperation> affineOperationOf(const llvm::Value& value, const llvm::DataLayout& layout);

/// The same for bit operations alone: `x | 1` of an even x, `x & 127` of one below 128. A condition may say that x is:
/// where one computes it for a work-item that does not pass that, it is the sum that goes on from the others.
std::optional<AffineOperation> affineBitOperationOf(const llvm::Value& value, const llvm::DataLayout& layout);

/// By how much an integer phi of a loop's header grows from one iteration to the next: what is added to it on the way
/// back, a loop-invariant value. nullptr for any other phi.
llvm::Value* stepOf(const llvm::PHINode& phi, const llvm::Loop& loop);

/// Whether a value is the same in all iterations of a loop: computed ahead of it, or inside without accessing memory
/// from such values, so that it could be hoisted.
bool isLoopInvariant(const llvm::Value& value, const llvm::Loop& loop);

/// Whether an integer is a * x + b modulo 2^bits, x the id along a dimension, a and b uniform values of any kind.
/// `guarded`: not all work-items compute it, so that its flags say nothing of their neighbours.
bool isAffineAlong(const llvm::Value& value, unsigned dimension, bool guarded, const VarianceInfo& variance);

/// An integer or an address as a function of the work-item and of the loops that it is in:
///
///     ids[0] * x + ids[1] * y + ids[2] * z + the sum of coefficient * iteration + the sum of coefficient * invariant +
///     constant
///
/// where x, y, z are the counters of the loops over work-items. Equal modulo 2^bits of the value's type if nothing in
/// `extended` wraps.
struct AffineForm {
  /// How often a loop inside has come back to its beginning.
  struct Iterations {
    const llvm::PHINode* counter = nullptr;
    std::int64_t coefficient = 0;
    bool operator==(const Iterations&) const = default;
  };
  /// The same for all work-items.
  struct Invariant {
    const llvm::Value* value = nullptr;
    std::int64_t coefficient = 0;
    bool operator==(const Invariant&) const = default;
  };
  /// A narrower value that was extended and must not wrap on the way.
  struct Extension {
    llvm::Value* narrow = nullptr;
    bool isSigned = false;
    bool operator==(const Extension&) const = default;
  };
  std::array<std::int64_t, 3> ids{};
  llvm::SmallVector<Iterations, 2> iterations;
  llvm::SmallVector<Invariant, 2> invariants;
  llvm::SmallVector<Extension, 2> extended;
  std::int64_t constant = 0;

  /// The same for all work-items and in all iterations.
  bool invariant() const { return ids == std::array<std::int64_t, 3>{} && iterations.empty(); }
  /// Independent of the ids along the other dimensions.
  bool onlyAlong(unsigned dimension) const;
  /// Whether no coefficient of an id or an iteration is farther from 0.
  bool within(std::int64_t most) const;
  void print(llvm::raw_ostream& out) const;
};

/// The affine forms of one nest of loops over work-items. Computed on demand, without changing the code.
class AffineForms {
public:
  /// `blocks`: those of the nest. The loops must be as they were when `loops` was computed.
  AffineForms(const ItemNest& nest, const llvm::SmallPtrSetImpl<const llvm::BasicBlock*>& blocks,
              const llvm::LoopInfo& loops)
      : nest_(nest), blocks_(blocks), loops_(loops) {}

  /// Nothing for what is not affine, or could not be computed ahead of the loops.
  std::optional<AffineForm> of(llvm::Value& value);

  /// From here on the one value counts as the other.
  void replace(llvm::Value& value, llvm::Value& by) {
    replaced_[&value] = &by;
    known_.erase(&value);
  }

  /// From here on the value counts as one that is the same for all work-items.
  void setInvariant(const llvm::Value& value);

private:
  std::optional<AffineForm> compute(llvm::Value& value);
  std::optional<AffineForm> ofOperation(llvm::Value& value, const AffineOperation& operation);
  std::optional<AffineForm> ofPhi(llvm::PHINode& phi);
  bool isInside(const llvm::Value& value) const;

  const ItemNest& nest_;
  const llvm::SmallPtrSetImpl<const llvm::BasicBlock*>& blocks_;
  const llvm::LoopInfo& loops_;
  llvm::DenseMap<const llvm::Value*, std::optional<AffineForm>> known_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> replaced_;
};

/// `print<affine>`: the form of every integer and address that varies in a nest, and by how many bytes the addresses of
/// accesses grow from one iteration of the innermost loop around them to the next (address.h).
struct AffinePrinterPass : llvm::PassInfoMixin<AffinePrinterPass> {
  explicit AffinePrinterPass(llvm::raw_ostream& out) : out(out) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  llvm::raw_ostream& out;
};

}  // namespace clarity::compiler
