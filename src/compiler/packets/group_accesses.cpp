// SPDX-License-Identifier: Apache-2.0
// This file generates the accesses of a group.
#include "compiler/packets/group_accesses.h"

#include "compiler/analysis/wrapping.h"
#include "compiler/packets/member_shuffles.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
void GroupAccesses::enterBlock(llvm::BasicBlock& block) {
  groups_.find(block);
  memoryOrder_.forget();
}

bool GroupAccesses::emit(const llvm::Instruction& access) {
  const AccessGroup* group = groups_.of(access);
  if (group && group->trigger == &access) emitGroup(*group);
  return group != nullptr;
}

llvm::SmallVector<llvm::Instruction*, 4> GroupAccesses::accessesAt(llvm::Instruction& access) const {
  const AccessGroup* group = groups_.of(access);
  if (!group) return {&access};
  llvm::SmallVector<llvm::Instruction*, 4> accesses;
  if (group->trigger == &access)
    for (const AccessGroup::Member& member : group->members) accesses.push_back(member.access);
  return accesses;
}

std::int64_t GroupAccesses::offsetFrom(const llvm::Instruction& trigger, const llvm::Instruction& access) const {
  const AccessGroup* group = groups_.of(trigger);
  if (!group) return 0;
  const auto* own =
      llvm::find_if(group->members, [&](const AccessGroup::Member& member) { return member.access == &access; });
  return wrappingDifference(own->offset, group->triggerOffset);
}

/// Whether a group of stores, which leaves no gaps, may be non-temporal.
bool GroupAccesses::isNonTemporal(const AccessGroup& group) {
  return group.isStore && !group.apart && !masks_.masked() && (nonTemporal_.enabled() || tile_.notes) &&
         llvm::all_of(group.members, [&](const AccessGroup::Member& member) {
           return nonTemporal_.eligible(*llvm::cast<llvm::StoreInst>(member.access));
         });
}

void GroupAccesses::emitGroup(const AccessGroup& group) {
  const bool masked = masks_.masked(), nonTemporal = isNonTemporal(group);
  llvm::SmallVector<unsigned, 8> cells;
  for (const AccessGroup::Member& member : group.members)
    tile_.note(*member.access, {.how = group.apart ? How::Runs : How::SideBySide,
                                .masked = masked,
                                .count = static_cast<unsigned>(group.members.size()),
                                .nonTemporal = nonTemporal});
  const auto add = [&](unsigned cell) {
    if (!llvm::is_contained(cells, cell)) cells.push_back(cell);
  };
  if (masked && group.isStore)
    for (unsigned cell = 0; cell < tile_.shape.cells(); ++cell) add(cell);
  else
    for (const AccessGroup::Member& member : group.members)
      llvm::for_each(masked ? tile_.forms.cellsOf(*member.access) : tile_.forms.cellsOfOperands(*member.access), add);
  for (const unsigned cell : cells) {
    llvm::Value* here = group.isStore ? masks_.ofCell(cell) : masks_.of(*group.trigger, cell);
    if (group.apart) {
      if (group.isStore)
        storeGroupApart(group, cell, here);
      else
        loadGroupApart(group, cell, here);
      continue;
    }
    const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(group.trigger);
    llvm::Value* first = tile_.advance(values_.scalar(pointer, cell),
                                       wrappingDifference(group.members[0].offset, group.triggerOffset), pointer);
    if (group.isStore)
      storeGroup(group, first, cell, here);
    else
      loadGroup(group, first, cell, here);
  }
}

/// Which elements of part `part` of a group, in the order of memory, belong to active lanes; nullptr: all.
llvm::Value* GroupAccesses::lanesOfPart(llvm::Value* here, unsigned part, std::size_t members) {
  if (!here) return nullptr;
  llvm::SmallVector<int, 16> order;
  for (unsigned i = 0; i < tile_.lanes; ++i) order.push_back(static_cast<int>((part * tile_.lanes + i) / members));
  return builder_.CreateShuffleVector(here, order);
}

void GroupAccesses::loadGroup(const AccessGroup& group, llvm::Value* first, unsigned cell, llvm::Value* here) {
  const auto bytes = tile_.bytesOf(group.type);
  const llvm::Align align =
      llvm::commonAlignment(llvm::getLoadStoreAlignment(group.members[0].access), static_cast<std::uint64_t>(bytes));
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (unsigned i = 0; i < group.members.size(); ++i) {
    llvm::Value* place = tile_.advance(first, static_cast<std::int64_t>(i) * tile_.lanes * bytes, *first);
    llvm::Type* type = tile_.vectorOf(group.type);
    llvm::Value* lanes = lanesOfPart(here, i, group.members.size());
    parts.push_back(lanes ? static_cast<llvm::Value*>(builder_.CreateMaskedLoad(type, place, align, lanes,
                                                                                llvm::Constant::getNullValue(type)))
                          : builder_.CreateAlignedLoad(type, place, align));
  }
  const llvm::SmallVector<llvm::Value*, 4> members = membersOfParts(builder_, parts, tile_.lanes);
  memoryOrder_.know(members, parts);
  noteMembers(members, parts, false);
  for (unsigned i = 0; i < members.size(); ++i) values_.define(*group.members[i].access, cell, members[i]);
}

