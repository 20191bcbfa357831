// SPDX-License-Identifier: Apache-2.0
// This file chooses how a single load or store is generated.
#include "compiler/packets/packet_accesses.h"

#include "compiler/analysis/wrapping.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

bool isLocal(const llvm::Value& pointer) { return pointer.getType()->getPointerAddressSpace() == localAddressSpace; }

}  // namespace

bool PacketAccesses::onePlace(const llvm::Value& pointer) const {
  return tile_.forms.form(pointer) == Form::Uniform ||
         (tile_.forms.form(pointer) == Form::Affine && tile_.forms.stride(pointer) == 0);
}

llvm::Value* PacketAccesses::reversed(llvm::Value* vector) {
  llvm::SmallVector<int, 16> order;
  for (unsigned i = tile_.lanes; i-- > 0;) order.push_back(static_cast<int>(i));
  return builder_.CreateShuffleVector(vector, order);
}

// --- loads -----------------------------------------------------------------------------------------------------------

void PacketAccesses::emitLoad(llvm::LoadInst& load) {
  const llvm::Value& pointer = *load.getPointerOperand();
  if (tile_.forms.form(load) == Form::Uniform || onePlace(pointer))
    tile_.note(load, {.how = How::OnePlace, .masked = masks_.masked()});
  if (tile_.forms.form(load) == Form::Uniform) {
    for (const unsigned cell : tile_.forms.cellsOf(load)) {
      auto* clone = llvm::cast<llvm::LoadInst>(load.clone());
      readAt(*clone, load, cell);
      values_.define(load, cell, builder_.Insert(clone, load.getName()));
    }
    return;
  }
  if (onePlace(pointer)) {
    // One place, read for all.
    for (const unsigned cell : tile_.forms.cellsOf(load)) {
      auto* clone = llvm::cast<llvm::LoadInst>(load.clone());
      readAt(*clone, load, cell);
      values_.define(load, cell, builder_.CreateVectorSplat(tile_.lanes, builder_.Insert(clone, load.getName())));
    }
    return;
  }
  if (runs_.isAcross(load)) {
    tile_.note(load, {.how = How::Rows, .count = tile_.shape.rows});
    return runs_.loadAcross(load);
  }
  for (const unsigned cell : tile_.forms.cellsOf(load))
    values_.define(load, cell, loadVector(load, cell, masks_.of(load, cell)));
}

bool PacketAccesses::isAcross(const llvm::Instruction& access) const {
  return !groups_.of(access) && !onePlace(*llvm::getLoadStorePointerOperand(&access)) && runs_.isAcross(access);
}

void PacketAccesses::emitLoadApart(llvm::LoadInst& load, const llvm::Value& near, std::int64_t offset) {
  llvm::Type* type = tile_.vectorOf(load.getType());
  for (const unsigned cell : tile_.forms.cellsOf(load)) {
    llvm::Value* here = masks_.of(load, cell);
    llvm::Value* places = tile_.advance(values_.vector(near, cell), offset, near);
    if (gathersAsOne(*load.getType())) {
      values_.define(load, cell,
                     builder_.CreateMaskedGather(type, places, memory_.alignOf(load), here ? here : masks_.full(),
                                                 llvm::Constant::getNullValue(type), load.getName()));
      continue;
    }
    const auto element = [&](llvm::Value* lane) -> LaneByLane::Values {
      return {builder_.CreateAlignedLoad(load.getType(), builder_.CreateExtractElement(places, lane),
                                         memory_.alignOf(load))};
    };
    values_.define(load, cell, laneByLane_.forEachLane(here, {load.getType()}, element)[0]);
  }
}

/// Reads the one address of a load for all lanes. It may be invalid if no lane of the rows that share it is active.
void PacketAccesses::readAt(llvm::LoadInst& clone, llvm::LoadInst& load, unsigned cell) {
  llvm::Value* place = values_.scalar(*load.getPointerOperand(), cell);
  const bool shared = tile_.forms.cellsOf(load).size() == 1;
  if (llvm::Value* here = shared ? nullptr : masks_.of(load, cell)) {
    place = builder_.CreateSelect(masks_.any({here}), place, memory_.spareAddress(place->getType()));
    clone.setAlignment(llvm::Align(1));
  }
  clone.setOperand(0, place);
}

