// SPDX-License-Identifier: Apache-2.0
// This file makes the memory accesses of a tile: one for all lanes, consecutive, reversed, by small strides, or lane by lane.
#include "compiler/packets/packet_builder.h"

#include "compiler/analysis/wrapping.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace clarity::compiler {

// --- private memory --------------------------------------------------------------------------------------------------

void PacketBuilder::emitPrivateVariable(const llvm::AllocaInst& variable) {
  const std::uint64_t elements = llvm::cast<llvm::ConstantInt>(variable.getArraySize())->getZExtValue();
  const std::uint64_t bytes = llvm::alignTo(layout_.getTypeAllocSize(variable.getAllocatedType()).getFixedValue() * elements, variable.getAlign());
  const llvm::Align align = std::max(variable.getAlign(), llvm::Align(target_.bits / 8));
  llvm::IRBuilder<> builder(&allocas_, allocas_.begin());
  const PacketShape& shape = plan_.shape();
  llvm::Type* all = llvm::ArrayType::get(builder.getInt8Ty(), bytes * shape.width());
  for (unsigned row = 0; row < shape.rows; ++row) {
    llvm::AllocaInst* copy = builder.CreateAlloca(all, nullptr, variable.getName());
    copy->setAlignment(align);
    // From packet to packet addresses grow as from lane to lane.
    llvm::IRBuilder<> behind(&allocas_, std::next(copy->getIterator()));
    for (unsigned packet = 0; packet < shape.packets; ++packet) {
      const std::int64_t offset = layouts_.lookup(&variable).stride * static_cast<std::int64_t>(packet) * lanes_;
      private_[{&variable, shape.cell(row, packet)}] = packet ? behind.CreateConstGEP1_64(behind.getInt8Ty(), copy, static_cast<std::uint64_t>(offset)) : copy;
    }
  }
}

bool PacketBuilder::interleaved(const llvm::Value& pointer) const {
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0));
  return variable && layouts_.lookup(variable).interleaved;
}

/// Lanes lie between the elements of interleaved private memory: only elements are aligned.
llvm::Align PacketBuilder::alignOf(const llvm::Instruction& access) const {
  const llvm::Align align = llvm::getLoadStoreAlignment(&access);
  if (!interleaved(*llvm::getLoadStorePointerOperand(&access))) return align;
  return llvm::commonAlignment(align, layout_.getTypeAllocSize(llvm::getLoadStoreType(&access)).getFixedValue());
}

/// The address that a getelementptr into interleaved private memory means: every offset counts for all lanes.
/// The result is the first lane's scalar if the indices are the same in all lanes, a vector otherwise.
llvm::Value* PacketBuilder::addresses(const llvm::Value& pointer, unsigned cell) {
  const auto& address = llvm::cast<llvm::GetElementPtrInst>(pointer);
  const bool isVector = plan_.form(address) == Form::Vector;
  llvm::Value* offset = nullptr;
  const auto addOffset = [&](llvm::Value* more) { offset = offset ? builder_.CreateAdd(offset, more) : more; };
  std::uint64_t constant = 0;
  for (auto it = llvm::gep_type_begin(address), end = llvm::gep_type_end(address); it != end; ++it) {
    const llvm::Value& index = *it.getOperand();
    if (llvm::StructType* structure = it.getStructTypeOrNull()) {
      constant += layout_.getStructLayout(structure)->getElementOffset(static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index).getZExtValue()));
      continue;
    }
    const std::uint64_t bytes = it.getSequentialElementStride(layout_).getFixedValue();
    llvm::Value* by = isVector ? vector(index, cell) : scalar(index, cell);
    llvm::Type* wide = isVector ? vectorOf(builder_.getInt64Ty()) : builder_.getInt64Ty();
    addOffset(builder_.CreateMul(builder_.CreateSExtOrTrunc(by, wide), llvm::ConstantInt::get(wide, bytes * plan_.shape().width())));
  }
  llvm::Type* wide = isVector ? vectorOf(builder_.getInt64Ty()) : builder_.getInt64Ty();
  if (constant || !offset) addOffset(llvm::ConstantInt::get(wide, constant * plan_.shape().width()));
  llvm::Value* base = isVector ? vector(*address.getPointerOperand(), cell) : scalar(*address.getPointerOperand(), cell);
  return builder_.CreateGEP(builder_.getInt8Ty(), base, offset);
}

