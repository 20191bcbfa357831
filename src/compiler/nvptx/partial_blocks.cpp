// SPDX-License-Identifier: Apache-2.0
// This file puts the code of one work-item beside that of a tile, in a loop over the tile's work-items.
#include "compiler/nvptx/partial_blocks.h"

#include "compiler/ir/loop_properties.h"
#include "compiler/ir/primitives.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <array>

namespace clarity::compiler::nvptx {
namespace {

bool asksForGlobalIdsAlone(const llvm::Function& asWritten) {
  for (const llvm::Instruction& instruction : llvm::instructions(asWritten)) {
    const auto primitive = primitiveOf(instruction);
    if (primitive == Primitive::LocalId || primitive == Primitive::GroupId || primitive == Primitive::Barrier)
      return false;
    if (primitive == Primitive::GlobalId && !dimensionOf(llvm::cast<llvm::CallInst>(instruction))) return false;
  }
  return true;
}

llvm::ReturnInst* returnOf(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function)
    if (const auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      return const_cast<llvm::ReturnInst*>(end);
  return nullptr;
}

class PartialBlocks {
public:
  PartialBlocks(llvm::Function& kernel, const Tile& tile)
      : kernel_(kernel), context_(kernel.getContext()), tile_(tile), tiled_(&kernel.getEntryBlock()) {}

  void run(llvm::Function& asWritten, llvm::ReturnInst& end) {
    llvm::BasicBlock* const written = &asWritten.getEntryBlock();
    llvm::SmallVector<llvm::CallInst*, 8> ids;
    for (llvm::Instruction& instruction : llvm::instructions(asWritten)) {
      if (primitiveOf(instruction) == Primitive::GlobalId) ids.push_back(llvm::cast<llvm::CallInst>(&instruction));
      place(instruction);
    }
    for (llvm::Argument& argument : asWritten.args()) argument.replaceAllUsesWith(kernel_.getArg(argument.getArgNo()));
    kernel_.splice(kernel_.end(), &asWritten);

    auto* entry = llvm::BasicBlock::Create(context_, "entry", &kernel_, tiled_);
    auto* header = llvm::BasicBlock::Create(context_, "next.item", &kernel_, written);
    auto* latch = llvm::BasicBlock::Create(context_, "item.done", &kernel_);
    auto* done = llvm::BasicBlock::Create(context_, "items.done", &kernel_);
    llvm::IRBuilder<> builder(entry);
    askForRange(builder);
    builder.CreateCondBr(tileIsInRange(builder), tiled_, header);
    moveAllocas(*tiled_, *entry);
    moveAllocas(*written, *entry);

    builder.SetInsertPoint(header);
    llvm::PHINode* number = builder.CreatePHI(builder.getInt32Ty(), 2, "item");
    number->addIncoming(builder.getInt32(0), entry);
    builder.CreateCondBr(itemIsInRange(builder, *number), written, latch);
    for (llvm::CallInst* query : ids) {
      query->replaceAllUsesWith(item_[*dimensionOf(*query)]);
      query->eraseFromParent();
    }
    builder.SetInsertPoint(&end);
    builder.CreateBr(latch);
    end.eraseFromParent();

    builder.SetInsertPoint(latch);
    llvm::Value* next = builder.CreateAdd(number, builder.getInt32(1), "", true, true);
    number->addIncoming(next, latch);
    llvm::BranchInst* back =
        builder.CreateCondBr(builder.CreateICmpULT(next, builder.getInt32(tile_.cellsOfThread())), header, done);
    // The loop is for few threads: copies of its body would cost more than they give.
    back->setMetadata(llvm::LLVMContext::MD_loop, notUnrolled(context_));
    builder.SetInsertPoint(done);
    builder.CreateRetVoid();
  }

