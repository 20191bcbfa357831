// SPDX-License-Identifier: Apache-2.0
// This file makes accesses that lie side by side in every work-item, the elements of a float4 or the fields of a structure,
// as whole vectors: one load or store a vector of memory, and shuffles between memory's order and the lanes'.
#include "compiler/packets/packet_builder.h"

#include "compiler/analysis/wrapping.h"
#include "compiler/primitives.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// Takes a stream that interleaves `parts.size()` members apart (a power of two): evens and odds, again and again.
llvm::SmallVector<llvm::Value*, 4> takeApart(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> parts, unsigned lanes) {
  if (parts.size() == 1) return {parts[0]};
  llvm::SmallVector<int, 16> evens, odds;
  for (unsigned i = 0; i < lanes; ++i) {
    evens.push_back(static_cast<int>(2 * i));
    odds.push_back(static_cast<int>(2 * i + 1));
  }
  llvm::SmallVector<llvm::Value*, 4> even, odd, members(parts.size());
  for (unsigned i = 0; i < parts.size(); i += 2) {
    even.push_back(builder.CreateShuffleVector(parts[i], parts[i + 1], evens));
    odd.push_back(builder.CreateShuffleVector(parts[i], parts[i + 1], odds));
  }
  even = takeApart(builder, even, lanes);
  odd = takeApart(builder, odd, lanes);
  for (unsigned i = 0; i < even.size(); ++i) {
    members[2 * i] = even[i];
    members[2 * i + 1] = odd[i];
  }
  return members;
}

/// The reverse.
llvm::SmallVector<llvm::Value*, 4> putTogether(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> members, unsigned lanes) {
  if (members.size() == 1) return {members[0]};
  llvm::SmallVector<llvm::Value*, 4> even, odd, parts;
  for (unsigned i = 0; i < members.size(); i += 2) {
    even.push_back(members[i]);
    odd.push_back(members[i + 1]);
  }
  even = putTogether(builder, even, lanes);
  odd = putTogether(builder, odd, lanes);
  llvm::SmallVector<int, 16> low, high;
  for (unsigned i = 0; i < lanes; ++i) {
    low.push_back(static_cast<int>(i / 2 + (i % 2) * lanes));
    high.push_back(static_cast<int>((lanes + i) / 2 + (i % 2) * lanes));
  }
  for (unsigned i = 0; i < even.size(); ++i) {
    parts.push_back(builder.CreateShuffleVector(even[i], odd[i], low));
    parts.push_back(builder.CreateShuffleVector(even[i], odd[i], high));
  }
  return parts;
}

/// Three sources, and for every lane which of them and which of its elements.
llvm::Value* pick(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> sources, llvm::ArrayRef<std::pair<unsigned, unsigned>> from, unsigned lanes) {
  llvm::SmallVector<int, 16> first, second;
  for (unsigned i = 0; i < lanes; ++i) {
    const auto [source, element] = from[i];
    first.push_back(source < 2 ? static_cast<int>(element + source * lanes) : -1);
    second.push_back(source < 2 ? static_cast<int>(i) : static_cast<int>(lanes + element));
  }
  return builder.CreateShuffleVector(builder.CreateShuffleVector(sources[0], sources[1], first), sources[2], second);
}

}  // namespace

// --- finding -----------------------------------------------------------------------------------------------------------