// --- loads -----------------------------------------------------------------------------------------------------------

bool PacketBuilder::onePlace(const llvm::Value& pointer) const {
  return plan_.form(pointer) == Form::Scalar || (plan_.form(pointer) == Form::Linear && plan_.stride(pointer) == 0);
}

void PacketBuilder::emitLoad(llvm::LoadInst& load) {
  const llvm::Value& pointer = *load.getPointerOperand();
  if (plan_.form(load) == Form::Scalar || onePlace(pointer)) note(load, {.how = How::OnePlace, .masked = !blockLanes_.empty()});
  if (plan_.form(load) == Form::Scalar) {
    for (const unsigned cell : cellsOf(load)) {
      llvm::Instruction* clone = load.clone();
      clone->setOperand(0, placeFor(load, cell));
      define(load, cell, builder_.Insert(clone, load.getName()));
    }
    return;
  }
  if (onePlace(pointer)) {
    // One place, read for all.
    for (const unsigned cell : cellsOf(load)) {
      llvm::Instruction* clone = load.clone();
      clone->setOperand(0, placeFor(load, cell));
      define(load, cell, builder_.CreateVectorSplat(lanes_, builder_.Insert(clone, load.getName())));
    }
    return;
  }
  if (runsAcross(load)) {
    note(load, {.how = How::Rows, .count = plan_.shape().rows});
    return loadAcross(load);
  }
  for (const unsigned cell : cellsOf(load)) define(load, cell, loadVector(load, cell, lanesFor(load, cell)));
}

/// The one address of a load for all lanes. Where no lane of the rows that share it comes here it may lead nowhere.
llvm::Value* PacketBuilder::placeFor(llvm::LoadInst& load, unsigned cell) {
  const llvm::Value& pointer = *load.getPointerOperand();
  llvm::Value* place = scalar(pointer, cell);
  const bool shared = cellsOf(load).size() == 1;
  llvm::Value* here = shared ? nullptr : lanesFor(load, cell);
  return here ? builder_.CreateSelect(anyLane({here}), place, spareAddress(place->getType())) : place;
}

bool PacketBuilder::maskable(llvm::Type* element) const {
  if (element->isPointerTy()) return true;
  const unsigned bits = element->getScalarSizeInBits();
  return target_.maskRegisters || (target_.bits >= 256 && (bits == 32 || bits == 64));
}

llvm::Value* PacketBuilder::reversed(llvm::Value* vector) {
  llvm::SmallVector<int, 16> order;
  for (unsigned i = lanes_; i-- > 0;) order.push_back(static_cast<int>(i));
  return builder_.CreateShuffleVector(vector, order);
}

