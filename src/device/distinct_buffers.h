// SPDX-License-Identifier: Apache-2.0
// This file tells whether the buffers of a launch are distinct, for which devices compile faster code
// (compiler::Shape::distinctBuffers).
#pragma once

#include "device/executable.h"
#include "support/inline_vector.h"

#include <cstddef>
#include <cstdint>

namespace clarity::device {

/// Addresses on the device, from `begin` up to `end`.
struct AddressRange {
  std::uint64_t begin = 0, end = 0;
  bool overlaps(const AddressRange& other) const { return begin < other.end && other.begin < end; }
};

/// The range that a kernel may access through a pointer to shared memory: all of it, also what lies before the pointer.
inline AddressRange wholeMemoryOf(const BufferArgument& buffer, std::uint64_t address) {
  const std::uint64_t begin = address - buffer.memory.offset;
  return {begin, begin + buffer.memory.allocation->bytes()};
}

/// Buffers that are compared, each with each, when a kernel is launched.
inline constexpr std::size_t mostBuffersCompared = 32;

/// Whether a launch has several buffers, and no two of them overlap, but for such as the kernel can write neither of;
/// false of launches with more than mostBuffersCompared. `addressOf` tells where a buffer argument begins; it is not
/// asked of one that has no allocation yet, which is taken to be distinct.
template <class AddressOf>
bool hasDistinctBuffers(const Launch& launch, const AddressOf& addressOf) {
  if (launch.buffers.size() < 2 || launch.buffers.size() > mostBuffersCompared || launch.hasOtherPointers) return false;
  support::InlineVector<AddressRange, 8> ranges;
  for (const BufferArgument& buffer : launch.buffers) {
    AddressRange range;
    if (buffer.memory.allocation) {
      const std::uint64_t address = addressOf(buffer);
      range = buffer.isInside ? wholeMemoryOf(buffer, address) : AddressRange{address, address + buffer.bytes};
    }
    for (std::size_t i = 0; i < ranges.size(); ++i)
      if (range.overlaps(ranges[i]) && !(buffer.readOnly && launch.buffers[i].readOnly)) return false;
    ranges.push_back(range);
  }
  return true;
}

}  // namespace clarity::device