  /// Where a thread executes one work-item.
  void guard() {
    auto* entry = llvm::BasicBlock::Create(context_, "entry", &kernel_, tiled_);
    auto* done = llvm::BasicBlock::Create(context_, "beyond.range", &kernel_);
    llvm::IRBuilder<> builder(entry);
    askForRange(builder);
    builder.CreateCondBr(tileIsInRange(builder), tiled_, done);
    moveAllocas(*tiled_, *entry);
    builder.SetInsertPoint(done);
    builder.CreateRetVoid();
  }

private:
  /// A copy of a function has a subprogram of its own; here its instructions belong to the kernel's.
  void place(llvm::Instruction& instruction) const {
    instruction.dropDbgRecords();
    const llvm::DILocation* was = instruction.getDebugLoc();
    llvm::DISubprogram* subprogram = kernel_.getSubprogram();
    llvm::DILocation* now = nullptr;
    if (was && subprogram) now = llvm::DILocation::get(context_, was->getLine(), was->getColumn(), subprogram);
    instruction.setDebugLoc(now);
  }

  /// Whether blocks may reach beyond the range along a dimension.
  bool mayLeave(unsigned d) const { return tile_.threads[d] * tile_.cells[d] > 1; }

  void askForRange(llvm::IRBuilder<>& builder) {
    for (unsigned d = 0; d < 3; ++d) {
      first_[d] = emitQuery(builder, Primitive::GlobalId, d);
      end_[d] = builder.CreateAdd(emitQuery(builder, Primitive::GlobalOffset, d),
                                  emitQuery(builder, Primitive::GlobalSize, d), "", true, true);
    }
  }

  /// Whether the last work-item of the thread, and so each, is.
  llvm::Value* tileIsInRange(llvm::IRBuilder<>& builder) const {
    llvm::Value* all = nullptr;
    for (unsigned d = 0; d < 3; ++d) {
      if (!mayLeave(d)) continue;
      const std::uint64_t toLast = std::uint64_t{tile_.apart(d)} * (tile_.cells[d] - 1);
      llvm::Value* last = builder.CreateAdd(first_[d], builder.getInt64(toLast), "", true, true);
      llvm::Value* inside = builder.CreateICmpULT(last, end_[d]);
      all = all ? builder.CreateAnd(all, inside) : inside;
    }
    return all;
  }

  llvm::Value* itemIsInRange(llvm::IRBuilder<>& builder, llvm::PHINode& number) {
    llvm::Value *all = nullptr, *left = &number;
    for (unsigned d = 0; d < 3; ++d) {
      item_[d] = first_[d];
      if (tile_.cells[d] > 1) {
        llvm::Value* cells = builder.getInt32(tile_.cells[d]);
        llvm::Value* apart = builder.CreateMul(builder.CreateURem(left, cells), builder.getInt32(tile_.apart(d)));
        item_[d] = builder.CreateAdd(first_[d], builder.CreateZExt(apart, builder.getInt64Ty()), "", true, true);
        left = builder.CreateUDiv(left, cells);
      }
      if (!mayLeave(d)) continue;
      llvm::Value* inside = builder.CreateICmpULT(item_[d], end_[d]);
      all = all ? builder.CreateAnd(all, inside) : inside;
    }
    return all;
  }

  static void moveAllocas(llvm::BasicBlock& from, llvm::BasicBlock& to) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(from))
      if (auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction); memory && memory->isStaticAlloca())
        memory->moveBefore(to, to.begin());
  }

  llvm::Function& kernel_;
  llvm::LLVMContext& context_;
  const Tile tile_;
  llvm::BasicBlock* tiled_;
  std::array<llvm::Value*, 3> first_{}, end_{}, item_{};  ///< global ids with their offset
};

}  // namespace

bool canGuardPartialBlocks(const llvm::Function& kernel) { return asksForGlobalIdsAlone(kernel) && returnOf(kernel); }

void guardPartialBlocks(llvm::Function& kernel, llvm::Function& asWritten, const Tile& tile) {
  PartialBlocks(kernel, tile).run(asWritten, *returnOf(asWritten));
}

void guardWorkItems(llvm::Function& kernel, const Tile& tile) { PartialBlocks(kernel, tile).guard(); }

}  // namespace clarity::compiler::nvptx