/// Inactive lanes read zero, or what lies beside in local memory: processors clear them anyway, and LLVM does not
/// optimise frozen vectors that are partly undefined.
llvm::Value* PacketAccesses::loadVector(llvm::LoadInst& load, unsigned cell, llvm::Value* here) {
  const llvm::Value& pointer = *load.getPointerOperand();
  llvm::Type* element = load.getType();
  if (tile_.forms.form(pointer) != Form::Affine || element->isIntegerTy(1)) return gather(load, cell, here);
  const auto bytes = tile_.bytesOf(element);
  const std::int64_t stride = tile_.forms.stride(pointer);
  if (distance(stride) == bytes) {
    const bool masked = here != nullptr;
    tile_.note(load, {.how = stride < 0 ? How::Reversed : How::Consecutive, .masked = masked});
    llvm::Value* first = values_.scalar(pointer, cell);
    if (stride < 0) {
      first = tile_.advance(first, stride * (static_cast<std::int64_t>(tile_.lanes) - 1), pointer);
      if (here) here = reversed(here);
    }
    llvm::Type* type = tile_.vectorOf(element);
    if (here && isLocal(pointer) && memory_.writesBack(pointer, element)) {  // all lanes' elements are there
      first = memory_.placeOrSpare(first, here);
      here = nullptr;
    }
    llvm::Value* value = here ? static_cast<llvm::Value*>(builder_.CreateMaskedLoad(
                                    type, first, memory_.alignOf(load, true), here, llvm::Constant::getNullValue(type)))
                              : builder_.CreateAlignedLoad(type, first, memory_.alignOf(load, masked), load.getName());
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(value))
      made->copyMetadata(load, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias,
                                llvm::LLVMContext::MD_invariant_load, llvm::LLVMContext::MD_tbaa});
    return stride < 0 ? reversed(value) : value;
  }
  if (stride > 0 && stride % bytes == 0 && stride / bytes <= cost::mostShuffledStride)
    return loadStrided(load, cell, stride / bytes, here);
  return gather(load, cell, here);
}

/// The elements of a vector that begins so many elements behind that of the first lane, of which those of active lanes
/// are wanted: each lane's is so many elements behind the previous one's.
llvm::Value* PacketAccesses::lanesBetween(llvm::Value* here, std::int64_t begin, std::int64_t elements) {
  llvm::SmallVector<int, 16> order;
  for (std::int64_t at = begin; at < begin + tile_.lanes; ++at)
    order.push_back(static_cast<int>(at >= 0 && at % elements == 0 ? at / elements : tile_.lanes));
  return builder_.CreateShuffleVector(here, llvm::Constant::getNullValue(here->getType()), order);
}

/// Loads everything between the first and the last element that lanes access here, and selects this load's elements.
llvm::Value* PacketAccesses::loadStrided(llvm::LoadInst& load, unsigned cell, std::int64_t elements,
                                         llvm::Value* here) {
  tile_.note(load, {.how = How::Strided, .masked = here != nullptr, .count = static_cast<unsigned>(elements)});
  const llvm::Value& pointer = *load.getPointerOperand();
  llvm::Value* first = values_.scalar(pointer, cell);
  const auto bytes = tile_.bytesOf(load.getType());
  llvm::Type* type = tile_.vectorOf(load.getType());
  llvm::SmallVector<llvm::Value*, 4> parts;
  const llvm::SmallVector<std::int64_t, 4> begins = groups_.partsOf(load, elements);
  for (const std::int64_t begin : begins) {
    const llvm::Align align = llvm::commonAlignment(memory_.alignOf(load), static_cast<std::uint64_t>(bytes));
    llvm::Value* place = tile_.advance(first, begin * bytes, pointer);
    llvm::Instruction* part =
        here ? static_cast<llvm::Instruction*>(builder_.CreateMaskedLoad(
                   type, place, align, lanesBetween(here, begin, elements), llvm::Constant::getNullValue(type)))
             : builder_.CreateAlignedLoad(type, place, align);
    part->copyMetadata(load, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias,
                              llvm::LLVMContext::MD_invariant_load, llvm::LLVMContext::MD_tbaa});
    parts.push_back(part);
  }
  // Lane by lane: in which part its element lies. Parts are joined one after the other.
  llvm::Value* result = nullptr;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    llvm::SmallVector<int, 16> order;
    for (unsigned lane = 0; lane < tile_.lanes; ++lane) {
      const std::int64_t at = static_cast<std::int64_t>(lane) * elements;
      const bool inPart = at >= begins[i] && at < begins[i] + tile_.lanes;
      order.push_back(inPart ? static_cast<int>(at - begins[i]) + (result ? static_cast<int>(tile_.lanes) : 0)
                             : (result ? static_cast<int>(lane) : -1));
    }
    result =
        result ? builder_.CreateShuffleVector(result, parts[i], order) : builder_.CreateShuffleVector(parts[i], order);
  }
  return result;
}

