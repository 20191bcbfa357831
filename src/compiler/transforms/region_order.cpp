// SPDX-License-Identifier: Apache-2.0
// This file connects regions by branches of the group, or by a dispatcher where each work-item has a next region of its
// own.
#include "compiler/transforms/region_order.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace clarity::compiler {
namespace {

constexpr std::uint32_t atTheEnd = 0xffffffff;  ///< "next region" of a work-item that has returned

}  // namespace

void RegionOrder::redirectExits() {
  for (unsigned i = 0; i < nests_.size(); ++i) redirectExits(i);
}

void RegionOrder::redirectExits(unsigned index) {
  const Region& region = regions_.regions()[index];
  const bool choose = regions_.masked() || region.next.size() + region.mayReturn > 1;
  for (llvm::BasicBlock* block : region.blocks) {
    llvm::Instruction* terminator = block->getTerminator();
    if (const llvm::Instruction* last = terminator->getPrevNode(); last && primitiveOf(*last) == Primitive::Barrier)
      terminator->getPrevNode()->eraseFromParent();
    terminator->setMetadata(regionHeadMetadata, nullptr);
    if (llvm::isa<llvm::ReturnInst>(terminator)) {
      llvm::BasicBlock* exit = exitBlock(index, atTheEnd, choose);
      terminator->eraseFromParent();
      llvm::IRBuilder<>(block).CreateBr(exit);
      continue;
    }
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
      llvm::BasicBlock* successor = terminator->getSuccessor(i);
      const auto next = regions_.regionOf(*successor);
      if (next && regions_.regions()[*next].head == successor)
        terminator->setSuccessor(i, exitBlock(index, *next, choose));
    }
  }
}

llvm::BasicBlock* RegionOrder::exitBlock(unsigned index, std::uint32_t next, bool choose) {
  if (!choose) return nests_[index].latch;
  llvm::BasicBlock*& exit = exits_[{index, next}];
  if (exit) return exit;
  llvm::BasicBlock* block = group_.newBlock("region" + llvm::Twine(index) + ".exit", nests_[index].latch);
  llvm::IRBuilder<> builder(block);
  if (regions_.masked()) {
    builder.CreateStore(builder.getInt32(next), nests_.nextRegionOf(builder, nests_[index]));
  } else {
    if (!choice_) {
      choice_ =
          llvm::IRBuilder<>(&group_.entry(), group_.entry().begin()).CreateAlloca(group_.i32(), nullptr, "next.region");
      choice_->setMetadata(uniformSlotMetadata, llvm::MDNode::get(group_.context(), {}));
    }
    builder.CreateStore(builder.getInt32(next), choice_);
  }
  builder.CreateBr(nests_[index].latch);
  return exits_[{index, next}] = block;
}

llvm::BasicBlock* RegionOrder::startOf(std::uint32_t region) {
  return region == atTheEnd ? &group_.end() : nests_[region].before;
}

void RegionOrder::connect() {
  llvm::BasicBlock* first = nullptr;
  if (regions_.masked()) {
    first = makeDispatcher();
  } else {
    connectRegions();
    first = nests_[0].before;
  }
  llvm::IRBuilder<>(&group_.start()).CreateBr(first);
}

void RegionOrder::connectRegions() {
  for (unsigned i = 0; i < nests_.size(); ++i) {
    const Region& region = regions_.regions()[i];
    llvm::SmallVector<std::uint32_t, 3> next(region.next.begin(), region.next.end());
    if (region.mayReturn || next.empty()) next.push_back(atTheEnd);
    llvm::IRBuilder<> builder(nests_[i].after);
    if (next.size() == 1) {
      builder.CreateBr(startOf(next[0]));
      continue;
    }
    llvm::SwitchInst* branch = builder.CreateSwitch(builder.CreateLoad(group_.i32(), choice_), startOf(next[0]));
    for (const std::uint32_t target : llvm::ArrayRef(next).drop_front())
      branch->addCase(builder.getInt32(target), startOf(target));
  }
}

/// Finds the lowest region that a work-item waits for; returns where that begins.
llvm::BasicBlock* RegionOrder::makeDispatcher() {
  llvm::IRBuilder<> builder(&group_.start());
  llvm::Value* row = builder.CreateGEP(builder.getInt8Ty(), group_.spillArea(),
                                       builder.CreateMul(group_.rowItems(), builder.getInt64(nests_.nextRegionRow())));
  // Items of the row beyond the group's never run: they must not wait for region 0.
  builder.CreateMemSet(row, builder.getInt8(0xff), builder.CreateMul(group_.rowItems(), builder.getInt64(4)),
                       llvm::MaybeAlign(rowRounding));
  llvm::Value* items = group_.items(builder);
  builder.CreateMemSet(row, builder.getInt8(0), builder.CreateMul(items, builder.getInt64(4)),
                       llvm::MaybeAlign(rowRounding));

  llvm::BasicBlock *dispatcher = group_.newBlock("dispatch"), *scan = group_.newBlock("dispatch.scan"),
                   *go = group_.newBlock("dispatch.go");
  builder.SetInsertPoint(dispatcher);
  llvm::Value* const chosen = checks_.chooseNext(builder, row, items);
  builder.CreateBr(scan);
  builder.SetInsertPoint(scan);
  llvm::PHINode* item = builder.CreatePHI(group_.i64(), 2);
  llvm::PHINode* lowest = builder.CreatePHI(group_.i32(), 2);
  item->addIncoming(builder.getInt64(0), dispatcher);
  lowest->addIncoming(builder.getInt32(atTheEnd), dispatcher);
  llvm::LoadInst* next = builder.CreateLoad(group_.i32(), builder.CreateGEP(group_.i32(), row, item));
  next->setMetadata(uniformSlotMetadata, llvm::MDNode::get(next->getContext(), {}));
  llvm::Value* lower = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, lowest, next);
  llvm::Value* following = builder.CreateAdd(item, builder.getInt64(1), "", true, true);
  item->addIncoming(following, scan);
  lowest->addIncoming(lower, scan);
  builder.CreateCondBr(builder.CreateICmpULT(following, group_.rowItems()), scan, go);
  builder.SetInsertPoint(go);
  llvm::SwitchInst* branch = builder.CreateSwitch(chosen ? chosen : lower, &group_.end());
  for (unsigned i = 0; i < nests_.size(); ++i) {
    branch->addCase(builder.getInt32(i), nests_[i].before);
    llvm::IRBuilder<>(nests_[i].after).CreateBr(dispatcher);
  }
  return dispatcher;
}

}  // namespace clarity::compiler
