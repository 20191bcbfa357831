// SPDX-License-Identifier: Apache-2.0
// This file changes cells.
#include "check/kernel/race_cells.h"

#include <algorithm>

namespace clarity::check {
namespace {

using support::RaceCell;

constexpr std::uint64_t bit(unsigned number) { return std::uint64_t{1} << number; }
constexpr std::uint64_t noOther = std::uint64_t{RaceCell::noOther} << RaceCell::otherShift;
constexpr std::uint64_t kept = bit(RaceCell::keptBit), many = bit(RaceCell::manyBit);

/// The segment of words whose bytes have cells of their own, in this launch or an earlier one. No block has it.
constexpr RaceSegment dividedSegment = ~RaceSegment{0};

RaceSegment segmentOf(std::uint64_t cell) { return static_cast<RaceSegment>(cell >> RaceCell::segmentShift); }
bool isWrite(std::uint64_t cell) { return (cell & bit(RaceCell::writeBit)) != 0; }
bool isAtomic(std::uint64_t cell) { return (cell & bit(RaceCell::atomicBit)) != 0; }
std::uint32_t otherOf(std::uint64_t cell) { return cell >> RaceCell::otherShift & RaceCell::noOther; }

std::uint64_t cellOf(const RaceParty& party) {
  return std::uint64_t{party.segment} << RaceCell::segmentShift | std::uint64_t{party.isAtomic} << RaceCell::atomicBit |
         std::uint64_t{party.writes} << RaceCell::writeBit | noOther | party.site;
}

RaceParty partyOf(std::uint64_t cell) {
  return {.segment = segmentOf(cell),
          .site = static_cast<std::uint16_t>(cell & RaceCell::mostSite),
          .isAtomic = isAtomic(cell),
          .writes = isWrite(cell)};
}

}  // namespace

/// Parties of `second` are what the cell had when another access joined it.
struct RaceCells::Visit {
  const RaceThread& thread;
  const Access& access;
  const std::uint32_t launch;
  const Place& place;

  enum class Age : std::uint8_t { Stale, Own, Other };
  Age ageOf(RaceSegment segment) const {
    if (thread.isOwn(segment)) return Age::Own;
    return !access.isLocal && RaceSegments::get().launchOf(segment) == launch ? Age::Other : Age::Stale;
  }

  RaceParty atFirst() const { return partyOf(place.first.load(std::memory_order_relaxed)); }
  RaceParty atSecond() const { return partyOf(place.second.load(std::memory_order_relaxed)); }

  /// The work-items whose accesses a cell of this launch stands for.
  Parties partiesOf(std::uint64_t cell) const {
    Parties all;
    std::array<RaceParty, 2>& accesses = isWrite(cell) ? all.writes : all.reads;
    accesses[0] = partyOf(cell);
    if (accesses[0].segment == access.allGroups) {
      accesses = {atSecond(), atFirst()};
    } else if (const std::uint32_t other = otherOf(cell); other != RaceCell::noOther) {
      accesses[0].segment += other - 2 * thread.items();
      accesses[1] = atSecond();
    } else if (cell & many) {
      accesses[1] = atSecond();
    }
    if (cell & kept)
      if (const RaceParty write = atFirst(); write.writes) all.kept = write;
    return all;
  }

  bool isUnordered(RaceSegment earlier) const {
    if (earlier == access.party.segment) return false;
    switch (ageOf(earlier)) {
      case Age::Stale: return false;
      case Age::Other: return true;
      case Age::Own: break;
    }
    return !thread.isFenced(earlier, access.isLocal) && thread.agentOf(earlier) != access.agent;
  }
  bool conflicts(const RaceParty& earlier) const {
    return earlier.segment != 0 && !(earlier.isAtomic && access.party.isAtomic) && isUnordered(earlier.segment);
  }
  /// One of these that the access races with.
  RaceParty conflictWith(const Parties& parties) const {
    for (const RaceParty& write : {parties.writes[0], parties.writes[1], parties.kept})
      if (conflicts(write)) return write;
    if (access.party.writes)
      for (const RaceParty& read : parties.reads)
        if (conflicts(read)) return read;
    return {};
  }

  bool isOfMany(std::uint64_t cell) const {
    return otherOf(cell) != RaceCell::noOther || segmentOf(cell) == access.allGroups;
  }