PacketAccesses::LaneAddresses PacketAccesses::laneAddresses(const llvm::Use& pointer, unsigned cell,
                                                            llvm::Value* here) {
  if (!here && tile_.forms.form(*pointer) != Form::Vector) return {.first = values_.scalar(*pointer, cell)};
  if (!here && laneByLane_.isIndexed(pointer)) return {};
  llvm::Value* all = values_.vector(*pointer, cell);
  if (here)
    all = builder_.CreateSelect(here, all,
                                builder_.CreateVectorSplat(tile_.lanes, memory_.spareAddress(pointer->getType())));
  return {.all = all};
}

llvm::Value* PacketAccesses::addressOfLane(const LaneAddresses& addresses, const llvm::Use& pointer, unsigned cell,
                                           unsigned lane) {
  if (addresses.all) return builder_.CreateExtractElement(addresses.all, lane);
  if (!addresses.first) return laneByLane_.operandInLane(pointer, cell, builder_.getInt64(lane));
  return tile_.advance(addresses.first, wrappingProduct(tile_.forms.stride(*pointer), lane), *pointer);
}

/// Whether one instruction accesses elements of a type at any addresses.
bool PacketAccesses::gathersAsOne(const llvm::Type& element) const {
  const unsigned bits = element.isPointerTy() ? 64 : element.getScalarSizeInBits();
  return tile_.target.gathers && (bits == 32 || bits == 64);
}

llvm::Value* PacketAccesses::gather(llvm::LoadInst& load, unsigned cell, llvm::Value* here) {
  const llvm::Use& pointer = load.getOperandUse(llvm::LoadInst::getPointerOperandIndex());
  llvm::Type* type = tile_.vectorOf(load.getType());
  const bool asOne = gathersAsOne(*load.getType());
  tile_.note(load, {.how = asOne ? How::Gather : How::Elements, .masked = here != nullptr});
  if (asOne)
    return builder_.CreateMaskedGather(type, values_.vector(*pointer, cell), memory_.alignOf(load),
                                       here ? here : masks_.full(), llvm::Constant::getNullValue(type), load.getName());
  const LaneAddresses addresses = laneAddresses(pointer, cell, here);
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < tile_.lanes; ++i) {
    llvm::Value* at = addressOfLane(addresses, pointer, cell, i);
    llvm::LoadInst* element =
        builder_.CreateAlignedLoad(load.getType(), at, here ? llvm::Align(1) : memory_.alignOf(load));
    result = builder_.CreateInsertElement(result, element, i);
  }
  return result;
}

// --- stores ----------------------------------------------------------------------------------------------------------