/// Members are simple accesses of one type and one stride whose addresses differ by constants. Loads are made with the
/// first of them and stores with the last: nothing between may write what the loads read, or touch what is stored.
void PacketBuilder::findGroups(llvm::BasicBlock& block) {
  groups_.clear();
  groupOf_.clear();
  spans_.clear();
  memoryOrder_.forget();
  llvm::SmallVector<AccessGroup, 4> open;
  const auto close = [&](bool stores) {
    llvm::erase_if(open, [&](AccessGroup& group) {
      if (group.isStore != stores) return false;
      keepGroup(group);
      return true;
    });
  };
  for (llvm::Instruction& instruction : block) {
    if (!instruction.mayReadOrWriteMemory()) continue;
    const bool isStore = llvm::isa<llvm::StoreInst>(instruction);
    AccessGroup found;
    const bool fits = describeAccess(instruction, found);
    if (fits && !found.apart && blockLanes_.empty()) addToSpans(found);
    const auto joins = [&](const AccessGroup& group) {
      return fits && group.isStore == isStore && group.address.near(found.address) && group.stride == found.stride && group.type == found.type &&
             (group.apart || distance(wrappingDifference(found.members[0].offset, group.members[0].offset)) < distance(group.stride));
    };
    // Another store, or a load, ends what stores may be put together; anything that writes ends loads.
    if (llvm::none_of(open, joins) || !isStore) close(true);
    if (instruction.mayWriteToMemory()) close(false);
    if (!fits) continue;
    const auto same = llvm::find_if(open, joins);
    if (same == open.end()) open.push_back(std::move(found));
    else same->members.push_back(found.members[0]);
  }
  close(true);
  close(false);
  for (AccessGroup& group : groups_)
    for (const AccessGroup::Member& member : group.members) groupOf_[member.access] = &group;
}

void PacketBuilder::addToSpans(const AccessGroup& access) {
  const std::int64_t offset = access.members[0].offset;
  for (Span& span : spans_) {
    if (!span.address.near(access.address) || span.stride != access.stride || span.type != access.type) continue;
    const std::int64_t first = std::min(span.first, offset), last = std::max(span.last, offset);
    if (wrappingDifference(last, first) < 0 || wrappingDifference(last, first) >= span.stride) continue;
    span.first = first;
    span.last = last;
    return;
  }
  spans_.push_back({access.address, access.type, access.stride, offset, offset});
}

/// All lanes of all accesses of a block come here together: what lies between their elements is there. In local memory what lies
/// behind them is, too (WorkerMemory).
llvm::SmallVector<std::int64_t, 4> PacketBuilder::partsOf(llvm::Instruction& access, std::int64_t elements) const {
  std::int64_t lead = 0, behind = 0;
  AccessGroup found;
  const auto contains = [&](const Span& span) {
    const std::int64_t offset = found.members[0].offset;
    return span.address.near(found.address) && span.stride == found.stride && span.type == found.type && span.first <= offset && offset <= span.last;
  };
  const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(llvm::getLoadStoreType(&access)).getFixedValue());
  if (describeAccess(access, found) && !found.apart)
    if (const Span* span = llvm::find_if(spans_, contains); span != spans_.end() && (found.members[0].offset - span->first) % bytes == 0) {
      lead = (found.members[0].offset - span->first) / bytes;
      behind = (span->last - found.members[0].offset) / bytes;
    }
  const std::int64_t last = lead + (lanes_ - 1) * elements + behind;
  const bool isLocal = llvm::getLoadStorePointerOperand(&access)->getType()->getPointerAddressSpace() == localAddressSpace;
  llvm::SmallVector<std::int64_t, 4> begins;
  for (std::int64_t i = 0; i < elements; ++i) {
    const std::int64_t begin = isLocal ? i * lanes_ : std::min<std::int64_t>(i * lanes_, last + 1 - lanes_);
    begins.push_back(begin - lead);
  }
  return begins;
}

