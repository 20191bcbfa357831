// SPDX-License-Identifier: Apache-2.0
// This file compares the addresses of a block's accesses.
#include "compiler/packets/access_groups.h"

#include "compiler/analysis/wrapping.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <optional>

namespace clarity::compiler {
namespace {

/// The bytes that one work-item accesses.
struct Bytes {
  Address address;
  std::int64_t count = 0;
  unsigned space = 0;                      ///< address space
  const llvm::Argument* buffer = nullptr;  ///< the argument whose memory it is, if that is known
};

bool isSimple(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple();
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->isSimple();
}

/// The bytes of a simple load or store; nothing for other instructions.
std::optional<Bytes> bytesOfAccess(const llvm::Instruction& access, const llvm::DataLayout& layout) {
  if (!isSimple(access)) return std::nullopt;
  const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(&access);
  const llvm::TypeSize count = layout.getTypeStoreSize(llvm::getLoadStoreType(&access));
  return Bytes{addressOf(pointer, layout), static_cast<std::int64_t>(count.getFixedValue()),
               pointer.getType()->getPointerAddressSpace(),
               llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(&pointer, 0))};
}

/// Whether two accesses are in address spaces that have no memory in common.
bool areInDisjointSpaces(const Bytes& a, const Bytes& b) {
  constexpr unsigned privateAddressSpace = 0;
  const auto isNamed = [](unsigned space) {
    return space == privateAddressSpace || space == globalAddressSpace || space == localAddressSpace;
  };
  return a.space != b.space && isNamed(a.space) && isNamed(b.space);
}

/// Whether two accesses are to the memory of different arguments, one of which shares its own with no other.
bool areInDistinctBuffers(const Bytes& a, const Bytes& b) {
  return a.buffer && b.buffer && a.buffer != b.buffer && (a.buffer->hasNoAliasAttr() || b.buffer->hasNoAliasAttr());
}

/// Whether two accesses of one work-item certainly have no byte in common. Those of different work-items need not be
/// compared: between two barriers the language does not order them.
bool areDisjoint(const Bytes& a, const Bytes& b) {
  if (areInDisjointSpaces(a, b) || areInDistinctBuffers(a, b)) return true;
  if (!a.address.near(b.address)) return false;
  const std::int64_t apart = wrappingDifference(b.address.offset, a.address.offset);
  return apart >= 0 ? apart >= a.count : distance(apart) >= b.count;
}

/// A group to which accesses may still be added.
struct OpenGroup {
  AccessGroup group;
  llvm::SmallVector<Bytes, 4> members;
  /// Stores that are generated behind the first load: further loads of the group are moved ahead of them.
  llvm::SmallVector<Bytes, 4> crossed;

  /// Whether the stores of the group may be moved behind an access.
  bool mayCross(const std::optional<Bytes>& access) const {
    return access && members.size() <= cost::search::groupAccesses &&
           llvm::all_of(members, [&](const Bytes& member) { return areDisjoint(member, *access); });
  }

  /// Notes such a store, or another instruction that writes; false if no load can be moved ahead of it.
  bool cross(const std::optional<Bytes>& store) {
    if (!store) return false;
    if (areInDisjointSpaces(members[0], *store) || areInDistinctBuffers(members[0], *store)) return true;
    if (!group.address.near(store->address) || crossed.size() == cost::search::groupAccesses) return false;
    crossed.push_back(*store);
    return true;
  }
};

}  // namespace