void PacketAccesses::emitStore(llvm::StoreInst& store) {
  const llvm::Value& pointer = *store.getPointerOperand();
  const llvm::Value& value = *store.getValueOperand();
  const bool onePlace = this->onePlace(pointer);
  if (onePlace) tile_.note(store, {.how = How::OnePlace, .masked = masks_.masked()});
  if (!onePlace && runs_.isAcross(store)) {
    tile_.note(store, {.how = How::Rows, .count = tile_.shape.rows});
    return runs_.storeAcross(store);
  }
  llvm::SmallVector<unsigned, 8> cells = tile_.forms.cellsOfOperands(store);
  const bool together = cells.size() == 1 && onePlace;  // some lane is active, or nothing of this would run
  if (masks_.masked() && !together) {
    cells.clear();
    for (unsigned cell = 0; cell < tile_.shape.cells(); ++cell) cells.push_back(cell);
  }
  for (const unsigned cell : cells) {
    llvm::Value* here = masks_.ofCell(cell);
    if (together)
      for (unsigned other = 1; here && other < tile_.shape.cells(); ++other)
        here = builder_.CreateOr(here, masks_.ofCell(other));
    if (!onePlace) {
      storeVector(store, cell, here);
      continue;
    }
    // Every lane writes the same place: the last one stays.
    llvm::Instruction* clone = store.clone();
    clone->setOperand(0, tile_.forms.form(value) == Form::Uniform ? values_.scalar(value, cell)
                                                                  : values_.inLane(value, cell, lastActiveLane(here)));
    llvm::Value* place = values_.scalar(pointer, cell);
    if (here && tile_.shape.cells() > 1 && !together) {
      place = builder_.CreateSelect(masks_.any({here}), place, memory_.spareAddress(place->getType()));
      llvm::cast<llvm::StoreInst>(clone)->setAlignment(llvm::Align(1));
    }
    clone->setOperand(1, place);
    builder_.Insert(clone);
  }
}

void PacketAccesses::emitStoreApart(llvm::StoreInst& store) {
  for (unsigned cell = 0; cell < tile_.shape.cells(); ++cell) {
    llvm::Value* here = masks_.ofCell(cell);
    laneByLane_.emit(store, cell, here ? here : masks_.full());  // a loop, not copies: it hardly ever runs
  }
}

llvm::Value* PacketAccesses::lastActiveLane(llvm::Value* here) {
  if (!here) return builder_.getInt64(tile_.lanes - 1);
  llvm::Value* bits =
      builder_.CreateZExt(builder_.CreateBitCast(here, builder_.getIntNTy(tile_.lanes)), builder_.getInt64Ty());
  llvm::Value* zeros =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, builder_.CreateOr(bits, 1), builder_.getTrue());
  return builder_.CreateSub(builder_.getInt64(63), zeros);
}

void PacketAccesses::storeVector(llvm::StoreInst& store, unsigned cell, llvm::Value* here) {
  const llvm::Value& pointer = *store.getPointerOperand();
  const llvm::Value& value = *store.getValueOperand();
  llvm::Type* element = value.getType();
  const auto bytes = tile_.bytesOf(element);
  if (tile_.forms.form(pointer) != Form::Affine || element->isIntegerTy(1)) return scatter(store, cell, here);
  const std::int64_t stride = tile_.forms.stride(pointer);
  // Bytes between are local memory, and no other work-item of the group runs meanwhile: they can be written back.
  if (stride > bytes && (!here || memory_.writesBack(pointer, element, stride / bytes)) && stride % bytes == 0 &&
      stride / bytes <= cost::mostShuffledStride &&
      tile_.dataLayout.getTypeStoreSize(element) == tile_.dataLayout.getTypeAllocSize(element) && isLocal(pointer))
    return storeStrided(store, cell, stride / bytes, here);
  if (distance(stride) != bytes) return scatter(store, cell, here);
  const bool writesBack = here && memory_.writesBack(pointer, element);
  if (here && !writesBack && !memory_.maskable(element)) return scatter(store, cell, here, true);
  const bool nonTemporal = !here && (nonTemporal_.enabled() || tile_.notes) && nonTemporal_.eligible(store);
  tile_.note(
      store,
      {.how = stride < 0 ? How::Reversed : How::Consecutive, .masked = here != nullptr, .nonTemporal = nonTemporal});
  llvm::Value* first = values_.scalar(pointer, cell);
  llvm::Value* stored = values_.vector(value, cell);
  if (tile_.forms.stride(pointer) < 0) {
    first = tile_.advance(first, tile_.forms.stride(pointer) * (static_cast<std::int64_t>(tile_.lanes) - 1), pointer);
    stored = reversed(stored);
    if (here) here = reversed(here);
  }
  if (nonTemporal && nonTemporal_.enabled())
    return nonTemporal_.storeVector(stored, first, cell, memory_.alignOf(store));
  if (writesBack)
    return memory_.storeBack(stored, memory_.placeOrSpare(first, here), memory_.alignOf(store, true), here);
  llvm::Instruction* made = here ? static_cast<llvm::Instruction*>(
                                       builder_.CreateMaskedStore(stored, first, memory_.alignOf(store, true), here))
                                 : builder_.CreateAlignedStore(stored, first, memory_.alignOf(store));
  made->copyMetadata(store, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias,
                             llvm::LLVMContext::MD_nontemporal, llvm::LLVMContext::MD_tbaa});
}

