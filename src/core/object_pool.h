// SPDX-License-Identifier: Apache-2.0
// This file is the memory of API objects: slabs that are never given back, so that a stale handle is recognised.
#pragma once

#include "support/spin_lock.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace clarity::core {

/// Memory for the objects of one class, never given back: a handle that the application has released still points
/// at an object header, whose dispatch pointer leads the loader to us and whose cleared tag makes us return
/// CL_INVALID_<OBJECT> instead of crashing.
///
/// Objects lie in slabs whose addresses are known, so that whether a handle is one of ours is found out from its value:
/// nothing is read through a handle before.
class ObjectPool {
public:
  static constexpr std::size_t slabBytes = 16384;  ///< and the alignment of slabs
  static constexpr std::size_t slotAlignment = 64;

  /// So many slots that objects have left stay free before the first of them is used again: for checks of the host
  /// program, which know handles that were released as long as they are not used again. Set when the driver is loaded.
  static inline std::size_t keptFree = 0;

  explicit ObjectPool(std::size_t objectSize);
  void* allocate();
  void release(void* memory) noexcept;
  /// Whether the address is that of a slot: then there is memory that an object is in, was in, or will be in. Any
  /// address may be asked about, by any thread; nothing there is read.
  bool holds(const void* address) const noexcept {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    const std::uintptr_t slab = value & ~std::uintptr_t{slabBytes - 1};
    const std::size_t offset = value - slab, unit = offset / slotAlignment;
    const bool isSlot = offset % slotAlignment == 0 && (slotStarts_[unit / 64] >> unit % 64 & 1);
    return isSlot && slabs_.load(std::memory_order_acquire)->contains(slab);
  }

private:
  /// A hash table of addresses. It is never changed but by adding, and replaced by a larger one when it is half full.
  struct SlabSet {
    explicit SlabSet(unsigned bits) : shift(64 - bits), places(std::size_t{1} << bits) {}
    bool contains(std::uintptr_t slab) const noexcept {
      if (places[first(slab)].load(std::memory_order_relaxed) == slab) [[likely]]
        return true;
      for (std::size_t i = first(slab);; i = (i + 1) & (places.size() - 1)) {
        const std::uintptr_t found = places[i].load(std::memory_order_relaxed);
        if (found == 0) return false;
        if (found == slab) return true;
      }
    }
    void add(std::uintptr_t slab) noexcept;
    std::size_t first(std::uintptr_t slab) const noexcept {
      return static_cast<std::size_t>(slab / slabBytes * 0x9E3779B97F4A7C15u >> shift);
    }
    unsigned shift;
    std::size_t count = 0;
    std::vector<std::atomic<std::uintptr_t>> places;  ///< 0: free
  };

  void addSlab();

  const std::size_t objectSize_;
  std::array<std::uint64_t, slabBytes / slotAlignment / 64> slotStarts_{};  ///< a bit for each 64 bytes of a slab
  std::atomic<SlabSet*> slabs_;
  support::SpinLock mutex_;  ///< guards what follows
  std::size_t slots_ = 0;
  std::vector<void*> free_;
  std::vector<std::unique_ptr<SlabSet>> sets_;  ///< replaced ones too: another thread may be looking into one
};

}  // namespace clarity::core