/// Members are simple accesses of one type and one stride whose addresses differ by constants. Loads are generated at
/// the first of them and stores at the last: nothing between may write what the loads read, or touch what is stored.
void AccessGroups::find(llvm::BasicBlock& block) {
  groups_.clear();
  groupOf_.clear();
  spans_.clear();
  llvm::SmallVector<OpenGroup, 4> open;
  const auto closeIf = [&](llvm::function_ref<bool(OpenGroup&)> ends) {
    llvm::erase_if(open, [&](OpenGroup& one) {
      if (!ends(one)) return false;
      keepGroup(one.group);
      return true;
    });
  };
  for (llvm::Instruction& instruction : block) {
    if (!instruction.mayReadOrWriteMemory()) continue;
    const bool isStore = llvm::isa<llvm::StoreInst>(instruction);
    const std::optional<Bytes> bytes = bytesOfAccess(instruction, tile_.dataLayout);
    AccessGroup found;
    const bool fits = describeAccess(instruction, found);
    if (fits && !found.apart && !masks_.masked()) addToSpans(found);
    const auto joins = [&](const OpenGroup& one) {
      const AccessGroup& group = one.group;
      return fits && group.isStore == isStore && group.address.near(found.address) && group.stride == found.stride &&
             group.type == found.type &&
             (group.apart || distance(wrappingDifference(found.members[0].offset, group.members[0].offset)) <
                                 distance(group.stride)) &&
             llvm::all_of(one.crossed, [&](const Bytes& store) { return areDisjoint(store, *bytes); });
    };
    // The stores of a group would be moved behind the instruction, if it is not one of them.
    closeIf([&](OpenGroup& one) { return one.group.isStore && !joins(one) && !one.mayCross(bytes); });
    if (instruction.mayWriteToMemory())
      closeIf([&](OpenGroup& one) { return !one.group.isStore && !one.cross(bytes); });
    if (!fits) continue;
    if (const auto same = llvm::find_if(open, joins); same != open.end()) {
      same->group.members.push_back(found.members[0]);
      same->members.push_back(*bytes);
      continue;
    }
    OpenGroup opened{.group = std::move(found), .members = {*bytes}, .crossed = {}};
    // Stores that are in the block ahead of this load may be generated behind it, with the last of their group.
    const auto crosses = [&](const OpenGroup& stores) {
      return llvm::all_of(stores.members, [&](const Bytes& store) { return opened.cross(store); });
    };
    if (isStore || llvm::all_of(open, [&](const OpenGroup& one) { return !one.group.isStore || crosses(one); }))
      open.push_back(std::move(opened));
  }
  closeIf([](OpenGroup&) { return true; });
  for (AccessGroup& group : groups_)
    for (const AccessGroup::Member& member : group.members) groupOf_[member.access] = &group;
}