bool PacketBuilder::describeAccess(llvm::Instruction& instruction, AccessGroup& group) const {
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if ((!load || !load->isSimple()) && (!store || !store->isSimple())) return false;
  llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  group.type = llvm::getLoadStoreType(&instruction);
  if (plan_.form(*pointer) == Form::Scalar || !group.type->isSingleValueType() || group.type->isVectorTy() || group.type->isIntegerTy(1)) return false;
  const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(group.type).getFixedValue());
  if (bytes > 8 || layout_.getTypeStoreSize(group.type) != layout_.getTypeAllocSize(group.type) || interleaved(*pointer)) return false;
  if (plan_.form(*pointer) == Form::Linear) {
    group.stride = plan_.stride(*pointer);
    const std::int64_t members = group.stride / bytes;
    if (group.stride == 0 || distance(group.stride) == bytes) return false;
    group.apart = group.stride % bytes != 0 || members < 2 || members > mostMembers || (members != 3 && !llvm::isPowerOf2_64(static_cast<std::uint64_t>(members)));
  } else {
    group.apart = true;
  }
  group.address = addressOf(*pointer, layout_);
  group.isStore = store != nullptr;
  group.members.push_back({&instruction, group.address.offset});
  return true;
}

/// Whole vectors only where all that lies between is accessed: what lies in a gap may not be there. Otherwise, and where some lanes may not
/// come and the processor has no masks for such elements, the runs.
void PacketBuilder::keepGroup(AccessGroup& group) {
  const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(group.type).getFixedValue());
  AccessGroup sorted = group;
  llvm::stable_sort(sorted.members, [](const AccessGroup::Member& a, const AccessGroup::Member& b) { return a.offset < b.offset; });
  const auto whole = [&] {
    if (group.apart || (!blockLanes_.empty() && !maskable(group.type)) || static_cast<std::int64_t>(group.members.size()) != group.stride / bytes) return false;
    for (std::size_t i = 0; i < group.members.size(); ++i)
      if (sorted.members[i].offset != wrappingSum(sorted.members[0].offset, static_cast<std::int64_t>(i) * bytes)) return false;
    return true;
  };
  if (whole()) return keepWhole(std::move(sorted));
  const bool dense = group.stride > 0 && group.stride % bytes == 0 && group.stride / bytes <= mostShuffledStride;
  if (!dense || group.isStore || !blockLanes_.empty()) keepRuns(sorted);
}

/// Members without gaps between them, by powers of two.
void PacketBuilder::keepRuns(const AccessGroup& group) {
  const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(group.type).getFixedValue());
  const std::size_t count = group.members.size();
  // Two stores to one place have an order.
  for (std::size_t i = 1; i < count; ++i)
    if (wrappingDifference(group.members[i].offset, group.members[i - 1].offset) < bytes && group.isStore) return;
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin + 1;
    while (end < count && group.members[end].offset == wrappingSum(group.members[end - 1].offset, bytes)) ++end;
    const std::size_t length = std::min<std::size_t>(llvm::bit_floor(end - begin), mostMembers);
    if (length > 1) {
      AccessGroup run = group;
      run.apart = true;
      run.members.assign(group.members.begin() + static_cast<std::ptrdiff_t>(begin), group.members.begin() + static_cast<std::ptrdiff_t>(begin + length));
      keepWhole(std::move(run));
    }
    begin += length;
  }
}

/// The first load in the block's order, or the last store, makes all of them.
void PacketBuilder::keepWhole(AccessGroup group) {
  const AccessGroup::Member* trigger = group.members.begin();
  for (const AccessGroup::Member& member : group.members)
    if (member.access->comesBefore(trigger->access) != group.isStore && member.access != trigger->access) trigger = &member;
  group.trigger = trigger->access;
  group.triggerOffset = trigger->offset;
  groups_.push_back(std::move(group));
}

// --- making ------------------------------------------------------------------------------------------------------------