/// Lanes that do not come here read zero: processors clear them anyway, and LLVM loses track of frozen vectors that are
/// partly undefined.
llvm::Value* PacketBuilder::loadVector(llvm::LoadInst& load, unsigned cell, llvm::Value* here) {
  const llvm::Value& pointer = *load.getPointerOperand();
  llvm::Type* element = load.getType();
  if (plan_.form(pointer) != Form::Linear || element->isIntegerTy(1)) return gather(load, cell, here);
  const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(element).getFixedValue());
  const std::int64_t stride = plan_.stride(pointer);
  if (distance(stride) == bytes) {
    if (here && !maskable(element)) return gather(load, cell, here, true);
    note(load, {.how = stride < 0 ? How::Reversed : How::Consecutive, .masked = here != nullptr});
    llvm::Value* first = scalar(pointer, cell);
    if (stride < 0) {
      first = advance(first, stride * (static_cast<std::int64_t>(lanes_) - 1), pointer);
      if (here) here = reversed(here);
    }
    llvm::Type* type = vectorOf(element);
    llvm::Value* value = here ? static_cast<llvm::Value*>(builder_.CreateMaskedLoad(type, first, alignOf(load), here, llvm::Constant::getNullValue(type)))
                              : builder_.CreateAlignedLoad(type, first, alignOf(load), load.getName());
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(value)) made->copyMetadata(load, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_invariant_load, llvm::LLVMContext::MD_tbaa});
    return stride < 0 ? reversed(value) : value;
  }
  if (!here && stride > 0 && stride % bytes == 0 && stride / bytes <= mostShuffledStride) return loadStrided(load, cell, stride / bytes);
  return gather(load, cell, here);
}

/// Loads everything between the first and the last element that lanes access here, and picks this load's elements.
llvm::Value* PacketBuilder::loadStrided(llvm::LoadInst& load, unsigned cell, std::int64_t elements) {
  note(load, {.how = How::Strided, .count = static_cast<unsigned>(elements)});
  const llvm::Value& pointer = *load.getPointerOperand();
  llvm::Value* first = scalar(pointer, cell);
  const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(load.getType()).getFixedValue());
  llvm::Type* type = vectorOf(load.getType());
  llvm::SmallVector<llvm::Value*, 4> parts;
  const llvm::SmallVector<std::int64_t, 4> begins = partsOf(load, elements);
  for (const std::int64_t begin : begins) {
    const llvm::Align align = llvm::commonAlignment(alignOf(load), static_cast<std::uint64_t>(bytes));
    llvm::LoadInst* part = builder_.CreateAlignedLoad(type, advance(first, begin * bytes, pointer), align);
    part->copyMetadata(load, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_invariant_load, llvm::LLVMContext::MD_tbaa});
    parts.push_back(part);
  }
  // Lane by lane: in which part its element lies. Parts are joined one after the other.
  llvm::Value* result = nullptr;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    llvm::SmallVector<int, 16> order;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      const std::int64_t at = static_cast<std::int64_t>(lane) * elements;
      const bool inPart = at >= begins[i] && at < begins[i] + lanes_;
      order.push_back(inPart ? static_cast<int>(at - begins[i]) + (result ? static_cast<int>(lanes_) : 0) : (result ? static_cast<int>(lane) : -1));
    }
    result = result ? builder_.CreateShuffleVector(result, parts[i], order) : builder_.CreateShuffleVector(parts[i], order);
  }
  return result;
}

llvm::Value* PacketBuilder::spareAddress(llvm::Type* pointer) {
  if (!spare_) {
    llvm::IRBuilder<> builder(&allocas_, allocas_.begin());
    // As large as the longest run of one work-item.
    llvm::Type* type = llvm::ArrayType::get(builder.getInt64Ty(), mostMembers);
    spare_ = builder.CreateAlloca(type, nullptr, "spare");
    builder.CreateMemSet(spare_, builder.getInt8(0), sizeof(std::uint64_t) * mostMembers, spare_->getAlign());
  }
  return pointer->getPointerAddressSpace() == 0 ? static_cast<llvm::Value*>(spare_) : builder_.CreateAddrSpaceCast(spare_, pointer);
}

