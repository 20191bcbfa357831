// SPDX-License-Identifier: Apache-2.0
// This file lays out private variables for the lanes of a tile.
#include "compiler/packets/tile_memory.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/kernel_abi.h"
#include "compiler/ir/primitives.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

bool isOwnMemory(const llvm::Value& pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(&pointer, 0);
  if (pointer.getType()->getPointerAddressSpace() == localAddressSpace) {
    const auto* argument = llvm::dyn_cast<llvm::Argument>(object);
    return !argument || !argument->hasNoAliasAttr();
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(object);
  return instruction &&
         (llvm::isa<llvm::AllocaInst>(instruction) || primitiveOf(*instruction) == Primitive::BarrierSpillArea);
}

llvm::Value* TileMemory::copyOf(const llvm::AllocaInst& variable, unsigned cell) {
  if (const auto it = copies_.find({&variable, cell}); it != copies_.end()) return it->second;
  makeCopies(variable);
  return copies_[{&variable, cell}];
}

void TileMemory::makeCopies(const llvm::AllocaInst& variable) {
  const std::uint64_t elements = llvm::cast<llvm::ConstantInt>(variable.getArraySize())->getZExtValue();
  const std::uint64_t bytes = llvm::alignTo(
      tile_.dataLayout.getTypeAllocSize(variable.getAllocatedType()).getFixedValue() * elements, variable.getAlign());
  const llvm::Align align = std::max(variable.getAlign(), llvm::Align(tile_.target.bits / 8));
  llvm::IRBuilder<> builder(&tile_.allocas, tile_.allocas.begin());
  const PacketShape& shape = tile_.shape;
  llvm::Type* all = llvm::ArrayType::get(builder.getInt8Ty(), bytes * shape.width());
  for (unsigned row = 0; row < shape.rows; ++row) {
    llvm::AllocaInst* copy = builder.CreateAlloca(all, nullptr, variable.getName());
    copy->setAlignment(align);
    // From packet to packet addresses differ as from lane to lane.
    llvm::IRBuilder<> behind(&tile_.allocas, std::next(copy->getIterator()));
    for (unsigned packet = 0; packet < shape.packets; ++packet) {
      const std::int64_t offset =
          tile_.layouts.lookup(&variable).stride * static_cast<std::int64_t>(packet) * tile_.lanes;
      copies_[{&variable, shape.cell(row, packet)}] =
          packet ? behind.CreateConstGEP1_64(behind.getInt8Ty(), copy, static_cast<std::uint64_t>(offset)) : copy;
    }
  }
}

bool TileMemory::interleaved(const llvm::Value& pointer) const {
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0));
  return variable && tile_.layouts.lookup(variable).interleaved;
}

llvm::Align TileMemory::alignOf(const llvm::Instruction& access, bool masked) const {
  const llvm::Align align = llvm::getLoadStoreAlignment(&access);
  if (!masked && !interleaved(*llvm::getLoadStorePointerOperand(&access))) return align;
  return llvm::commonAlignment(align,
                               tile_.dataLayout.getTypeAllocSize(llvm::getLoadStoreType(&access)).getFixedValue());
}

llvm::Value* TileMemory::spareAddress(llvm::Type* pointer) {
  if (!spare_) {
    llvm::IRBuilder<> builder(&tile_.allocas, tile_.allocas.begin());
    constexpr std::uint64_t elements = localBeside / sizeof(std::uint64_t);
    static_assert(elements >= cost::mostGroupMembers);
    spare_ = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt64Ty(), elements), nullptr, "spare");
    builder.CreateMemSet(spare_, builder.getInt8(0), sizeof(std::uint64_t) * elements, spare_->getAlign());
  }
  return pointer->getPointerAddressSpace() == 0 ? static_cast<llvm::Value*>(spare_)
                                                : tile_.builder.CreateAddrSpaceCast(spare_, pointer);
}

bool TileMemory::maskable(llvm::Type* element) const {
  return element->isPointerTy() || tile_.target.masks(element->getScalarSizeInBits());
}

bool TileMemory::writesBack(const llvm::Value& pointer, llvm::Type* element, std::int64_t distance) const {
  return !tile_.target.maskRegisters && !element->isIntegerTy(1) &&
         tile_.dataLayout.getTypeStoreSize(element) == tile_.dataLayout.getTypeAllocSize(element) &&
         static_cast<std::uint64_t>(tile_.bytesOf(element) * distance) * tile_.lanes <= localBeside &&
         isOwnMemory(pointer);
}

llvm::Value* TileMemory::placeOrSpare(llvm::Value* place, llvm::Value* active) {
  // The code runs because a lane of the tile is active.
  if (tile_.shape.cells() == 1) return place;
  return tile_.builder.CreateSelect(tile_.builder.CreateOrReduce(active), place, spareAddress(place->getType()));
}

void TileMemory::storeBack(llvm::Value* stored, llvm::Value* place, llvm::Align align, llvm::Value* active) {
  llvm::Value* before = tile_.builder.CreateAlignedLoad(stored->getType(), place, align);
  tile_.builder.CreateAlignedStore(tile_.builder.CreateSelect(active, stored, before), place, align);
}

}  // namespace clarity::compiler
