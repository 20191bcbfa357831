// SPDX-License-Identifier: Apache-2.0
// This file divides launches.
#include "device/joined/division.h"

#include "device/observer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace clarity::device::joined {
namespace {

using support::Interval;

/// A launch of unknown cost is divided if it has so many work-items, one of known cost if it takes so many nanoseconds:
/// a launch on one more part costs ten microseconds or so.
constexpr double leastItems = 16'384, leastTime = 100'000;
/// Neighbouring work-groups that stay together where there are plenty, and how many such units a part has then.
constexpr std::size_t mostTogether = 256, leastUnits = 32;
/// Work-items along the first dimension, and along others, of which GPUs execute whole multiples faster; where each
/// part has so many of these.
constexpr std::size_t itemsOfTile = 1024, rowsOfTile = 64, leastTiles = 4;

double itemsOf(const NDRange& range) {
  double items = 1;
  for (const std::size_t size : range.global) items *= static_cast<double>(size);
  return items;
}

std::size_t groupsOf(const NDRange& range, std::size_t d) { return (range.global[d] - 1) / range.local[d] + 1; }

/// Neighbouring work-groups along a dimension that stay together.
std::size_t groupsTogether(const NDRange& range, std::size_t d, std::size_t parts) {
  const std::size_t groups = groupsOf(range, d);
  const std::size_t together = std::bit_floor(std::clamp<std::size_t>(groups / (parts * leastUnits), 1, mostTogether));
  const std::size_t items = d == 0 ? itemsOfTile : rowsOfTile;
  const std::size_t ofTile = std::lcm(range.local[d], items) / range.local[d];
  return together % ofTile != 0 && ofTile <= groups / (parts * leastTiles) ? ofTile : together;
}

/// The part of a buffer that a range from where the argument points means.
RangeUse useOf(const BufferArgument& buffer, const compiler::AccessedRange& accessed) {
  const auto limit = [&](std::int64_t at) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, static_cast<std::int64_t>(buffer.bytes)));
  };
  const std::size_t offset = buffer.memory.offset;
  return {.allocation = static_cast<JoinedAllocation*>(buffer.memory.allocation),
          .range = {offset + limit(accessed.begin), offset + limit(accessed.end)},
          .isWrite = accessed.isWrite && !buffer.readOnly};
}

