// SPDX-License-Identifier: Apache-2.0
// This file computes what depends on nothing but a work-item's or thread's number, for each of them: numbers, not
// functions of ids (analysis/affine.h), because permutations by bit operations count that are not affine.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>
#include <set>

namespace llvm {
class BasicBlock;
class Constant;
class DataLayout;
class DominatorTree;
class Instruction;
class Value;
}  // namespace llvm

namespace clarity::compiler::nvptx {

/// An address of local memory, for each number.
struct LocalAddress {
  llvm::Value* base = nullptr;  ///< an argument, or the call of Primitive::LocalMemory
  std::int64_t start = 0;       ///< bytes from there: where the kernel's variable begins that the address is in
  llvm::SmallVector<std::int64_t, 32> bytes;  ///< from where it begins
};

/// The values that a kernel's integers have where local_id(0) is 0, 1, ..., `count` - 1.
class LaneValues {
public:
  LaneValues(const llvm::DataLayout& layout, unsigned count) : layout_(layout), count_(count) {}

  unsigned count() const { return count_; }
  /// The value for one number; empty where it depends on something else, or is not defined.
  std::optional<std::int64_t> of(const llvm::Value& value, unsigned number);
  /// The values for all numbers; empty where one is not known.
  std::optional<llvm::SmallVector<std::int64_t, 32>> of(const llvm::Value& value);
  std::optional<LocalAddress> address(llvm::Value& pointer);
  /// The numbers with which a block may be reached, as far as the conditions of the branches that lead to it tell.
  llvm::SmallVector<bool, 32> reach(const llvm::BasicBlock& block, const llvm::DominatorTree& dominators);

private:
  llvm::Constant* constant(const llvm::Value& value, unsigned number, unsigned depth);
  void fromVariable(LocalAddress& address);

  const llvm::DataLayout& layout_;
  unsigned count_;
  llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, llvm::Constant*> known_;
  std::set<std::int64_t> variables_;  ///< where the kernel's variables begin in its local memory
};

}  // namespace clarity::compiler::nvptx
