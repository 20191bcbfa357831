// SPDX-License-Identifier: Apache-2.0
// This file plans operations: launches are divided, transfers and fills go to the parts that have or use the memory.
#include "device/joined/plan.h"

#include "device/joined/division.h"

#include <CL/cl.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace clarity::device::joined {
namespace {

using support::Interval;

JoinedAllocation* ours(const Location& location) { return static_cast<JoinedAllocation*>(location.allocation); }

/// A location as a part has it.
Location onPart(const Location& location, PartIndex part, std::size_t further = 0) {
  if (!location.allocation) return Location::inHost(location.host + further);
  return {.allocation = &ours(location)->copy(part), .offset = location.offset + further};
}

/// Bytes that a rectangle lies in.
std::size_t extentOf(const RectCopy& copy, bool isTarget) {
  const std::size_t row = isTarget ? copy.toRowPitch : copy.fromRowPitch;
  const std::size_t slice = isTarget ? copy.toSlicePitch : copy.fromSlicePitch;
  return (copy.region[2] - 1) * slice + (copy.region[1] - 1) * row + copy.region[0];
}

class Planner {
public:
  explicit Planner(Parts& parts) : parts_(parts) {}

  void operator()(const Launch& launch) {
    Division division = divide(launch, parts_);
    auto& executable = static_cast<JoinedExecutable&>(*launch.executable);
    if (parts_.rule.kind == ShareRule::Kind::Measured && !launch.observer)
      plan_.kernel = executable.kernelOf(*launch.info);
    const bool isDivided = division.shares.size() > 1;
    for (const Share& share : division.shares) {
      Launch own = launchOn(share.part, launch, parts_);
      if (isDivided) keepGroups(own, share.groups);
      plan_.operations.push_back({.part = share.part, .operation = std::move(own), .items = share.items});
      for (const RangeUse& use : share.uses) need(share.part, use, isDivided);
    }
  }

  void operator()(const Sequence& sequence) {
    std::vector<RangeUse> uses;
    bool hasVariables = false;
    for (const Launch& each : sequence.launches) {
      hasVariables |= static_cast<JoinedExecutable&>(*each.executable).compiled().scope.variables.bytes > 0;
      if (!parts_.shareMemory) addUses(each, uses);
    }
    const PartIndex part = hasVariables ? 0 : partWithMost(uses, parts_.count());
    Sequence own;
    for (const Launch& each : sequence.launches) own.launches.push_back(launchOn(part, each, parts_));
    for (const RangeUse& use : uses) need(part, use, false);
    plan_.operations.push_back({.part = part, .operation = std::move(own)});
  }

  void operator()(const Copy& copy) {
    const Location& guide = copy.from.allocation ? copy.from : copy.to;
    if (!guide.allocation) return whole(copy);
    const Interval range{guide.offset, guide.offset + copy.bytes};
    const bool isRead = copy.from.allocation != nullptr;
    for (const auto& [part, piece] : isRead ? ours(guide)->whereIs(range) : ours(guide)->usersOf(range)) {
      const std::size_t further = piece.begin - range.begin;
      plan_.operations.push_back(
          {.part = part,
           .operation = Copy{
               .to = onPart(copy.to, part, further), .from = onPart(copy.from, part, further), .bytes = piece.size()}});
      if (isRead) plan_.needs.push_back({.allocation = ours(copy.from), .part = part, .range = piece});
      if (copy.to.allocation) overwrite(copy.to, part, further, piece.size());
    }
  }

  void operator()(const RectCopy& copy) {
    std::vector<RangeUse> uses;
    for (const bool isTarget : {false, true}) {
      const Location& end = isTarget ? copy.to : copy.from;
      if (end.allocation) uses.push_back({ours(end), {end.offset, end.offset + extentOf(copy, isTarget)}, isTarget});
    }
    const PartIndex part = partWithMost(uses, parts_.count());
    RectCopy own = copy;
    own.to = onPart(copy.to, part);
    own.from = onPart(copy.from, part);
    plan_.operations.push_back({.part = part, .operation = own});
    for (const RangeUse& use : uses) need(part, use, false);
  }

  void operator()(const Fill& fill) {
    if (!fill.to.allocation) return whole(fill);
    const std::size_t begin = fill.to.offset;
    if (fill.rows > 1 || fill.slices > 1) {
      const std::size_t bytes = (fill.slices - 1) * fill.slicePitch + (fill.rows - 1) * fill.rowPitch + fill.bytes;
      const RangeUse use{ours(fill.to), {begin, begin + bytes}, true};
      const PartIndex part = partWithMost({use}, parts_.count());
      Fill own = fill;
      own.to = onPart(fill.to, part);
      plan_.operations.push_back({.part = part, .operation = own});
      return need(part, use, false);
    }
    // Patterns stay whole.
    const auto roundedTo = [&](std::size_t at) { return (at - begin) / fill.patternBytes * fill.patternBytes; };
    for (const auto& [part, piece] : ours(fill.to)->usersOf({begin, begin + fill.bytes})) {
      const std::size_t from = roundedTo(piece.begin);
      const std::size_t bytes = piece.end == begin + fill.bytes ? fill.bytes - from : roundedTo(piece.end) - from;
      if (bytes == 0) continue;
      Fill own = fill;
      own.to = onPart(fill.to, part, from);
      own.bytes = bytes;
      plan_.operations.push_back({.part = part, .operation = own});
      overwrite(fill.to, part, from, bytes);
    }
  }

  void operator()(const HostFunction& function) {
    if (function.pointers.empty()) return whole(function);
    plan_.result = {CL_INVALID_OPERATION, "the host cannot access the memory of a joined device's parts"};
  }
  void operator()(const Replay&) { plan_.result = {CL_INVALID_OPERATION, "a joined device makes no recordings"}; }
  void operator()(const Move&) {}  // a hint

  Plan take() { return std::move(plan_); }

private:
  void whole(const Operation& operation) { plan_.operations.push_back({.part = 0, .operation = operation}); }

  void need(PartIndex part, const RangeUse& use, bool isOwn) {
    plan_.needs.push_back({.allocation = use.allocation,
                           .part = part,
                           .range = use.range,
                           .content = true,
                           .isWrite = use.isWrite,
                           .isOwn = isOwn});
  }

  void overwrite(const Location& to, PartIndex part, std::size_t further, std::size_t bytes) {
    plan_.needs.push_back({.allocation = ours(to),
                           .part = part,
                           .range = {to.offset + further, to.offset + further + bytes},
                           .content = false,
                           .isWrite = true});
  }

  Parts& parts_;
  Plan plan_;
};

}  // namespace

Plan planOf(const Operation& operation, Parts& parts) {
  Planner planner(parts);
  std::visit(planner, operation);
  return planner.take();
}

}  // namespace clarity::device::joined
