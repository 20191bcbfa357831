// SPDX-License-Identifier: Apache-2.0
// This file declares how values differ between the work-items of a work-group. Every pass that distinguishes work-items
// uses this analysis; affine.h and no_wrap.h are what it computes strides with.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/PassManager.h>

#include <array>
#include <cstdint>
#include <optional>

namespace llvm {
class AllocaInst;
class BasicBlock;
class Function;
class Instruction;
class Value;
class raw_ostream;
}  // namespace llvm

namespace clarity::compiler {

/// A subset of the local-id dimensions {x, y, z}. Empty: the same for all work-items of the group.
class Dimensions {
public:
  constexpr Dimensions() = default;
  static constexpr Dimensions none() { return {}; }
  static constexpr Dimensions all() { return Dimensions(7); }
  static constexpr Dimensions only(unsigned dimension) {
    return Dimensions(static_cast<std::uint8_t>(1u << dimension));
  }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr unsigned bits() const { return bits_; }
  constexpr bool has(unsigned dimension) const { return bits_ >> dimension & 1; }
  constexpr Dimensions operator|(Dimensions other) const { return Dimensions(bits_ | other.bits_); }
  constexpr bool operator==(const Dimensions&) const = default;

private:
  constexpr explicit Dimensions(std::uint8_t bits) : bits_(bits) {}
  std::uint8_t bits_ = 0;
};

/// How one value varies.
struct ValueVariance {
  Dimensions dims;
  /// For integers and pointers: the difference from one work-item to the next along a dimension, in
  /// units of the integer or in bytes; empty when it is not the same everywhere.
  std::array<std::optional<std::int64_t>, 3> stride{0, 0, 0};
  bool uniform() const { return dims.empty(); }
  /// By nothing that is known.
  static ValueVariance varying(Dimensions dims) {
    ValueVariance result{dims, {}};
    for (unsigned d = 0; d < 3; ++d)
      if (!dims.has(d)) result.stride[d] = 0;
    return result;
  }
};

/// Why an extension, or a value that narrows a 64-bit index, has strides; the later, the weaker.
enum class StrideBasis : std::uint8_t {
  Proved,   ///< it is in step (staysInStep)
  ByTerms,  ///< the sum of the extended terms is, though the sum may wrap for work-items that do not use it
  Assumed,  ///< between work-items on the same side of a wrap; it leads to addresses only
  None,     ///< it has none
};

/// How the copies of a private variable for the lanes of a packet lie in memory.
struct PrivateLayout {
  std::int64_t stride = 0;  ///< bytes from one lane's first element to the next lane's
  bool interleaved =
      false;  ///< element by element, all lanes of an element together; otherwise one lane's copy after another's
};
using PrivateLayouts = llvm::DenseMap<const llvm::AllocaInst*, PrivateLayout>;

/// Neighbouring work-groups along x that are about to run as one (interleave_groups.h): what differs between them will
/// differ along `axis`.
struct GroupsInStep {
  unsigned axis = 1;
  /// Accesses to variables in local memory that all of them fill alike; of other variables each has its own.
  llvm::DenseSet<const llvm::Instruction*> common{};
};

/// The variance of every value and block of a kernel (helper functions that matter are inlined before).
///
/// Roots are the local and global ids. Loads vary as their addresses do, loads from private memory and atomics in
/// every dimension. Where control flow diverges, the values that meet at its joins and those that leave a loop
/// whose exit diverges vary as the condition does. A uniform value may still be computed under divergent control:
/// then it is uniform among the work-items that get there.
class VarianceInfo {
public:
  explicit VarianceInfo(llvm::Function& function);
  /// The same once private variables have places by lane (packets): their addresses differ between work-items.
  VarianceInfo(llvm::Function& function, const PrivateLayouts& layouts);
  /// The same for work-items away from the borders (SplitInteriorPass): the minimum or maximum of a value and of what
  /// all work-items share is that value.
  static VarianceInfo inInterior(llvm::Function& function);
  /// The same once work-groups run as one, of the code of one of them.
  static VarianceInfo ofGroups(llvm::Function& function, const GroupsInStep& groups);

  ValueVariance of(const llvm::Value& value) const;
  bool uniform(const llvm::Value& value) const { return of(value).uniform(); }
  /// Whether it is uniform where it is used outside the loops that it is computed in, too: work-items that leave a loop
  /// in different iterations carry along what differs, though all had the same in every iteration.
  bool uniformEverywhere(const llvm::Value& value) const { return uniform(value) && !leftApart_.contains(&value); }
  /// Whether it is an address in private memory: the same variable of all work-items, which none has in the same place.
  bool privateAddress(const llvm::Value& value) const { return privateAddresses_.contains(&value); }
  /// Whether the stride of an extension, or of what narrows a 64-bit index, holds only between work-items that stand on
  /// the same side of a wrap. It leads to addresses only; tiles ask when they run (ValueForms::wraps).
  bool mayWrap(const llvm::Value& extension) const { return bases_.lookup(&extension) == StrideBasis::Assumed; }
  /// Whether the stride of an extension holds only if not the sum is extended but its terms are (exact_sum.h): the sum
  /// may wrap for work-items that do not use it, as the first of a packet, from which the others are reckoned.
  bool extendsTerms(const llvm::Value& extension) const { return bases_.lookup(&extension) == StrideBasis::ByTerms; }
  /// The dimensions along which work-items may disagree on whether this block is reached.
  Dimensions divergence(const llvm::BasicBlock& block) const;
  /// Whether all work-items that reach the end of the block take the same way on.
  bool branchesUniformly(const llvm::BasicBlock& block) const;
  void print(llvm::raw_ostream& out, const llvm::Function& function) const;

private:
  friend class ExtensionStrides;
  friend class VarianceSolver;
  VarianceInfo() = default;
  llvm::DenseMap<const llvm::Value*, ValueVariance> values_;
  llvm::DenseMap<const llvm::BasicBlock*, Dimensions> divergence_;
  llvm::DenseMap<const llvm::Value*, StrideBasis> bases_;  ///< bases of extensions; proved where there is none
  llvm::DenseSet<const llvm::Value*> privateAddresses_;
  llvm::DenseSet<const llvm::Value*> leftApart_;  ///< used outside a loop that work-items leave in different iterations
};

class VarianceAnalysis : public llvm::AnalysisInfoMixin<VarianceAnalysis> {
public:
  using Result = VarianceInfo;
  Result run(llvm::Function& function, llvm::FunctionAnalysisManager&) { return VarianceInfo(function); }

private:
  friend llvm::AnalysisInfoMixin<VarianceAnalysis>;
  static inline llvm::AnalysisKey Key;
};

/// `print<variance>`: one line a value and block.
struct VariancePrinterPass : llvm::PassInfoMixin<VariancePrinterPass> {
  explicit VariancePrinterPass(llvm::raw_ostream& out) : out(out) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  llvm::raw_ostream& out;
};

}  // namespace clarity::compiler
