// SPDX-License-Identifier: Apache-2.0
// This file declares values whose elements stay in the order of memory, without shuffles.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/ValueHandle.h>

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace clarity::compiler {

/// Members that packets loaded, or are to store, as whole vectors.
struct MemberGroup {
  unsigned lanes = 0;
  bool isStore = false;
  llvm::SmallVector<llvm::WeakTrackingVH, 4> members, parts;  ///< parts of a store: shuffles of its members
};

/// Members that are consecutive in every work-item, the elements of a float4, are loaded as whole vectors: *parts*, in
/// the order of memory. Packets need a vector for each member. Where the same operations are then applied to every
/// member and the results are stored consecutively again, they are applied to the parts, and nothing is shuffled:
///
///   parts      x0 y0 x1 y1 | x2 y2 x3 y3           members    x0 x1 x2 x3 | y0 y1 y2 y3
class MemoryOrder {
public:
  MemoryOrder(llvm::IRBuilderBase& builder, unsigned lanes) : builder_(builder), lanes_(lanes) {}

  /// `members` are shuffles of `parts`, as many of the one as of the other.
  void know(llvm::ArrayRef<llvm::Value*> members, llvm::ArrayRef<llvm::Value*> parts);
  void forget();

  /// The parts of members that have been computed, where computing them in the order of memory costs fewer shuffles
  /// than interleaving them; otherwise nothing.
  llvm::SmallVector<llvm::Value*, 4> partsOf(llvm::ArrayRef<llvm::Value*> members);

  /// The same once variables are values: what loops carry around, such as sums of float4, stays in the order of memory,
  /// where nothing else needs it often and the loops then have no shuffles.
  void keep(llvm::ArrayRef<const MemberGroup*> stores);

private:
  using Values = llvm::SmallVector<llvm::Value*, 4>;
  /// The sources of a tuple of members, found before anything is made.
  struct Source {
    enum Kind { Same, Known, Scalars, Repeated, Computed, Phi } kind = Same;
    Values members;
    unsigned known = 0;                     ///< index of the load
    llvm::SmallVector<unsigned, 16> order;  ///< Known: which member each is
    bool inOrder = false;                   ///< Known: each is itself
    /// Computed, Phi: indices of sources, of a phi by incoming value; `none` for operands that are no vectors.
    llvm::SmallVector<unsigned, 3> operands;
  };
  static constexpr unsigned none = ~0u;
  /// The sources that a store has.
  struct Uses {
    llvm::SmallVector<bool, 64> visited;
    bool fromMemory = false, aroundLoops = false;
  };

  unsigned find(llvm::ArrayRef<llvm::Value*> members, unsigned depth);  ///< index of the source; none: there is no way
  bool findKnown(Source& source);
  unsigned findComputed(Source source, unsigned depth);
  unsigned findPhi(Source source, unsigned depth);
  struct Candidate;
  std::optional<Candidate> candidateOf(const MemberGroup& store);
  static void dropShared(std::vector<Candidate>& candidates, const llvm::DominatorTree& dominators);
  void shuffleWhereRare(unsigned source, const std::set<llvm::Instruction*>& dead,
                        const llvm::DominatorTree& dominators);
  /// The instructions that are computed again for a source, and what they are computed from.
  void collect(unsigned source, llvm::SmallPtrSetImpl<const llvm::Value*>& replaced, Uses& uses) const;
  Values make(unsigned source);
  Values makeKnown(const Source& source);
  Values makeScalars(const Source& source);
  Values makeRepeated(const Source& source);
  Values makeComputed(unsigned source);
  Values makePhi(unsigned source);
  /// From here on instructions are made behind all of `values` that are instructions.
  void placeBehind(llvm::ArrayRef<llvm::Value*> values);

  llvm::IRBuilderBase& builder_;
  const unsigned lanes_;
  std::vector<Values> loaded_;
  llvm::DenseMap<const llvm::Value*, std::pair<unsigned, unsigned>> member_;  ///< load and number of each member
  std::vector<Source> sources_;  ///< sources of the tuple that is asked for
  std::vector<Values> made_;     ///< by source
  unsigned shuffles_ = 0;
  bool acrossBlocks_ = false;  ///< new instructions stand behind the members that they replace
};

/// MemoryOrder::keep() for all groups of a function.
void keepMemoryOrder(llvm::Function& function, llvm::ArrayRef<MemberGroup> groups);

}  // namespace clarity::compiler