llvm::Value* PacketBuilder::gather(llvm::LoadInst& load, unsigned cell, llvm::Value* here, bool unmaskable) {
  const llvm::Value& pointer = *load.getPointerOperand();
  llvm::Type* type = vectorOf(load.getType());
  const unsigned bits = load.getType()->isPointerTy() ? 64 : load.getType()->getScalarSizeInBits();
  const bool asOne = target_.gathers && (bits == 32 || bits == 64);
  note(load, {.how = asOne ? How::Gather : How::Elements, .masked = here != nullptr, .unmaskable = unmaskable});
  if (asOne)
    return builder_.CreateMaskedGather(type, vector(pointer, cell), alignOf(load), here ? here : allLanes(), llvm::Constant::getNullValue(type), load.getName());
  // Lanes that do not come here read a place of their own.
  llvm::Value* all = nullptr;
  llvm::Value* first = nullptr;
  if (here || plan_.form(pointer) == Form::Vector) {
    all = vector(pointer, cell);
    if (here) all = builder_.CreateSelect(here, all, builder_.CreateVectorSplat(lanes_, spareAddress(pointer.getType())));
  } else {
    first = scalar(pointer, cell);
  }
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < lanes_; ++i) {
    llvm::Value* at = all ? builder_.CreateExtractElement(all, i) : advance(first, wrappingProduct(plan_.stride(pointer), i), pointer);
    llvm::LoadInst* element = builder_.CreateAlignedLoad(load.getType(), at, here ? llvm::Align(1) : alignOf(load));
    result = builder_.CreateInsertElement(result, element, i);
  }
  return result;
}

// --- stores ----------------------------------------------------------------------------------------------------------

void PacketBuilder::emitStore(llvm::StoreInst& store) {
  const llvm::Value& pointer = *store.getPointerOperand();
  const llvm::Value& value = *store.getValueOperand();
  const bool onePlace = this->onePlace(pointer);
  if (onePlace) note(store, {.how = How::OnePlace, .masked = !blockLanes_.empty()});
  if (!onePlace && runsAcross(store)) {
    note(store, {.how = How::Rows, .count = plan_.shape().rows});
    return storeAcross(store);
  }
  llvm::SmallVector<unsigned, 8> cells = cellsOfOperands(store);
  const bool together = cells.size() == 1 && onePlace;  // some lane comes here, or nothing of this would run
  if (!blockLanes_.empty() && !together) {
    cells.clear();
    for (unsigned cell = 0; cell < plan_.shape().cells(); ++cell) cells.push_back(cell);
  }
  for (const unsigned cell : cells) {
    llvm::Value* here = lane(cell);
    if (together)
      for (unsigned other = 1; here && other < plan_.shape().cells(); ++other) here = builder_.CreateOr(here, lane(other));
    if (!onePlace) {
      storeVector(store, cell, here);
      continue;
    }
    // Every lane writes the same place: the last one stays.
    llvm::Instruction* clone = store.clone();
    clone->setOperand(0, plan_.form(value) == Form::Scalar ? scalar(value, cell) : inLane(value, cell, lastActiveLane(here)));
    llvm::Value* place = scalar(pointer, cell);
    if (here && plan_.shape().cells() > 1 && !together) {
      place = builder_.CreateSelect(anyLane({here}), place, spareAddress(place->getType()));
      llvm::cast<llvm::StoreInst>(clone)->setAlignment(llvm::Align(1));
    }
    clone->setOperand(1, place);
    builder_.Insert(clone);
  }
}

llvm::Value* PacketBuilder::lastActiveLane(llvm::Value* here) {
  if (!here) return builder_.getInt64(lanes_ - 1);
  llvm::Value* bits = builder_.CreateZExt(builder_.CreateBitCast(here, builder_.getIntNTy(lanes_)), builder_.getInt64Ty());
  llvm::Value* zeros = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, builder_.CreateOr(bits, 1), builder_.getTrue());
  return builder_.CreateSub(builder_.getInt64(63), zeros);
}