void GroupAccesses::noteMembers(llvm::ArrayRef<llvm::Value*> members, llvm::ArrayRef<llvm::Value*> parts,
                                bool isStore) {
  MemberGroup group{.lanes = tile_.lanes, .isStore = isStore, .members = {}, .parts = {}};
  group.members.append(members.begin(), members.end());
  group.parts.append(parts.begin(), parts.end());
  tile_.memberGroups.push_back(std::move(group));
}

void GroupAccesses::storeGroup(const AccessGroup& group, llvm::Value* first, unsigned cell, llvm::Value* here) {
  const auto bytes = tile_.bytesOf(group.type);
  const llvm::Align align =
      llvm::commonAlignment(llvm::getLoadStoreAlignment(group.members[0].access), static_cast<std::uint64_t>(bytes));
  llvm::SmallVector<llvm::Value*, 4> members, parts;
  for (const AccessGroup::Member& member : group.members)
    members.push_back(values_.vector(*llvm::cast<llvm::StoreInst>(member.access)->getValueOperand(), cell));
  parts = memoryOrder_.partsOf(members);
  if (parts.empty()) {
    parts = partsOfMembers(builder_, members, tile_.lanes);
    noteMembers(members, parts, true);
  }
  if (!here && nonTemporal_.enabled() && isNonTemporal(group))
    return nonTemporal_.storeVectors(parts, first, cell, align);
  const auto distance = static_cast<std::int64_t>(parts.size());
  const bool writesBack = here && memory_.writesBack(*first, group.type, distance);
  // Without mask registers, processors write the elements of a vector under a mask one by one.
  if (here && !writesBack && !tile_.target.maskRegisters && tile_.lanes % parts.size() == 0)
    return storeEachLane(group, parts, cell, here);
  if (writesBack) first = memory_.placeOrSpare(first, here);
  for (unsigned i = 0; i < parts.size(); ++i) {
    llvm::Value* place = tile_.advance(first, static_cast<std::int64_t>(i) * tile_.lanes * bytes, *first);
    llvm::Value* lanes = lanesOfPart(here, i, parts.size());
    if (lanes && writesBack)
      memory_.storeBack(parts[i], place, align, lanes);
    else if (lanes)
      builder_.CreateMaskedStore(parts[i], place, align, lanes);
    else
      builder_.CreateAlignedStore(parts[i], place, align);
  }
}

/// Vectors in the order of memory, each lane's part of them at its own address.
void GroupAccesses::storeEachLane(const AccessGroup& group, llvm::ArrayRef<llvm::Value*> parts, unsigned cell,
                                  llvm::Value* here) {
  const auto members = static_cast<unsigned>(parts.size());
  llvm::Value* places = placesOfRuns(group, cell, here);
  for (unsigned lane = 0; lane < tile_.lanes; ++lane) {
    llvm::SmallVector<int, 16> order;
    for (unsigned i = 0; i < members; ++i) order.push_back(static_cast<int>(lane * members % tile_.lanes + i));
    builder_.CreateAlignedStore(builder_.CreateShuffleVector(parts[lane * members / tile_.lanes], order),
                                builder_.CreateExtractElement(places, lane), llvm::Align(1));
  }
}

/// The addresses of the lanes' runs; inactive lanes get the spare place.
llvm::Value* GroupAccesses::placesOfRuns(const AccessGroup& group, unsigned cell, llvm::Value* here) {
  const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(group.trigger);
  llvm::Value* places = tile_.advance(values_.vector(pointer, cell),
                                      wrappingDifference(group.members[0].offset, group.triggerOffset), pointer);
  return builder_.CreateSelect(here, places,
                               builder_.CreateVectorSplat(tile_.lanes, memory_.spareAddress(pointer.getType())));
}

/// Calls `work` with the alignment of a run's first element, and the addresses of the runs.
void GroupAccesses::withRuns(const AccessGroup& group, unsigned cell, llvm::Value* here,
                             llvm::function_ref<void(llvm::Align, TransposedRuns::Place)> work) {
  const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(group.trigger);
  if (here) {
    llvm::Value* places = placesOfRuns(group, cell, here);
    return work(llvm::Align(1), [&](unsigned lane, unsigned offset) {
      return tile_.advance(builder_.CreateExtractElement(places, lane), offset, pointer);
    });
  }
  const std::int64_t begin = wrappingDifference(group.members[0].offset, group.triggerOffset);
  work(llvm::getLoadStoreAlignment(group.members[0].access), [&](unsigned lane, unsigned offset) {
    return runs_.placeOfLane(pointer, cell, lane, wrappingSum(begin, offset));
  });
}

void GroupAccesses::loadGroupApart(const AccessGroup& group, unsigned cell, llvm::Value* here) {
  llvm::SmallVector<llvm::Value*, 16> made;
  withRuns(group, cell, here, [&](llvm::Align align, TransposedRuns::Place place) {
    made = runs_.load(group.type, static_cast<unsigned>(group.members.size()), align, place);
  });
  for (unsigned i = 0; i < made.size(); ++i) values_.define(*group.members[i].access, cell, made[i]);
}

void GroupAccesses::storeGroupApart(const AccessGroup& group, unsigned cell, llvm::Value* here) {
  llvm::SmallVector<llvm::Value*, 16> values;
  for (const AccessGroup::Member& member : group.members)
    values.push_back(values_.vector(*llvm::cast<llvm::StoreInst>(member.access)->getValueOperand(), cell));
  withRuns(group, cell, here,
           [&](llvm::Align align, TransposedRuns::Place place) { runs_.store(values, align, place); });
}

}  // namespace clarity::compiler