/// Whether two shares write one byte.
bool writeTheSame(const std::vector<Share>& shares) {
  struct Write {
    const JoinedAllocation* allocation;
    Interval range;
    PartIndex part;
  };
  std::vector<Write> writes;
  for (const Share& share : shares)
    for (const RangeUse& use : share.uses)
      if (use.isWrite && !use.range.empty()) writes.push_back({use.allocation, use.range, share.part});
  for (std::size_t i = 0; i < writes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (writes[i].part != writes[j].part && writes[i].allocation == writes[j].allocation &&
          writes[i].range.intersects(writes[j].range))
        return true;
  return false;
}

std::size_t missingBytes(PartIndex part, const std::vector<RangeUse>& uses) {
  std::size_t bytes = 0;
  for (const RangeUse& use : uses) bytes += use.allocation->missing(part, use.range);
  return bytes;
}

class Divider {
public:
  Divider(const Launch& launch, Parts& parts)
      : launch_(launch),
        parts_(parts),
        executable_(static_cast<JoinedExecutable&>(*launch.executable)),
        kernel_(executable_.kernelOf(*launch.info)) {}

  Division run() {
    Division division;
    division.objection = objection();
    if (division.objection.empty() && isLarge() && cut(division) && pays(division.shares)) return division;
    const std::string why = std::move(division.objection);
    division = whole();
    division.objection = why;
    return division;
  }

private:
  bool isMeasured() const { return parts_.rule.kind == ShareRule::Kind::Measured; }

  /// The reason why it cannot be divided, as far as that is known without its accesses.
  std::string objection() const {
    const compiler::KernelInfo& info = *launch_.info;
    if (!kernel_) return "it is no kernel of the program";
    if (launch_.observer) return "it is observed";
    if (info.usesPrintf) return "it prints";
    if (info.enqueues) return "it enqueues kernels";
    if (executable_.compiled().scope.variables.bytes > 0) return "its program has variables in global memory";
    if (parts_.count() < 2) return "there is one part";
    return {};
  }

  bool isLarge() const {
    const double items = itemsOf(launch_.range);
    if (!isMeasured()) return items > 0;
    if (!kernel_->speeds.areKnown()) return items >= leastItems;
    return kernel_->speeds.timeOf(kernel_->speeds.fastest(), items) >= leastTime;
  }

  /// Divides along the highest dimension that can be: rows of memory then stay together. False if there is none, and
  /// the objection says why.
  bool cut(Division& division) {
    if (parts_.rule.kind == ShareRule::Kind::Random && parts_.dice.below(8) == 0) return false;
    const compiler::AccessSummary& accesses = kernel_->accesses(executable_.compiled(), *launch_.info);
    if (!parts_.shareMemory) division.objection = accesses.objection;
    if (parts_.shareMemory && accesses.mayWait) division.objection = "its work-groups may wait for each other";
    if (!division.objection.empty()) return false;
    bool hasSeveral = false;
    for (const std::size_t d : {2U, 1U, 0U}) {
      if (groupsOf(launch_.range, d) < 2) continue;
      hasSeveral = true;
      division.shares = sharesAlong(d);
      if (parts_.shareMemory || !writeTheSame(division.shares)) return true;
    }
    division.objection = hasSeveral ? "its work-groups write overlapping ranges" : "it has one work-group";
    return false;
  }

  std::vector<std::size_t> boundaries(std::size_t d) {
    const std::size_t groups = groupsOf(launch_.range, d), parts = parts_.count();
    std::vector<std::size_t> at;
    if (parts_.rule.kind == ShareRule::Kind::Random) {
      at = {0, groups};
      while (at.size() <= parts) at.push_back(parts_.dice.below(groups + 1));
      std::ranges::sort(at);
      return at;
    }
    const std::size_t together = groupsTogether(launch_.range, d, parts);
    at = kernel_->speeds.cut((groups + together - 1) / together, d);
    for (std::size_t& each : at) each = std::min(groups, each * together);
    return at;
  }

  std::vector<Share> sharesAlong(std::size_t d) {
    const std::vector<std::size_t> at = boundaries(d);
    std::vector<Share> shares;
    std::vector<GroupBox> boxes;
    const double perGroup = itemsOf(launch_.range) / static_cast<double>(groupsOf(launch_.range, d));
    for (PartIndex part = 0; part < parts_.count(); ++part) {
      if (at[part] == at[part + 1]) continue;
      GroupBox box;
      for (std::size_t other = 0; other < 3; ++other) box.count[other] = groupsOf(launch_.range, other);
      box.first[d] = at[part];
      box.count[d] = at[part + 1] - at[part];
      boxes.push_back(box);
      shares.push_back(
          {.part = part, .groups = box, .items = perGroup * static_cast<double>(box.count[d]), .uses = {}});
    }
    if (!parts_.shareMemory) addRanges(shares, boxes);
    return shares;
  }

  void addRanges(std::vector<Share>& shares, const std::vector<GroupBox>& boxes) {
    const auto ranges = kernel_->rangesOf(executable_.compiled(), launch_, boxes);
    for (std::size_t i = 0; i < shares.size(); ++i)
      for (const compiler::AccessedRange& each : (*ranges)[i]) {
        const auto buffer = std::ranges::find(launch_.buffers, each.argument, &BufferArgument::argument);
        if (buffer == launch_.buffers.end()) continue;  // NULL: what accesses it has no defined result
        const RangeUse use = useOf(*buffer, each);
        if (!use.range.empty()) shares[i].uses.push_back(use);
      }
  }

  /// Whether the launch ends sooner divided, with the time that content needs to get to where it is used.
  bool pays(const std::vector<Share>& shares) {
    if (shares.size() < 2) return false;
    if (!isMeasured() || !kernel_->speeds.areKnown()) return true;
    const double items = itemsOf(launch_.range);
    double divided = 0, moving = 0;
    for (const Share& share : shares) {
      divided = std::max(divided, kernel_->speeds.timeOf(share.part, share.items));
      if (!parts_.shareMemory) moving += timeToMove(missingBytes(share.part, share.uses));
    }
    return kernel_->speeds.isWorth(kernel_->speeds.timeOf(kernel_->speeds.fastest(), items) - divided, moving);
  }

  double timeToMove(std::size_t bytes) const {
    return static_cast<double>(bytes) / parts_.bytesPerNanosecond.load(std::memory_order_relaxed);
  }

  /// Kernels of programs with variables all run on the first part: it has the variables. So do those with atomic
  /// accesses to global memory: what several command-queues count in one word has one memory.
  Division whole() {
    Share share;
    share.items = itemsOf(launch_.range);
    if (!parts_.shareMemory) addUses(launch_, share.uses);
    if (executable_.compiled().scope.variables.bytes == 0 && kernel_ && !launch_.observer && !sharesMemory())
      choosePart(share);
    Division division;
    division.shares.push_back(std::move(share));
    return division;
  }

  bool sharesMemory() {
    return !parts_.shareMemory && kernel_->accesses(executable_.compiled(), *launch_.info).sharesMemory;
  }

  void choosePart(Share& share) {
    if (parts_.rule.kind == ShareRule::Kind::Random) {
      share.part = static_cast<PartIndex>(parts_.dice.below(parts_.count()));
      return;
    }
    double least = 0;
    for (PartIndex part = 0; part < parts_.count(); ++part) {
      const double moving = parts_.shareMemory ? 0 : timeToMove(missingBytes(part, share.uses));
      const double time = kernel_->speeds.timeOf(part, share.items) + moving;
      if (part != 0 && time >= least) continue;
      least = time;
      share.part = part;
    }
  }

  const Launch& launch_;
  Parts& parts_;
  JoinedExecutable& executable_;
  JoinedKernel* kernel_;
};

}  // namespace

Division divide(const Launch& launch, Parts& parts) { return Divider(launch, parts).run(); }

void addUses(const Launch& launch, std::vector<RangeUse>& uses) {
  for (const BufferArgument& buffer : launch.buffers)
    if (buffer.memory.allocation)
      uses.push_back({.allocation = static_cast<JoinedAllocation*>(buffer.memory.allocation),
                      .range = {buffer.memory.offset, buffer.memory.offset + buffer.bytes},
                      .isWrite = !buffer.readOnly});
}

PartIndex partWithMost(const std::vector<RangeUse>& uses, PartIndex parts) {
  PartIndex best = 0;
  std::size_t least = ~std::size_t{0};
  for (PartIndex part = 0; part < parts; ++part) {
    const std::size_t missing = missingBytes(part, uses);
    if (missing >= least) continue;
    least = missing;
    best = part;
  }
  return best;
}

}  // namespace clarity::device::joined
