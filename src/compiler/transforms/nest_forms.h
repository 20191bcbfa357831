// SPDX-License-Identifier: Apache-2.0
// This file declares what passes need that give some work-items a form of their nest of their own.
#pragma once

#include "compiler/analysis/item_nest.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <optional>

namespace llvm {
class LoopInfo;
}

namespace clarity::compiler {

/// All blocks of a nest, the loops over work-items among them.
using NestBlocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 32>;

/// Empty if the nest cannot be made twice: what it computes is used behind it, its rows end apart, or it is too large
/// to be worth it.
std::optional<NestBlocks> blocksToCopy(const ItemNest& nest, const llvm::LoopInfo& loops);

/// The blocks of a work-item's run, each behind those that lead to it but for loops.
llvm::SmallVector<llvm::BasicBlock*, 32> runInOrder(const ItemNest& nest, const llvm::LoopInfo& loops);

/// The nest once more, in front of what comes behind both. Returns its outermost header, which nothing leads to yet.
llvm::BasicBlock* copyNest(const ItemNest& nest, const NestBlocks& blocks, llvm::ValueToValueMapTy& copies);

/// The value that stands for one of the nest in its copy; the value itself if that is no part of the nest.
llvm::Value& copyOf(llvm::Value& value, const llvm::ValueToValueMapTy& copies);

/// A form of a nest, and what the block that leads into it is called.
struct NestForm {
  llvm::BasicBlock& header;
  const char* name;
};
/// The one form if a condition holds ahead of the nest, the other if not.
void enterOneOf(const ItemNest& nest, llvm::Value& condition, NestForm whenTrue, NestForm whenFalse);

/// From now on one form's loops begin behind another block.
void enterNest(llvm::BasicBlock& header, const ItemNest& nest, llvm::BasicBlock& from);

/// Whether an address depends on a value, or, if branches count, which way work-items take.
bool decidesAccesses(const llvm::Instruction& value, bool branches);

using AheadBuilder = llvm::IRBuilder<llvm::InstSimplifyFolder>;

/// A value that is not poison: the value itself where it cannot be, so that constants stay constants.
llvm::Value* frozen(llvm::Value& value, AheadBuilder& builder);

/// Values of one work-item, computed ahead of the loops over work-items. Only affine values
/// (analysis/affine.h) and what they are compared with can be: arithmetic on the counter along the lanes and on uniform
/// values.
class ValuesAhead {
public:
  /// `builder` stands ahead of the loops.
  ValuesAhead(const NestBlocks& blocks, const llvm::LoopInfo& loops, AheadBuilder& builder)
      : blocks_(blocks), loops_(loops), builder_(builder) {}

  /// The work-item is the one that the counter has this value for.
  void choose(const llvm::PHINode& counter, llvm::Value& value);
  /// In the first turn of every loop of the region. May be poison.
  llvm::Value* of(llvm::Value& value);

private:
  const NestBlocks& blocks_;
  const llvm::LoopInfo& loops_;
  AheadBuilder& builder_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> known_;
};

}  // namespace clarity::compiler
