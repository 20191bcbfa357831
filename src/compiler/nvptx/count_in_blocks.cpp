// SPDX-License-Identifier: Apache-2.0
// This file puts a loop around a kernel's tiles, and a copy in place of the memory that it counts in.
#include "compiler/nvptx/count_in_blocks.h"

#include "compiler/ir/fences.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/sync_scopes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler::nvptx {
namespace {

/// The value that changes nothing.
llvm::ConstantInt* identityOf(const Reduction& reduction, llvm::IntegerType& type) {
  const unsigned bits = type.getBitWidth();
  const auto constant = [&](const llvm::APInt& value) { return llvm::ConstantInt::get(type.getContext(), value); };
  switch (reduction.combination) {
    case Combination::And:
    case Combination::UnsignedMin: return constant(llvm::APInt::getAllOnes(bits));
    case Combination::SignedMin: return constant(llvm::APInt::getSignedMaxValue(bits));
    case Combination::SignedMax: return constant(llvm::APInt::getSignedMinValue(bits));
    case Combination::Mul: return constant(llvm::APInt(bits, 1));
    default: return constant(llvm::APInt::getZero(bits));
  }
}

/// The function that adds a copy to what it is a copy of.
llvm::AtomicRMWInst::BinOp operationOf(Combination combination) {
  switch (combination) {
    case Combination::And: return llvm::AtomicRMWInst::And;
    case Combination::Or: return llvm::AtomicRMWInst::Or;
    case Combination::Xor: return llvm::AtomicRMWInst::Xor;
    case Combination::UnsignedMin: return llvm::AtomicRMWInst::UMin;
    case Combination::UnsignedMax: return llvm::AtomicRMWInst::UMax;
    case Combination::SignedMin: return llvm::AtomicRMWInst::Min;
    case Combination::SignedMax: return llvm::AtomicRMWInst::Max;
    default: return llvm::AtomicRMWInst::Add;
  }
}

/// Whether all uses of a pointer are addresses in the same memory and atomic functions there, which are not for the
/// host to see while the kernel runs.
bool isOnlyCountedIn(const llvm::Value& pointer) {
  for (const llvm::User* user : pointer.users()) {
    if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(user);
        atomic && atomic->getSyncScopeID() != llvm::SyncScope::System)
      continue;
    if (!llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user) || !isOnlyCountedIn(*user)) return false;
  }
  return true;
}

bool asksForMoreThanGlobalIds(const llvm::Function& kernel) {
  for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const auto primitive = primitiveOf(instruction);
    if (!primitive) continue;
    const bool isPlain = *primitive == Primitive::GlobalId || *primitive == Primitive::GlobalSize ||
                         *primitive == Primitive::GlobalOffset || *primitive == Primitive::WorkDim;
    if (!isPlain) return true;
    if (*primitive == Primitive::GlobalId && dimensionOf(llvm::cast<llvm::CallInst>(instruction)) != 0u) return true;
  }
  return false;
}

class BlockCounter {
public:
  BlockCounter(llvm::Function& kernel, llvm::Argument& counted, const Reduction& reduction, const Tile& tile)
      : kernel_(kernel),
        context_(kernel.getContext()),
        counted_(counted),
        reduction_(reduction),
        tile_(tile),
        type_(*llvm::IntegerType::get(context_, 8u * reduction.bytes)) {}

  void run() {
    llvm::BasicBlock* const tiles = &kernel_.getEntryBlock();
    findIdsAndEnds();
    llvm::BasicBlock* const entry = makeEntry(*tiles);
    llvm::IRBuilder<> builder(entry);
    queryBlock(builder);
    llvm::Value* const first = emitQuery(builder, Primitive::GlobalId, 0);
    llvm::Value* const past = builder.CreateAdd(emitQuery(builder, Primitive::GlobalOffset, 0),
                                                emitQuery(builder, Primitive::GlobalSize, 0), "", true, true);
    llvm::Value* const blocks =
        builder.CreateIntrinsic(builder.getInt32Ty(), llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x, {});
    llvm::Value* const step = builder.CreateMul(builder.CreateZExt(blocks, builder.getInt64Ty()),
                                                builder.getInt64(std::uint64_t{tile_.cells[0]} * tile_.threads[0]));
    countIn(counted_, *copy_);
    // Loops over the copy end in their own blocks.
    auto* header = block("next.tile", tiles);
    clearCopy(builder, header);
    auto* done = block("tiles.done", nullptr);
    loopOverTiles(*header, *tiles, *done, {first, past, step});
    builder.SetInsertPoint(done);
    barrier(builder);
    auto* finished = block("counted", nullptr);
    addCopy(builder, finished);
    builder.SetInsertPoint(finished);
    builder.CreateRetVoid();
  }

private:
  /// The first work-items of tiles: from the block's first one on, `step` apart, below `past`.
  struct Tiles {
    llvm::Value *first, *past, *step;
  };

