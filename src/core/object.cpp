// SPDX-License-Identifier: Apache-2.0
// This file is the memory of API objects: slabs that are never given back, so that a stale handle is recognised.
#include "core/object.h"

#include <new>

namespace clarity::core {

void* ObjectPool::allocate() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    constexpr std::size_t kPerSlab = 32;
    // Room for every slot is reserved before any is handed out, so that release() never needs memory.
    free_.reserve(slots_ + kPerSlab);
    auto* const slab = static_cast<std::byte*>(::operator new(kPerSlab * objectSize_, std::align_val_t{64}));
    slots_ += kPerSlab;
    for (std::size_t i = kPerSlab; i-- > 0;) free_.push_back(slab + i * objectSize_);
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