/// Loads everything between the first and the last lane's element, replaces the lanes' elements and stores all of it.
void PacketAccesses::storeStrided(llvm::StoreInst& store, unsigned cell, std::int64_t elements, llvm::Value* here) {
  tile_.note(store, {.how = How::Strided, .masked = here != nullptr, .count = static_cast<unsigned>(elements)});
  const llvm::Value& pointer = *store.getPointerOperand();
  const llvm::Value& value = *store.getValueOperand();
  const auto bytes = tile_.bytesOf(value.getType());
  llvm::Value* first = values_.scalar(pointer, cell);
  llvm::Value* stored = values_.vector(value, cell);
  if (here) first = memory_.placeOrSpare(first, here);
  const llvm::Align align = llvm::commonAlignment(memory_.alignOf(store), static_cast<std::uint64_t>(bytes));
  // All loads before the stores: a load must not wait for part of what has just been stored.
  llvm::SmallVector<llvm::Value*, 4> places, parts;
  for (const std::int64_t begin : groups_.partsOf(store, elements)) {
    const std::int64_t next =
        (begin + elements - 1) / elements * elements;  // first of its elements, if it is not before lane 0's
    if (std::max<std::int64_t>(next, 0) >= begin + tile_.lanes) continue;
    places.push_back(tile_.advance(first, begin * bytes, pointer));
    llvm::Value* part = builder_.CreateAlignedLoad(stored->getType(), places.back(), align);
    llvm::SmallVector<int, 16> order;
    for (std::int64_t at = begin; at < begin + tile_.lanes; ++at)
      order.push_back(static_cast<int>(at >= 0 && at % elements == 0 ? tile_.lanes + at / elements : at - begin));
    llvm::Value* whole = builder_.CreateShuffleVector(part, stored, order);
    parts.push_back(here ? builder_.CreateSelect(lanesBetween(here, begin, elements), whole, part) : whole);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) builder_.CreateAlignedStore(parts[i], places[i], align);
}

void PacketAccesses::scatter(llvm::StoreInst& store, unsigned cell, llvm::Value* here, bool unmaskable) {
  const llvm::Use& pointer = store.getOperandUse(llvm::StoreInst::getPointerOperandIndex());
  const llvm::Value& value = *store.getValueOperand();
  if (!value.getType()->isSingleValueType() || value.getType()->isVectorTy())
    return laneByLane_.emit(store, cell, here);
  const bool asOne = gathersAsOne(*value.getType());
  tile_.note(store, {.how = asOne ? How::Gather : How::Elements, .masked = here != nullptr, .unmaskable = unmaskable});
  llvm::Value* stored = values_.vector(value, cell);
  if (asOne) {
    builder_.CreateMaskedScatter(stored, values_.vector(*pointer, cell), memory_.alignOf(store),
                                 here ? here : masks_.full());
    return;
  }
  const LaneAddresses addresses = laneAddresses(pointer, cell, here);
  for (unsigned i = 0; i < tile_.lanes; ++i) {
    llvm::Value* at = addressOfLane(addresses, pointer, cell, i);
    builder_.CreateAlignedStore(builder_.CreateExtractElement(stored, i), at,
                                here ? llvm::Align(1) : memory_.alignOf(store));
  }
}

}  // namespace clarity::compiler