void PacketBuilder::emitGroup(const AccessGroup& group) {
  const bool masked = !blockLanes_.empty();
  llvm::SmallVector<unsigned, 8> cells;
  for (const AccessGroup::Member& member : group.members)
    note(*member.access, {.how = group.apart ? How::Runs : How::SideBySide, .masked = masked, .count = static_cast<unsigned>(group.members.size())});
  const auto add = [&](unsigned cell) {
    if (!llvm::is_contained(cells, cell)) cells.push_back(cell);
  };
  if (masked && group.isStore)
    for (unsigned cell = 0; cell < plan_.shape().cells(); ++cell) add(cell);
  else
    for (const AccessGroup::Member& member : group.members) llvm::for_each(masked ? cellsOf(*member.access) : cellsOfOperands(*member.access), add);
  for (const unsigned cell : cells) {
    llvm::Value* here = group.isStore ? lane(cell) : lanesFor(*group.trigger, cell);
    if (group.apart) {
      if (group.isStore) storeGroupApart(group, cell, here);
      else loadGroupApart(group, cell, here);
      continue;
    }
    const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(group.trigger);
    llvm::Value* first = advance(scalar(pointer, cell), wrappingDifference(group.members[0].offset, group.triggerOffset), pointer);
    if (group.isStore) storeGroup(group, first, cell, here);
    else loadGroup(group, first, cell, here);
  }
}

/// Which elements of part `part` of a group, in memory's order, belong to lanes that come here; nullptr: all.
llvm::Value* PacketBuilder::lanesOfPart(llvm::Value* here, unsigned part, std::size_t members) {
  if (!here) return nullptr;
  llvm::SmallVector<int, 16> order;
  for (unsigned i = 0; i < lanes_; ++i) order.push_back(static_cast<int>((part * lanes_ + i) / members));
  return builder_.CreateShuffleVector(here, order);
}

void PacketBuilder::loadGroup(const AccessGroup& group, llvm::Value* first, unsigned cell, llvm::Value* here) {
  const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(group.type).getFixedValue());
  const llvm::Align align = llvm::commonAlignment(llvm::getLoadStoreAlignment(group.members[0].access), static_cast<std::uint64_t>(bytes));
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (unsigned i = 0; i < group.members.size(); ++i) {
    llvm::Value* place = advance(first, static_cast<std::int64_t>(i) * lanes_ * bytes, *first);
    llvm::Type* type = vectorOf(group.type);
    llvm::Value* lanes = lanesOfPart(here, i, group.members.size());
    parts.push_back(lanes ? static_cast<llvm::Value*>(builder_.CreateMaskedLoad(type, place, align, lanes, llvm::Constant::getNullValue(type)))
                          : builder_.CreateAlignedLoad(type, place, align));
  }
  llvm::SmallVector<llvm::Value*, 4> members;
  if (parts.size() == 3) {
    for (unsigned member = 0; member < 3; ++member) {
      llvm::SmallVector<std::pair<unsigned, unsigned>, 16> from;
      for (unsigned i = 0; i < lanes_; ++i) from.emplace_back((3 * i + member) / lanes_, (3 * i + member) % lanes_);
      members.push_back(pick(builder_, parts, from, lanes_));
    }
  } else {
    members = takeApart(builder_, parts, lanes_);
  }
  memoryOrder_.know(members, parts);
  for (unsigned i = 0; i < members.size(); ++i) define(*group.members[i].access, cell, members[i]);
}