  /// Whether a cell stands for a read of the same work-item alone, which was not atomic.
  bool isOwnRead(std::uint64_t cell) const {
    return segmentOf(cell) == access.party.segment && !isWrite(cell) && !isAtomic(cell) && !(cell & (many | kept)) &&
           otherOf(cell) == RaceCell::noOther;
  }

  std::uint64_t fresh() const { return cellOf(access.party); }

  /// The next content of a cell of this launch.
  std::uint64_t following(std::uint64_t cell, Age age, const Parties& parties, const RaceParty& conflict) const {
    const RaceParty& now = access.party;
    if (now.writes) {
      if (now.isAtomic && isOwnRead(cell)) {
        place.first.store(fresh(), std::memory_order_relaxed);
        return cell | kept;
      }
      if (!now.isAtomic || !isWrite(cell)) return fresh();
      if (isAtomic(cell)) return joined(cell, age);
      // A work-item's atomic access does not cover one of its own that is not, which others may race with.
      if (segmentOf(cell) == now.segment) return cell;
      // Nor does it cover a write that a barrier orders ahead of it: for other work-groups the barrier orders nothing.
      if (access.isLocal || age != Age::Own || !thread.isFenced(segmentOf(cell), false)) return fresh();
      place.first.store(cell, std::memory_order_relaxed);
      return fresh() | kept;
    }
    if (conflict.writes) return cell;
    if (!isWrite(cell)) return joined(cell, age);
    if (segmentOf(cell) == now.segment && !isAtomic(cell)) return cell;
    const bool isBefore = age == Age::Own && thread.isFenced(segmentOf(cell), access.isLocal);
    // Whoever races with this atomic read races with one of several atomic writes too.
    if (isOfMany(cell) && now.isAtomic && !isBefore) return cell;
    const RaceParty& write = parties.writes[0];
    if (access.isLocal && thread.isFenced(write.segment, true)) return fresh();
    place.first.store(cellOf(write), std::memory_order_relaxed);
    return fresh() | kept;
  }

  /// The cell of a read that joins reads, or of an atomic write that joins atomic writes.
  std::uint64_t joined(std::uint64_t cell, Age age) const {
    const RaceSegment segment = segmentOf(cell);
    const bool isAlike = isAtomic(cell) == access.party.isAtomic && isAtomic(cell) == isWrite(cell) && !(cell & many);
    const bool isCovered = segment == access.party.segment || segment == access.allGroups ||
                           (segment == thread.shared() && age == Age::Own);
    if (isCovered && (isAlike || (segment == access.party.segment && (!isAtomic(cell) || access.party.isAtomic))))
      return cell;
    const bool isBefore = age == Age::Own && thread.isFenced(segment, access.isLocal);
    if (isBefore && (isAlike || !(cell & many) || isOrderedForAll(atSecond()))) return fresh() | (cell & kept);
    if (!isAlike) return besides(cell);
    if (age == Age::Own) {
      if (segment < thread.first()) return access.party.writes ? fresh() | (cell & kept) : besides(cell);
      if ((cell & kept) && !isOrderedForAll(atFirst())) return besides(cell);
      place.second.store(cell, std::memory_order_relaxed);
      return (fresh() & ~noOther & ~(~std::uint64_t{0} << RaceCell::segmentShift)) | (cell & kept) |
             std::uint64_t{thread.shared()} << RaceCell::segmentShift |
             std::uint64_t{access.agent} << RaceCell::otherShift;
    }
    if (cell & kept) return besides(cell);
    if (otherOf(cell) == RaceCell::noOther) place.second.store(cell, std::memory_order_relaxed);
    place.first.store(fresh(), std::memory_order_relaxed);
    return (fresh() & ~(~std::uint64_t{0} << RaceCell::segmentShift)) | std::uint64_t{access.allGroups}
                                                                            << RaceCell::segmentShift;
  }

  /// A read, beside one of those that the cell stands for.
  std::uint64_t besides(std::uint64_t cell) const {
    if (!isOfMany(cell)) place.second.store(cell & ~kept & ~many, std::memory_order_relaxed);
    return fresh() | many | (cell & kept);
  }

  bool isOrderedForAll(const RaceParty& write) const {
    return ageOf(write.segment) == Age::Own && thread.isFenced(write.segment, access.isLocal);
  }

