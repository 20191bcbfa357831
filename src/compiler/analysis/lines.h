// SPDX-License-Identifier: Apache-2.0
// This file declares which values of a region are lines in the id along one dimension.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class Value;
}  // namespace llvm

namespace clarity::compiler {

struct ItemNest;

/// slope * x + the sum of coefficient * turn + something that is the same for all work-items; modulo 2^bits as far as the
/// value's type goes, if none of what is extended has wrapped.
struct Line {
  struct Turns {
    const llvm::PHINode* counter = nullptr;  ///< of a loop of the region: what it has grown by since the loop's first turn
    std::int64_t coefficient = 0;
    bool operator==(const Turns&) const = default;
  };
  struct Extension {
    llvm::Value* narrow = nullptr;
    bool isSigned = false;
    bool operator==(const Extension&) const = default;
  };
  std::int64_t slope = 0;
  llvm::SmallVector<Turns, 2> turns;
  llvm::SmallVector<Extension, 2> extended;  ///< what must not wrap

  bool flat() const { return slope == 0 && turns.empty(); }
};

/// The lines of one nest.
class Lines {
public:
  Lines(const ItemNest& nest, const llvm::SmallPtrSetImpl<const llvm::BasicBlock*>& blocks, unsigned along, const llvm::LoopInfo& loops)
      : nest_(nest), blocks_(blocks), along_(along), loops_(loops) {}

  /// Nothing for what is no line, or could not be computed ahead of the loops. Pure arithmetic on what is the same for all is a flat line.
  std::optional<Line> of(llvm::Value& value);

  /// From here on the one value counts as the other: within the borders they are the same, but for a constant.
  void replace(llvm::Value& value, llvm::Value& by) {
    replaced_[&value] = &by;
    known_.erase(&value);
  }

private:
  std::optional<Line> compute(llvm::Value& value);
  std::optional<Line> ofSum(llvm::Value& left, llvm::Value& right, std::int64_t sign);
  std::optional<Line> ofCounter(llvm::PHINode& phi);
  bool inside(const llvm::Value& value) const;

  const ItemNest& nest_;
  const llvm::SmallPtrSetImpl<const llvm::BasicBlock*>& blocks_;
  const unsigned along_;
  const llvm::LoopInfo& loops_;
  llvm::DenseMap<const llvm::Value*, std::optional<Line>> known_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> replaced_;
};

}  // namespace clarity::compiler