void PacketBuilder::storeVector(llvm::StoreInst& store, unsigned cell, llvm::Value* here) {
  const llvm::Value& pointer = *store.getPointerOperand();
  const llvm::Value& value = *store.getValueOperand();
  llvm::Type* element = value.getType();
  const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(element).getFixedValue());
  if (plan_.form(pointer) != Form::Linear || element->isIntegerTy(1)) return scatter(store, cell, here);
  const std::int64_t stride = plan_.stride(pointer);
  // What lies between is local memory's, and nobody else runs in the work-group meanwhile: it can be written back.
  if (!here && stride > bytes && stride % bytes == 0 && stride / bytes <= mostShuffledStride && layout_.getTypeStoreSize(element) == layout_.getTypeAllocSize(element) &&
      pointer.getType()->getPointerAddressSpace() == 3)
    return storeStrided(store, cell, stride / bytes);
  if (distance(stride) != bytes) return scatter(store, cell, here);
  if (here && !maskable(element)) return scatter(store, cell, here, true);
  const bool mayStream = !here && (streams_ || notes_) && this->mayStream(store);
  note(store, {.how = stride < 0 ? How::Reversed : How::Consecutive, .masked = here != nullptr, .nonTemporal = mayStream});
  llvm::Value* first = scalar(pointer, cell);
  llvm::Value* stored = vector(value, cell);
  if (plan_.stride(pointer) < 0) {
    first = advance(first, plan_.stride(pointer) * (static_cast<std::int64_t>(lanes_) - 1), pointer);
    stored = reversed(stored);
    if (here) here = reversed(here);
  }
  if (mayStream && streams_) return storeStreamed(stored, first, cell, alignOf(store));
  llvm::Instruction* made = here ? static_cast<llvm::Instruction*>(builder_.CreateMaskedStore(stored, first, alignOf(store), here))
                                 : builder_.CreateAlignedStore(stored, first, alignOf(store));
  made->copyMetadata(store, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_nontemporal, llvm::LLVMContext::MD_tbaa});
}

/// Worth it for what every work-item writes once and nobody reads back in this kernel.
bool PacketBuilder::mayStream(const llvm::StoreInst& store) {
  const llvm::Value* object = llvm::getUnderlyingObject(store.getPointerOperand(), 0);
  if (rows_ == Rows::Unknown || store.getPointerAddressSpace() != 1 || levelOf(*store.getParent()).loop || !llvm::isa<llvm::Argument, llvm::CallInst>(object)) return false;
  const std::uint64_t bytes = layout_.getTypeStoreSize(store.getValueOperand()->getType()).getFixedValue();
  if (bytes * lanes_ % 16 != 0 || (rows_ == Rows::WholeInTile && bytes * plan_.shape().width() % cacheLine != 0)) return false;
  if (read_.empty()) {
    read_.insert(nullptr);
    for (const llvm::BasicBlock& block : function_)
      for (const llvm::Instruction& instruction : block)
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) read_.insert(llvm::getUnderlyingObject(load->getPointerOperand(), 0));
  }
  return !read_.contains(object);
}

/// Only vectors at multiples of their size go past the caches, which shows when running.
void PacketBuilder::storeStreamed(llvm::Value* stored, llvm::Value* first, unsigned cell, llvm::Align align) {
  const std::uint64_t bytes = layout_.getTypeStoreSize(stored->getType()).getFixedValue();
  llvm::Value* place = builder_.CreatePtrToInt(first, builder_.getInt64Ty());
  std::uint64_t unit = bytes;
  if (rows_ == Rows::WholeInTile) {  // short rows: nobody else completes a line
    unit = cacheLine;
    place = builder_.CreateSub(place, builder_.getInt64(packetOf(cell) * bytes));
  }
  storePast({{stored, first}}, place, unit, align);
}

/// Past the caches where `places`, addresses that have been put together by `or`, are multiples of a unit; into them elsewhere.
void PacketBuilder::storePast(llvm::ArrayRef<Stored> stores, llvm::Value* places, std::uint64_t unit, llvm::Align align) {
  hasStreamed_ = true;
  llvm::BasicBlock* past = newBlock("packet.past.cache");
  llvm::BasicBlock* ordinary = newBlock("packet.into.cache");
  llvm::BasicBlock* after = newBlock("packet.stored");
  builder_.CreateCondBr(builder_.CreateICmpEQ(builder_.CreateAnd(places, unit - 1), builder_.getInt64(0)), past, ordinary);
  builder_.SetInsertPoint(past);
  llvm::MDNode* once = llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(builder_.getInt32(1)));
  for (const auto& [value, at] : stores) {
    const llvm::Align whole(layout_.getTypeStoreSize(value->getType()).getFixedValue());
    builder_.CreateAlignedStore(value, at, whole)->setMetadata(llvm::LLVMContext::MD_nontemporal, once);
  }
  builder_.CreateBr(after);
  builder_.SetInsertPoint(ordinary);
  for (const auto& [value, at] : stores) builder_.CreateAlignedStore(value, at, align);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