void PacketBuilder::storeGroup(const AccessGroup& group, llvm::Value* first, unsigned cell, llvm::Value* here) {
  const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(group.type).getFixedValue());
  const llvm::Align align = llvm::commonAlignment(llvm::getLoadStoreAlignment(group.members[0].access), static_cast<std::uint64_t>(bytes));
  llvm::SmallVector<llvm::Value*, 4> members, parts;
  for (const AccessGroup::Member& member : group.members) members.push_back(vector(*llvm::cast<llvm::StoreInst>(member.access)->getValueOperand(), cell));
  if (auto inOrder = memoryOrder_.partsOf(members); !inOrder.empty()) {
    parts = std::move(inOrder);
  } else if (members.size() == 3) {
    for (unsigned part = 0; part < 3; ++part) {
      llvm::SmallVector<std::pair<unsigned, unsigned>, 16> from;
      for (unsigned i = 0; i < lanes_; ++i) from.emplace_back((part * lanes_ + i) % 3, (part * lanes_ + i) / 3);
      parts.push_back(pick(builder_, members, from, lanes_));
    }
  } else {
    parts = putTogether(builder_, members, lanes_);
  }
  // Without mask registers, processors write the elements of a vector under a mask one by one.
  if (here && !target_.maskRegisters && lanes_ % parts.size() == 0) return storeEachLane(group, parts, cell, here);
  for (unsigned i = 0; i < parts.size(); ++i) {
    llvm::Value* place = advance(first, static_cast<std::int64_t>(i) * lanes_ * bytes, *first);
    if (llvm::Value* lanes = lanesOfPart(here, i, parts.size())) builder_.CreateMaskedStore(parts[i], place, align, lanes);
    else builder_.CreateAlignedStore(parts[i], place, align);
  }
}

/// Vectors in memory's order, each lane's part of them where it belongs.
void PacketBuilder::storeEachLane(const AccessGroup& group, llvm::ArrayRef<llvm::Value*> parts, unsigned cell, llvm::Value* here) {
  const auto members = static_cast<unsigned>(parts.size());
  llvm::Value* places = placesOfRuns(group, cell, here);
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    llvm::SmallVector<int, 16> order;
    for (unsigned i = 0; i < members; ++i) order.push_back(static_cast<int>(lane * members % lanes_ + i));
    builder_.CreateAlignedStore(builder_.CreateShuffleVector(parts[lane * members / lanes_], order), builder_.CreateExtractElement(places, lane), llvm::Align(1));
  }
}

/// Where the first of a lane's run is, for all lanes; those that do not come here have a place of their own.
llvm::Value* PacketBuilder::placesOfRuns(const AccessGroup& group, unsigned cell, llvm::Value* here) {
  const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(group.trigger);
  llvm::Value* places = advance(vector(pointer, cell), wrappingDifference(group.members[0].offset, group.triggerOffset), pointer);
  return builder_.CreateSelect(here, places, builder_.CreateVectorSplat(lanes_, spareAddress(pointer.getType())));
}

/// Calls with where a lane's run is, and how its first element is aligned.
void PacketBuilder::withRuns(const AccessGroup& group, unsigned cell, llvm::Value* here, llvm::function_ref<void(llvm::Align, Place)> work) {
  const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(group.trigger);
  if (here) {
    llvm::Value* places = placesOfRuns(group, cell, here);
    return work(llvm::Align(1), [&](unsigned lane, unsigned offset) { return advance(builder_.CreateExtractElement(places, lane), offset, pointer); });
  }
  const std::int64_t begin = wrappingDifference(group.members[0].offset, group.triggerOffset);
  work(llvm::getLoadStoreAlignment(group.members[0].access), [&](unsigned lane, unsigned offset) { return placeOfLane(pointer, cell, lane, wrappingSum(begin, offset)); });
}

void PacketBuilder::loadGroupApart(const AccessGroup& group, unsigned cell, llvm::Value* here) {
  llvm::SmallVector<llvm::Value*, 16> made;
  withRuns(group, cell, here, [&](llvm::Align align, Place place) { made = loadRuns(group.type, static_cast<unsigned>(group.members.size()), align, place); });
  for (unsigned i = 0; i < made.size(); ++i) define(*group.members[i].access, cell, made[i]);
}

void PacketBuilder::storeGroupApart(const AccessGroup& group, unsigned cell, llvm::Value* here) {
  llvm::SmallVector<llvm::Value*, 16> values;
  for (const AccessGroup::Member& member : group.members) values.push_back(vector(*llvm::cast<llvm::StoreInst>(member.access)->getValueOperand(), cell));
  withRuns(group, cell, here, [&](llvm::Align align, Place place) { storeRuns(values, align, place); });
}

}  // namespace clarity::compiler