  /// The access that this one races with; nothing has been done if the word has been divided and is not to be made
  /// whole.
  std::optional<RaceParty> run(bool makesWhole) const {
    for (;;) {
      std::uint64_t cell = place.cell.load(std::memory_order_acquire);
      if (!makesWhole && segmentOf(cell) == dividedSegment) return std::nullopt;
      const Age age = ageOf(segmentOf(cell));
      Parties parties;
      RaceParty conflict;
      if (age != Age::Stale) {
        parties = partiesOf(cell);
        if (place.cell.load(std::memory_order_acquire) != cell) continue;
        conflict = conflictWith(parties);
      }
      const std::uint64_t next = age == Age::Stale ? fresh() : following(cell, age, parties, conflict);
      if (next == cell || place.cell.compare_exchange_strong(cell, next, std::memory_order_acq_rel)) return conflict;
    }
  }
};

RaceCells::Place RaceCells::placeOf(std::uint64_t address) {
  const support::RaceMemory& memory = support::RaceMemory::get();
  const std::uint64_t word = (address & memory.mask) / RaceCell::wordBytes;
  const auto at = [](std::uint64_t place) -> Atomic& {
    return *reinterpret_cast<Atomic*>(place);  // NOLINT(performance-no-int-to-ptr)
  };
  const std::uint64_t beside = memory.kept + word * RaceCell::keptBytes;
  return {at(memory.cells + word * RaceCell::cellBytes), at(beside), at(beside + RaceCell::cellBytes)};
}

std::optional<RaceCells::Conflict> RaceCells::visit(const RaceThread& thread, const Access& access) {
  std::optional<Conflict> first;
  const std::uint64_t end = access.address + access.bytes;
  for (std::uint64_t address = access.address; address < end;) {
    const std::uint64_t next = std::min(end, (address / RaceCell::wordBytes + 1) * RaceCell::wordBytes);
    const std::optional<Conflict> conflict = next - address == RaceCell::wordBytes
                                                 ? visitWord(thread, access, address)
                                                 : visitBytes(thread, access, address, next - address);
    if (!first) first = conflict;
    address = next;
  }
  return first;
}

std::optional<RaceCells::Conflict> RaceCells::visitWord(const RaceThread& thread, const Access& access,
                                                        std::uint64_t address) {
  const Place place = placeOf(address);
  const Visit visit{thread, access, launch_, place};
  std::optional<RaceParty> other = visit.run(/*makesWhole=*/false);
  if (!other) {
    Shard& shard = shardOf(address);
    const std::lock_guard lock(shard.mutex);
    // An earlier launch may have divided it.
    if (!shard.words.contains(address)) other = visit.run(/*makesWhole=*/true);
  }
  if (!other) return visitBytes(thread, access, address, RaceCell::wordBytes);
  if (other->segment == 0) return std::nullopt;
  return Conflict{.other = *other, .address = address};
}

std::optional<RaceCells::Conflict> RaceCells::visitBytes(const RaceThread& thread, const Access& access,
                                                         std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t word = address / RaceCell::wordBytes * RaceCell::wordBytes;
  Bytes& all = divide(placeOf(word), word);
  std::optional<Conflict> first;
  for (; bytes > 0; --bytes, ++address) {
    const std::size_t i = address - word;
    const Place place{all.cells[i], all.first[i], all.second[i]};
    const RaceParty other = Visit{thread, access, launch_, place}.run(/*makesWhole=*/true).value();
    if (other.segment != 0 && !first) first = {.other = other, .address = address};
  }
  return first;
}

RaceCells::Bytes& RaceCells::divide(const Place& place, std::uint64_t address) {
  Shard& shard = shardOf(address);
  const std::lock_guard lock(shard.mutex);
  std::unique_ptr<Bytes>& bytes = shard.words[address];
  if (!bytes) bytes = std::make_unique<Bytes>();
  for (;;) {
    std::uint64_t cell = place.cell.load(std::memory_order_acquire);
    if (segmentOf(cell) == dividedSegment) return *bytes;
    for (std::size_t i = 0; i < bytes->cells.size(); ++i) {
      bytes->cells[i].store(cell, std::memory_order_relaxed);
      bytes->first[i].store(place.first.load(std::memory_order_relaxed), std::memory_order_relaxed);
      bytes->second[i].store(place.second.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    const std::uint64_t now = std::uint64_t{dividedSegment} << RaceCell::segmentShift | noOther;
    if (place.cell.compare_exchange_strong(cell, now, std::memory_order_acq_rel)) return *bytes;
  }
}

}  // namespace clarity::check