  void findIdsAndEnds() {
    for (llvm::Instruction& instruction : llvm::instructions(kernel_)) {
      if (auto* query = llvm::dyn_cast<llvm::CallInst>(&instruction);
          query && primitiveOf(instruction) == Primitive::GlobalId && dimensionOf(*query) == 0u)
        ids_.push_back(query);
      if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) ends_.push_back(end);
    }
  }

  /// A block ahead of all, with the private variables.
  llvm::BasicBlock* makeEntry(llvm::BasicBlock& tiles) {
    auto* entry = block("count.entry", &tiles);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(tiles))
      if (auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction); memory && memory->isStaticAlloca())
        memory->moveBefore(*entry, entry->end());
    return entry;
  }

  void queryBlock(llvm::IRBuilder<>& builder) {
    copy_ = builder.CreateCall(&declarePrimitive(*kernel_.getParent(), Primitive::LocalMemory));
    bytes_ = builder.CreateCall(&declarePrimitive(*kernel_.getParent(), Primitive::LocalBytes));
    thread_ =
        builder.CreateZExt(builder.CreateIntrinsic(builder.getInt32Ty(), llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, {}),
                           builder.getInt64Ty());
  }

  void clearCopy(llvm::IRBuilder<>& builder, llvm::BasicBlock* after) {
    forElements(builder, after, "begin.copy", [&](llvm::IRBuilder<>& at, llvm::Value* place, llvm::Value*) {
      at.CreateAlignedStore(identityOf(reduction_, type_), place, llvm::Align(reduction_.bytes));
    });
  }

  /// Executes the kernel's code for one tile after the other, from `header` to `done`.
  void loopOverTiles(llvm::BasicBlock& header, llvm::BasicBlock& tiles, llvm::BasicBlock& done, const Tiles& range) {
    llvm::IRBuilder<> builder(&header);
    llvm::PHINode* item = builder.CreatePHI(builder.getInt64Ty(), 2, "item");
    item->addIncoming(range.first, beforeLast_);
    builder.CreateCondBr(builder.CreateICmpULT(item, range.past), &tiles, &done);
    for (llvm::CallInst* query : ids_) {
      query->replaceAllUsesWith(item);
      query->eraseFromParent();
    }
    auto* latch = block("tile.done", nullptr);
    for (llvm::ReturnInst* end : ends_) {
      llvm::BranchInst::Create(latch, end->getIterator());
      end->eraseFromParent();
    }
    builder.SetInsertPoint(latch);
    item->addIncoming(builder.CreateAdd(item, range.step), latch);
    builder.CreateBr(&header);
  }

  /// Adds what the copy has counted to the buffer.
  void addCopy(llvm::IRBuilder<>& builder, llvm::BasicBlock* after) {
    const auto addElement = [&](llvm::IRBuilder<>& at, llvm::Value* place, llvm::Value* offset) {
      llvm::Value* value = at.CreateAlignedLoad(&type_, place, llvm::Align(reduction_.bytes));
      auto* add = block("add", after);
      auto* next = block("added", after);
      at.CreateCondBr(at.CreateICmpNE(value, identityOf(reduction_, type_)), add, next);
      at.SetInsertPoint(add);
      at.CreateAtomicRMW(operationOf(reduction_.combination), at.CreateInBoundsGEP(at.getInt8Ty(), &counted_, offset),
                         value, llvm::Align(reduction_.bytes), llvm::AtomicOrdering::Monotonic,
                         context_.getOrInsertSyncScopeID(deviceScopeName));
      at.CreateBr(next);
      at.SetInsertPoint(next);
    };
    forElements(builder, after, "add.copy", addElement, false);
  }

  llvm::BasicBlock* block(const char* name, llvm::BasicBlock* before) {
    return llvm::BasicBlock::Create(context_, name, &kernel_, before);
  }

  void barrier(llvm::IRBuilder<>& builder) const {
    llvm::Function& function = declarePrimitive(*kernel_.getParent(), Primitive::Barrier);
    builder.CreateCall(&function, {builder.getInt32(localFence)});
  }

  /// A loop of the block's threads over the integers of the copy, from the end of `builder`'s block to `after`, with a
  /// barrier behind it where asked for.
  template <class Body>
  void forElements(llvm::IRBuilder<>& builder, llvm::BasicBlock* after, const char* name, Body body,
                   bool meets = true) {
    llvm::BasicBlock* const from = builder.GetInsertBlock();
    auto* header = block(name, after);
    auto* inside = block(name, after);
    auto* behind = block(name, after);
    builder.CreateBr(header);
    llvm::IRBuilder<> at(header);
    llvm::PHINode* number = at.CreatePHI(at.getInt64Ty(), 2);
    number->addIncoming(thread_, from);
    llvm::Value* offset = at.CreateMul(number, at.getInt64(reduction_.bytes), "", true, true);
    llvm::Value* past = at.CreateAdd(offset, at.getInt64(reduction_.bytes), "", true, true);
    at.CreateCondBr(at.CreateICmpULE(past, bytes_), inside, behind);
    at.SetInsertPoint(inside);
    body(at, at.CreateInBoundsGEP(at.getInt8Ty(), copy_, offset), offset);
    number->addIncoming(at.CreateAdd(number, at.getInt64(tile_.threads[0]), "", true, true), at.GetInsertBlock());
    at.CreateBr(header);
    at.SetInsertPoint(behind);
    if (meets) barrier(at);
    at.CreateBr(after);
    beforeLast_ = behind;
  }

  /// Operations on the memory at `pointer` are done on that at `copy`.
  void countIn(llvm::Value& pointer, llvm::Value& copy) {
    for (llvm::User* user : llvm::make_early_inc_range(pointer.users())) {
      auto& instruction = *llvm::cast<llvm::Instruction>(user);
      llvm::IRBuilder<> builder(&instruction);
      if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::SmallVector<llvm::Value*, 4> indices(element->indices());
        countIn(*element, *builder.CreateGEP(element->getSourceElementType(), &copy, indices, element->getName(),
                                             element->getNoWrapFlags()));
      } else if (llvm::isa<llvm::AddrSpaceCastInst>(user)) {
        countIn(*user, copy);
      } else {
        const auto& atomic = llvm::cast<llvm::AtomicRMWInst>(instruction);
        builder.CreateAtomicRMW(atomic.getOperation(), &copy, const_cast<llvm::Value*>(atomic.getValOperand()),
                                atomic.getAlign(), llvm::AtomicOrdering::Monotonic, atomic.getSyncScopeID());
      }
      instruction.eraseFromParent();
    }
  }

  llvm::Function& kernel_;
  llvm::LLVMContext& context_;
  llvm::Argument& counted_;
  const Reduction& reduction_;
  const Tile& tile_;
  llvm::IntegerType& type_;
  llvm::SmallVector<llvm::CallInst*, 8> ids_;
  llvm::SmallVector<llvm::ReturnInst*, 2> ends_;  ///< ends of whole tiles and of others
  llvm::Value *copy_ = nullptr, *bytes_ = nullptr, *thread_ = nullptr;
  llvm::BasicBlock* beforeLast_ = nullptr;  ///< the last block of the loop that forElements() has made
};

}  // namespace

unsigned countedArgument(const llvm::Function& kernel, const KernelInfo& info) {
  const auto none = static_cast<unsigned>(info.args.size());
  unsigned found = none;
  for (unsigned i = 0; i < none; ++i) {
    if (info.args[i].kind == ArgKind::Local) return none;
    if (!info.args[i].reduction) continue;
    if (found != none) return none;
    found = i;
  }
  if (found == none || info.localBytes != 0 || info.usesPrintf ||
      info.args[found].reduction.combination == Combination::Mul)
    return none;
  return isOnlyCountedIn(*kernel.getArg(found)) && !asksForMoreThanGlobalIds(kernel) ? found : none;
}

void countInBlocks(llvm::Function& kernel, unsigned argument, const Reduction& reduction, const Tile& tile) {
  BlockCounter(kernel, *kernel.getArg(argument), reduction, tile).run();
}

}  // namespace clarity::compiler::nvptx
