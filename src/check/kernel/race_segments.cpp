// SPDX-License-Identifier: Apache-2.0
// This file counts blocks of segments.
#include "check/kernel/race_segments.h"

#include <mutex>

namespace clarity::check {

RaceSegments& RaceSegments::get() {
  // Never destroyed: launches may run until the process is gone.
  static RaceSegments& instance = *new RaceSegments;
  return instance;
}

RaceSegment RaceSegments::takeBlock(std::uint32_t launch) {
  for (;;) {
    const std::uint32_t block = next_.fetch_add(1, std::memory_order_relaxed);
    if (block < blocks) {
      owners_[block].store(launch, std::memory_order_relaxed);
      return block << blockBits;
    }
    users_.unlock_shared();
    beginAnew();
    users_.lock_shared();
  }
}

void RaceSegments::beginAnew() {
  const std::lock_guard lock(users_);
  if (next_.load(std::memory_order_relaxed) < blocks) return;  // another thread has done it
  support::RaceMemory::get().clear();
  for (std::atomic<std::uint32_t>& owner : owners_) owner.store(0, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_relaxed);
  next_.store(1, std::memory_order_relaxed);
}

}  // namespace clarity::check
