// SPDX-License-Identifier: Apache-2.0
// This file generates stores in two forms: non-temporal where they are aligned, ordinary elsewhere.
#include "compiler/packets/non_temporal_stores.h"

#include "compiler/analysis/wrapping.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {

/// Profitable for what every work-item writes once, no other writes, and the kernel does not read back.
bool NonTemporalStores::eligible(const llvm::StoreInst& store) {
  const llvm::Value* object = llvm::getUnderlyingObject(store.getPointerOperand(), 0);
  if (rows_ == Rows::Unknown || store.getPointerAddressSpace() != globalAddressSpace ||
      tile_.plan.levelOf(*store.getParent()).loop || !llvm::isa<llvm::Argument, llvm::CallInst>(object))
    return false;
  const std::uint64_t bytes = tile_.dataLayout.getTypeStoreSize(store.getValueOperand()->getType()).getFixedValue();
  if (bytes * tile_.lanes % 16 != 0 ||
      (rows_ == Rows::WholeInTile && bytes * tile_.shape.width() % cost::cacheLine != 0))
    return false;
  if (read_.empty()) {
    read_.insert(nullptr);
    for (const llvm::BasicBlock& block : tile_.function)
      for (const llvm::Instruction& instruction : block)
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
          read_.insert(llvm::getUnderlyingObject(load->getPointerOperand(), 0));
  }
  return !read_.contains(object) && !writtenAgain(store, *object);
}

/// Whether another store soon writes what this one has written, for the same work-item or for a neighbour: at a
/// constant distance, and not between what two neighbours write here.
bool NonTemporalStores::writtenAgain(const llvm::StoreInst& store, const llvm::Value& object) {
  if (stores_.empty())
    for (const llvm::BasicBlock& block : tile_.function)
      for (const llvm::Instruction& instruction : block)
        if (const auto* other = llvm::dyn_cast<llvm::StoreInst>(&instruction))
          stores_[llvm::getUnderlyingObject(other->getPointerOperand(), 0)].push_back(
              {other, addressOf(*other->getPointerOperand(), tile_.dataLayout)});
  const std::int64_t step = distance(tile_.forms.stride(*store.getPointerOperand()));
  const Address own = addressOf(*store.getPointerOperand(), tile_.dataLayout);
  return llvm::any_of(stores_[&object], [&](const auto& other) {
    if (other.first == &store || !other.second.near(own)) return false;
    const std::int64_t apart = distance(wrappingDifference(other.second.offset, own.offset));
    return apart == 0 || (apart >= step && apart < cost::mostBytesUntilWritten);
  });
}

/// Vectors at multiples of their size, which is known when the code runs.
void NonTemporalStores::storeVectors(llvm::ArrayRef<llvm::Value*> vectors, llvm::Value* first, unsigned cell,
                                     llvm::Align align) {
  const std::uint64_t bytes = tile_.dataLayout.getTypeStoreSize(vectors[0]->getType()).getFixedValue();
  llvm::Value* place = builder_.CreatePtrToInt(first, builder_.getInt64Ty());
  std::uint64_t unit = bytes;
  if (rows_ == Rows::WholeInTile) {  // short rows: no other tile completes a cache line
    unit = cost::cacheLine;
    place = builder_.CreateSub(place, builder_.getInt64(tile_.shape.packetOf(cell) * vectors.size() * bytes));
  }
  llvm::SmallVector<Stored, 8> stores;
  for (llvm::Value* vector : vectors)
    stores.emplace_back(vector, tile_.advance(first, static_cast<std::int64_t>(stores.size() * bytes), *first));
  store(stores, place, unit, align);
}

void NonTemporalStores::store(llvm::ArrayRef<Stored> stores, llvm::Value* places, std::uint64_t unit,
                              llvm::Align align) {
  emitted_ = true;
  llvm::BasicBlock* nonTemporal = tile_.newBlock("packet.non.temporal");
  llvm::BasicBlock* ordinary = tile_.newBlock("packet.ordinary");
  llvm::BasicBlock* after = tile_.newBlock("packet.stored");
  builder_.CreateCondBr(builder_.CreateICmpEQ(builder_.CreateAnd(places, unit - 1), builder_.getInt64(0)), nonTemporal,
                        ordinary);
  builder_.SetInsertPoint(nonTemporal);
  llvm::MDNode* once = llvm::MDNode::get(tile_.context, llvm::ConstantAsMetadata::get(builder_.getInt32(1)));
  for (const auto& [value, at] : stores) {
    const llvm::Align whole(tile_.dataLayout.getTypeStoreSize(value->getType()).getFixedValue());
    builder_.CreateAlignedStore(value, at, whole)->setMetadata(llvm::LLVMContext::MD_nontemporal, once);
  }
  builder_.CreateBr(after);
  builder_.SetInsertPoint(ordinary);
  for (const auto& [value, at] : stores) builder_.CreateAlignedStore(value, at, align);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

}  // namespace clarity::compiler
