// SPDX-License-Identifier: Apache-2.0
// This file emits the group's own values.
#include "compiler/transforms/group_code.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/kernel_abi.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/strip_marks.h"
#include "compiler/transforms/chunk_loops.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {

static_assert(maxChunkItems % rowRounding == 0);

GroupCode::GroupCode(llvm::Function& function, Options options)
    : function_(function),
      module_(*function.getParent()),
      context_(function.getContext()),
      options_(options),
      merged_(function.hasFnAttribute(mergedGroupsAttribute)),
      interleaved_(interleavedGroups(function) > 1),
      counterType_(options.wideIds ? llvm::Type::getInt64Ty(context_) : llvm::Type::getInt32Ty(context_)) {}

llvm::BasicBlock* GroupCode::newBlock(const llvm::Twine& name, llvm::BasicBlock* before) const {
  return llvm::BasicBlock::Create(context_, name, &function_, before);
}

llvm::MDNode* GroupCode::dimensionNode(unsigned dimension) const {
  return llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(i32(), dimension)));
}

llvm::IRBuilder<> GroupCode::atStart() const {
  return {start_, start_->getTerminator() ? start_->getTerminator()->getIterator() : start_->end()};
}

void GroupCode::makeEntry(bool hasBarriers) {
  llvm::BasicBlock& oldEntry = function_.getEntryBlock();
  entry_ = newBlock("group", &oldEntry);
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(oldEntry))
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        slot && llvm::isa<llvm::Constant>(slot->getArraySize()))
      slot->moveBefore(*entry_, entry_->end());
  start_ = entry_;
  end_ = newBlock("group.end");
  llvm::IRBuilder<> builder(entry_);
  for (unsigned d = 0; d < 3; ++d) size_[d] = narrow(builder, sizeOfBox(builder, d));
  llvm::ReturnInst::Create(context_, end_);
  // A box of any size whose work-items meet (InterchangeLoopsPass) runs in chunks: from here on the group is a chunk.
  if ((!options_.groupAgnostic && !merged_) || !hasBarriers) return;
  const Piece chunk = makePieceLoops(builder, size_, {.items = maxChunkItems, .side = boxSideOf(function_)}, *end_);
  size_ = chunk.size;
  chunkAt_ = chunk.at;
  start_ = chunk.start;
  end_ = chunk.next;
  function_.addFnAttr(chunksAttribute, "yes");
}

/// The size of the box that one call executes: a slice of work-items, of whole groups side by side, or one group.
llvm::Value* GroupCode::sizeOfBox(llvm::IRBuilder<>& builder, unsigned dimension) const {
  if (!options_.groupAgnostic && !merged_) return localSize(builder, dimension);
  llvm::Value* end = emitQuery(builder, Primitive::SliceEnd, dimension);
  llvm::Value* slice = builder.CreateSub(end, emitQuery(builder, Primitive::SliceBegin, dimension));
  return options_.groupAgnostic ? slice : builder.CreateMul(slice, localSize(builder, dimension));
}

llvm::Value* GroupCode::localSize(llvm::IRBuilder<>& builder, unsigned dimension) const {
  // An exact shape has left its size in the function's attributes (SpecializeShapePass).
  if (const auto exact = knownLocalSize(function_, dimension)) return builder.getInt64(*exact);
  return emitQuery(builder, Primitive::LocalSize, dimension);
}

bool GroupCode::isOne(unsigned dimension) const {
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(size_[dimension]);
  return size && size->isOne();
}

llvm::Value* GroupCode::items(llvm::IRBuilder<>& builder) const {
  llvm::Value* items = builder.getInt64(1);
  for (unsigned d = 0; d < 3; ++d) items = builder.CreateMul(items, builder.CreateZExt(size_[d], i64()));
  return items;
}

llvm::Value* GroupCode::linearSize() {
  if (linearSize_) return linearSize_;
  llvm::IRBuilder<> builder = atStart();
  return linearSize_ = narrow(builder, items(builder));
}

llvm::Value* GroupCode::rowItems() {
  if (rowItems_) return rowItems_;
  llvm::IRBuilder<> builder = atStart();
  llvm::Value* rounded = builder.CreateAdd(items(builder), builder.getInt64(rowRounding - 1));
  return rowItems_ = builder.CreateAnd(rounded, builder.getInt64(~(rowRounding - 1)), "row.items");
}

llvm::Value* GroupCode::spillArea() {
  if (spillArea_) return spillArea_;
  return spillArea_ = atStart().CreateCall(&declarePrimitive(module_, Primitive::BarrierSpillArea), {}, "spill.area");
}

llvm::Value* GroupCode::base(unsigned dimension) {
  if (base_[dimension]) return base_[dimension];
  llvm::IRBuilder<> builder = atStart();
  const Primitive begin = options_.groupAgnostic || merged_ ? Primitive::SliceBegin : Primitive::GroupId;
  llvm::Value* first = narrow(builder, emitQuery(builder, begin, dimension));
  if (!options_.groupAgnostic) {
    // Code for an exact size runs for whole work-groups only.
    const bool whole = merged_ || knownLocalSize(function_, dimension);
    llvm::Value* items =
        whole ? localSize(builder, dimension) : emitQuery(builder, Primitive::EnqueuedLocalSize, dimension);
    first = builder.CreateMul(first, narrow(builder, items), "", true, true);
  }
  llvm::Value* base =
      builder.CreateAdd(narrow(builder, emitQuery(builder, Primitive::GlobalOffset, dimension)), first, "", true, true);
  return base_[dimension] = chunkAt_[dimension] ? builder.CreateAdd(base, chunkAt_[dimension], "", true, true) : base;
}

}  // namespace clarity::compiler