void AccessGroups::addToSpans(const AccessGroup& access) {
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

/// All accesses of a block have the same active lanes, here all of them: the memory between their elements exists. In
/// local memory that behind them does, too (WorkerMemory).
llvm::SmallVector<std::int64_t, 4> AccessGroups::partsOf(llvm::Instruction& access, std::int64_t elements) const {
  std::int64_t lead = 0, behind = 0;
  AccessGroup found;
  const auto contains = [&](const Span& span) {
    const std::int64_t offset = found.members[0].offset;
    return span.address.near(found.address) && span.stride == found.stride && span.type == found.type &&
           span.first <= offset && offset <= span.last;
  };
  const auto bytes = tile_.bytesOf(llvm::getLoadStoreType(&access));
  if (describeAccess(access, found) && !found.apart)
    if (const Span* span = llvm::find_if(spans_, contains);
        span != spans_.end() && (found.members[0].offset - span->first) % bytes == 0) {
      lead = (found.members[0].offset - span->first) / bytes;
      behind = (span->last - found.members[0].offset) / bytes;
    }
  const std::int64_t last = lead + (tile_.lanes - 1) * elements + behind;
  const bool isLocal =
      llvm::getLoadStorePointerOperand(&access)->getType()->getPointerAddressSpace() == localAddressSpace;
  llvm::SmallVector<std::int64_t, 4> begins;
  for (std::int64_t i = 0; i < elements; ++i) {
    const std::int64_t begin =
        isLocal ? i * tile_.lanes : std::min<std::int64_t>(i * tile_.lanes, last + 1 - tile_.lanes);
    begins.push_back(begin - lead);
  }
  return begins;
}

bool AccessGroups::describeAccess(llvm::Instruction& instruction, AccessGroup& group) const {
  if (!isSimple(instruction)) return false;
  llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  group.type = llvm::getLoadStoreType(&instruction);
  if (tile_.forms.form(*pointer) == Form::Uniform || !group.type->isSingleValueType() || group.type->isVectorTy() ||
      group.type->isIntegerTy(1))
    return false;
  const auto bytes = tile_.bytesOf(group.type);
  if (bytes > 8 || tile_.dataLayout.getTypeStoreSize(group.type) != tile_.dataLayout.getTypeAllocSize(group.type) ||
      memory_.interleaved(*pointer))
    return false;
  if (tile_.forms.form(*pointer) == Form::Affine) {
    group.stride = tile_.forms.stride(*pointer);
    const std::int64_t members = group.stride / bytes;
    if (group.stride == 0 || distance(group.stride) == bytes) return false;
    group.apart = group.stride % bytes != 0 || members < 2 || members > cost::mostGroupMembers ||
                  (members != 3 && !llvm::isPowerOf2_64(static_cast<std::uint64_t>(members)));
  } else {
    group.apart = true;
  }
  group.address = addressOf(*pointer, tile_.dataLayout);
  group.isStore = llvm::isa<llvm::StoreInst>(instruction);
  group.members.push_back({&instruction, group.address.offset});
  return true;
}

/// Whole vectors only where all that lies between is accessed: the memory of a gap may not exist. Otherwise, and for
/// stores where lanes may be inactive and the processor cannot mask such elements, the runs.
void AccessGroups::keepGroup(AccessGroup& group) {
  const auto bytes = tile_.bytesOf(group.type);
  AccessGroup sorted = group;
  llvm::stable_sort(sorted.members,
                    [](const AccessGroup::Member& a, const AccessGroup::Member& b) { return a.offset < b.offset; });
  const auto whole = [&] {
    if (group.apart || (masks_.masked() && group.isStore && !memory_.maskable(group.type)) ||
        static_cast<std::int64_t>(group.members.size()) != group.stride / bytes)
      return false;
    for (std::size_t i = 0; i < group.members.size(); ++i)
      if (sorted.members[i].offset != wrappingSum(sorted.members[0].offset, static_cast<std::int64_t>(i) * bytes))
        return false;
    return true;
  };
  if (whole()) return keepWhole(std::move(sorted));
  const bool dense = group.stride > 0 && group.stride % bytes == 0 && group.stride / bytes <= cost::mostShuffledStride;
  if (!dense || group.isStore || masks_.masked()) keepRuns(sorted);
}

/// Members without gaps between them, by powers of two.
void AccessGroups::keepRuns(const AccessGroup& group) {
  const auto bytes = tile_.bytesOf(group.type);
  const std::size_t count = group.members.size();
  // Two stores to one place have an order.
  for (std::size_t i = 1; i < count; ++i)
    if (wrappingDifference(group.members[i].offset, group.members[i - 1].offset) < bytes && group.isStore) return;
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin + 1;
    while (end < count && group.members[end].offset == wrappingSum(group.members[end - 1].offset, bytes)) ++end;
    const std::size_t length = std::min<std::size_t>(llvm::bit_floor(end - begin), cost::mostGroupMembers);
    if (length > 1) {
      AccessGroup run = group;
      run.apart = true;
      run.members.assign(group.members.begin() + static_cast<std::ptrdiff_t>(begin),
                         group.members.begin() + static_cast<std::ptrdiff_t>(begin + length));
      keepWhole(std::move(run));
    }
    begin += length;
  }
}

/// The first load in the block's order, or the last store, is the trigger.
void AccessGroups::keepWhole(AccessGroup group) {
  const AccessGroup::Member* trigger = group.members.begin();
  for (const AccessGroup::Member& member : group.members)
    if (member.access->comesBefore(trigger->access) != group.isStore && member.access != trigger->access)
      trigger = &member;
  group.trigger = trigger->access;
  group.triggerOffset = trigger->offset;
  groups_.push_back(std::move(group));
}

}  // namespace clarity::compiler
