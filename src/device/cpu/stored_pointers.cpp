// SPDX-License-Identifier: Apache-2.0
// This file keeps the objects of pointers that instrumented code stores in private and local memory. A thread's table
// has a place for each address by its bits, and forgets what was there before: then the address alone counts.
#include "device/cpu/observation.h"
#include "support/observer_hooks.h"

#include <array>
#include <cstdint>
#include <memory>

namespace {

struct Stored {
  std::uint64_t place = 0, address = 0, begin = 0, bytes = 0;
};
constexpr std::size_t entries = 4096;
constexpr std::uint64_t pointerBytes = 8;
using Table = std::array<Stored, entries>;

Table& table() {
  thread_local const auto own = std::make_unique<Table>();
  return *own;
}
Stored& entryOf(std::uint64_t place) { return table()[place / pointerBytes % entries]; }

/// So far from the one that was stored a pointer may be, where it was changed in memory as an integer.
constexpr std::uint64_t mostMoved = 4096;

/// Null: it is not known.
const Stored* find(std::uint64_t place, std::uint64_t address) {
  const Stored& stored = entryOf(place);
  if (stored.place != place) return nullptr;
  if (stored.address == address) return &stored;
  const bool isNear = address - stored.address < mostMoved || stored.address - address < mostMoved;
  return isNear && __clarity_object_begin(address) == 0 ? &stored : nullptr;
}

}  // namespace

void __clarity_pointer_stored(std::uint64_t place, std::uint64_t address, std::uint64_t begin, std::uint64_t bytes) {
  entryOf(place) = {place, address, begin, bytes};
}

void __clarity_pointers_copied(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  for (std::uint64_t at = 0; at + pointerBytes <= bytes; at += pointerBytes) {
    const Stored stored = entryOf(from + at);
    if (stored.place == from + at)
      entryOf(to + at) = {to + at, stored.address, stored.begin, stored.bytes};
    else if (entryOf(to + at).place == to + at)
      entryOf(to + at) = {};
  }
}

std::uint64_t __clarity_stored_begin(std::uint64_t place, std::uint64_t address) {
  const Stored* const stored = find(place, address);
  return stored ? stored->begin : __clarity_object_begin(address);
}

std::uint64_t __clarity_stored_bytes(std::uint64_t place, std::uint64_t address, std::uint32_t access) {
  const Stored* const stored = find(place, address);
  if (!stored) return __clarity_object_bytes(address, access);
  // The flags of a buffer that it is in.
  return stored->bytes && __clarity_object_bytes(stored->begin, access) == 0 ? 0 : stored->bytes;
}
