// SPDX-License-Identifier: Apache-2.0
// This file implements object_pool.h: slots are taken from slabs, and slabs found by a hash of their address.
#include "core/object_pool.h"

#include <cstring>
#include <mutex>
#include <new>

namespace clarity::core {

ObjectPool::ObjectPool(std::size_t objectSize) : objectSize_((objectSize + slotAlignment - 1) & ~(slotAlignment - 1)) {
  for (std::size_t offset = 0; offset + objectSize_ <= slabBytes; offset += objectSize_)
    slotStarts_[offset / slotAlignment / 64] |= std::uint64_t{1} << offset / slotAlignment % 64;
  sets_.push_back(std::make_unique<SlabSet>(3));
  slabs_.store(sets_.back().get(), std::memory_order_release);
}

void ObjectPool::SlabSet::add(std::uintptr_t slab) noexcept {
  std::size_t i = first(slab);
  while (places[i].load(std::memory_order_relaxed)) i = (i + 1) & (places.size() - 1);
  places[i].store(slab, std::memory_order_release);
  ++count;
}

void ObjectPool::addSlab() {
  const std::size_t perSlab = slabBytes / objectSize_;
  // Room for every slot is reserved before any is handed out, so that release() never needs memory.
  free_.reserve(slots_ + perSlab);
  SlabSet* set = sets_.back().get();
  if (2 * (set->count + 1) > set->places.size()) {
    auto larger = std::make_unique<SlabSet>(64 - set->shift + 1);
    for (const auto& place : set->places)
      if (const std::uintptr_t slab = place.load(std::memory_order_relaxed)) larger->add(slab);
    set = larger.get();
    sets_.push_back(std::move(larger));
  }
  auto* const slab = static_cast<std::byte*>(::operator new(slabBytes, std::align_val_t{slabBytes}));
  std::memset(slab, 0, slabBytes);  // a slot that no object was in yet has no tag
  slots_ += perSlab;
  for (std::size_t i = perSlab; i-- > 0;) free_.push_back(slab + i * objectSize_);
  set->add(reinterpret_cast<std::uintptr_t>(slab));
  slabs_.store(set, std::memory_order_release);
}

void* ObjectPool::allocate() {
  const std::lock_guard lock(mutex_);
  if (free_.size() <= keptFree) addSlab();
  if (keptFree != 0) {
    void* const oldest = free_.front();
    free_.erase(free_.begin());
    return oldest;
  }
  void* const memory = free_.back();
  free_.pop_back();
  return memory;
}

void ObjectPool::release(void* memory) noexcept {
  const std::lock_guard lock(mutex_);
  free_.push_back(memory);
}

}  // namespace clarity::core
