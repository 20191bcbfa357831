// SPDX-License-Identifier: Apache-2.0
// This file decides where buffers lie.
#include "device/cpu/allocator.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace clarity::device::cpu {
namespace {

/// Buffers from this size on begin at places of their own within a page. Processors compare the place of a load with
/// those of earlier stores by its place in a page first: what is read from one buffer would wait for what was just
/// written to another, at the same index and a line away, and rows of several buffers would fight for one set of the
/// nearest cache.
constexpr std::size_t apartFrom = 32u << 10;

/// Smaller buffers with pages of their own: 4 MiB for the smallest.
constexpr std::size_t mostSmallPieces = 1024;

/// The distance of the end of a buffer of so many bytes from the end of its last page, so that it begins at the next
/// place.
std::size_t nextDistance(std::size_t bytes) {
  constexpr std::size_t page = 4096, places = page / Allocator::alignment;
  constexpr std::size_t step = 9;  // neither close to each other nor, soon, the same
  static std::atomic<std::size_t> count{0};
  const std::size_t place = count.fetch_add(1, std::memory_order_relaxed) * step % places * Allocator::alignment;
  return -(bytes + place) % page;
}

}  // namespace

bool Allocator::place(Block& block, std::size_t bytes) {
  const std::size_t room = roundUp(std::max<std::size_t>(bytes, 1), alignment);
  if (room >= apartFrom) {
    block.piece = range_.take(room + pageSize());
    if (block.piece) block.memory = block.piece.end() - nextDistance(room) - room;
    return block.memory != nullptr;
  }
  if (range_.bytes() > 0 && smallPieces_.fetch_add(1, std::memory_order_relaxed) < mostSmallPieces)
    block.piece = range_.take(room);
  if (block.piece) {
    block.memory = block.piece.end() - room;
    return true;
  }
  if (range_.bytes() > 0) smallPieces_.fetch_sub(1, std::memory_order_relaxed);
  const Slabs::Place found = slabs_.take(room);
  block.memory = found.begin;
  block.slab = found.slab;
  return block.memory != nullptr;
}

Allocator::Block Allocator::allocate(std::size_t bytes) noexcept {
  const std::size_t room =
      roundUp(std::max<std::size_t>(bytes, 1), bytes >= hugePageBytes ? std::size_t{4096} : alignment);
  if (room < bytes || room > SIZE_MAX - 2 * pageSize()) return {};
  if (used_.fetch_add(room, std::memory_order_relaxed) + room > limit_) {
    used_.fetch_sub(room, std::memory_order_relaxed);
    return {};
  }
  Block block{.memory = nullptr, .bytes = room, .slab = nullptr, .piece = {}};
  try {
    if (place(block, bytes)) return block;
  } catch (const std::bad_alloc&) {
  }
  used_.fetch_sub(room, std::memory_order_relaxed);
  return {};
}

Allocator::Block Allocator::allocateZeroed(std::size_t bytes) noexcept {
  const Block block = allocate(bytes);
  if (block && !block.piece.zero) std::memset(block.memory, 0, bytes);
  return block;
}

void Allocator::free(const Block& block) {
  if (!block) return;
  if (block.slab) slabs_.release({block.memory, block.slab});
  range_.release(block.piece);
  if (block.piece && block.bytes < apartFrom) smallPieces_.fetch_sub(1, std::memory_order_relaxed);
  used_.fetch_sub(block.bytes, std::memory_order_relaxed);
}

}  // namespace clarity::device::cpu