/// Loads everything between the first and the last lane's place, puts the lanes' elements in and stores all of it.
void PacketBuilder::storeStrided(llvm::StoreInst& store, unsigned cell, std::int64_t elements) {
  note(store, {.how = How::Strided, .count = static_cast<unsigned>(elements)});
  const llvm::Value& pointer = *store.getPointerOperand();
  const llvm::Value& value = *store.getValueOperand();
  const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(value.getType()).getFixedValue());
  llvm::Value* first = scalar(pointer, cell);
  llvm::Value* stored = vector(value, cell);
  const llvm::Align align = llvm::commonAlignment(alignOf(store), static_cast<std::uint64_t>(bytes));
  // All loads before the stores: a load must not wait for part of what has just been stored.
  llvm::SmallVector<llvm::Value*, 4> places, parts;
  for (const std::int64_t begin : partsOf(store, elements)) {
    const std::int64_t next = (begin + elements - 1) / elements * elements;  // first of its elements, if it is not before lane 0's
    if (std::max<std::int64_t>(next, 0) >= begin + lanes_) continue;
    places.push_back(advance(first, begin * bytes, pointer));
    llvm::Value* part = builder_.CreateAlignedLoad(stored->getType(), places.back(), align);
    llvm::SmallVector<int, 16> order;
    for (std::int64_t at = begin; at < begin + lanes_; ++at)
      order.push_back(static_cast<int>(at >= 0 && at % elements == 0 ? lanes_ + at / elements : at - begin));
    parts.push_back(builder_.CreateShuffleVector(part, stored, order));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) builder_.CreateAlignedStore(parts[i], places[i], align);
}

void PacketBuilder::scatter(llvm::StoreInst& store, unsigned cell, llvm::Value* here, bool unmaskable) {
  const llvm::Value& pointer = *store.getPointerOperand();
  const llvm::Value& value = *store.getValueOperand();
  if (!value.getType()->isSingleValueType() || value.getType()->isVectorTy()) return emitForEachLane(store, cell, here);
  const unsigned bits = value.getType()->isPointerTy() ? 64 : value.getType()->getScalarSizeInBits();
  const bool asOne = target_.gathers && (bits == 32 || bits == 64);
  note(store, {.how = asOne ? How::Gather : How::Elements, .masked = here != nullptr, .unmaskable = unmaskable});
  llvm::Value* stored = vector(value, cell);
  if (asOne) {
    builder_.CreateMaskedScatter(stored, vector(pointer, cell), alignOf(store), here ? here : allLanes());
    return;
  }
  llvm::Value* all = nullptr;
  llvm::Value* first = nullptr;
  if (here || plan_.form(pointer) == Form::Vector) {
    all = vector(pointer, cell);
    if (here) all = builder_.CreateSelect(here, all, builder_.CreateVectorSplat(lanes_, spareAddress(pointer.getType())));
  } else {
    first = scalar(pointer, cell);
  }
  for (unsigned i = 0; i < lanes_; ++i) {
    llvm::Value* at = all ? builder_.CreateExtractElement(all, i) : advance(first, wrappingProduct(plan_.stride(pointer), i), pointer);
    builder_.CreateAlignedStore(builder_.CreateExtractElement(stored, i), at, here ? llvm::Align(1) : alignOf(store));
  }
}

}  // namespace clarity::compiler
