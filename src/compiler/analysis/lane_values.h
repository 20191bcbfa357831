// SPDX-License-Identifier: Apache-2.0
// This file declares integers of a kernel as the first work-items of a work-group have them in given iterations:
// numbers, not functions of ids (analysis/affine.h), because quotients, masks and comparisons count that are not
// affine.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

namespace llvm {
class BasicBlock;
class CallInst;
class DataLayout;
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// Integers of the work-items with the local linear ids 0 to 63.
struct LaneIntegers {
  std::array<std::uint64_t, 64> of{};
  /// Some operand is an argument or the like: a large number stands for it, the same wherever it occurs.
  bool supposed = false;
  bool bySize = false;  ///< some operand is the size of a work-group that is not known
  bool byId = false;    ///< some operand is an id

  void takeFrom(const LaneIntegers& operand) {
    supposed |= operand.supposed;
    bySize |= operand.bySize;
    byId |= operand.byId;
  }
};

/// Properties that all iterations share.
struct LaneWorld {
  const llvm::LoopInfo& loops;
  const llvm::DominatorTree& dominators;
  const llvm::DataLayout& layout;
  std::array<std::uint64_t, 3> local;  ///< size of the work-group
  bool isLocalKnown = false;
  llvm::DenseMap<const llvm::Value*, unsigned> supposed{};

  /// A number for what is not known and the same in all work-items.
  std::uint64_t suppose(const llvm::Value& value);
};

/// Loops, and which of their iterations are meant, from 0; in others nothing is known.
using Iterations = std::map<const llvm::Loop*, unsigned>;

class LaneValues {
public:
  LaneValues(LaneWorld& world, Iterations iterations) : world_(world), iterations_(std::move(iterations)) {}

  /// nullptr: it depends on memory or on something else that is not computed here.
  const LaneIntegers* of(const llvm::Value& value);
  /// Bytes from the object that the address is in.
  const LaneIntegers* offsetOf(const llvm::Value& pointer);
  struct Reach {
    std::array<bool, 64> may;
    bool certain = true;  ///< no condition on the way depends on memory
    bool bounded = true;  ///< it is known when the loops around the block end
  };
  /// Which work-items the branches that lead to a block let through, in these iterations and those before them.
  const Reach& reach(const llvm::BasicBlock& block);

private:
  std::optional<LaneIntegers> compute(const llvm::Value& value);
  std::optional<LaneIntegers> computePhi(const llvm::PHINode& phi);
  std::optional<LaneIntegers> computeCall(const llvm::CallInst& call);
  std::optional<LaneIntegers> computeInstruction(const llvm::Instruction& instruction);
  std::optional<LaneIntegers> id(unsigned dimension) const;
  std::optional<LaneIntegers> suppose(const llvm::Value& value);
  LaneValues& before(const llvm::Loop& loop);
  void passBranch(Reach& reach, const llvm::Value& condition, bool taken);
  void passIterations(Reach& reach, const llvm::Loop& loop);

  LaneWorld& world_;
  const Iterations iterations_;
  unsigned depth_ = 0;
  llvm::DenseMap<const llvm::Value*, std::unique_ptr<LaneIntegers>> known_, offsets_;
  llvm::DenseMap<const llvm::BasicBlock*, std::unique_ptr<Reach>> reach_;
  std::map<const llvm::Loop*, std::unique_ptr<LaneValues>> before_;
};

}  // namespace clarity::compiler
