// SPDX-License-Identifier: Apache-2.0
// This file declares values whose elements stay in the order of memory, without shuffles.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include <utility>
#include <vector>

namespace clarity::compiler {

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

private:
  using Values = llvm::SmallVector<llvm::Value*, 4>;
  /// The sources of a tuple of members, found before anything is made.
  struct Source {
    enum Kind { Same, Known, Scalars, Repeated, Computed } kind = Same;
    Values members;
    unsigned known = 0;                       ///< index of the load
    llvm::SmallVector<unsigned, 16> order;    ///< Known: which member each is
    bool inOrder = false;                     ///< Known: each is itself
    llvm::SmallVector<unsigned, 3> operands;  ///< Computed: indices of sources; `none` for operands that are no vectors
  };
  static constexpr unsigned none = ~0u;

  unsigned find(llvm::ArrayRef<llvm::Value*> members, unsigned depth);  ///< index of the source; none: there is no way
  bool findKnown(Source& source);
  bool findComputed(Source& source, unsigned depth);
  Values make(unsigned source);
  Values makeKnown(const Source& source);
  Values makeScalars(const Source& source);
  Values makeRepeated(const Source& source);
  Values makeComputed(const Source& source);

  llvm::IRBuilderBase& builder_;
  const unsigned lanes_;
  std::vector<Values> loaded_;
  llvm::DenseMap<const llvm::Value*, std::pair<unsigned, unsigned>> member_;  ///< load and number of each member
  std::vector<Source> sources_;                                               ///< of the tuple that is asked for
  std::vector<Values> made_;                                                  ///< by source
  unsigned shuffles_ = 0;
};

}  // namespace clarity::compiler
