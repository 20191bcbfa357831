// SPDX-License-Identifier: Apache-2.0
// This file keeps the list of a context's buffers that have addresses for kernels.
#include "core/device_addresses.h"

#include "core/memory.h"

namespace clarity::core {

void DeviceAddresses::add(Residency::Place place, std::uintptr_t address, Memory& memory) {
  const std::lock_guard lock(mutex_);
  if (buffers_.size() <= place) buffers_.resize(place + 1);
  buffers_[place].emplace(address, &memory);
}

void DeviceAddresses::remove(const Memory& memory) {
  const std::lock_guard lock(mutex_);
  for (auto& buffers : buffers_) std::erase_if(buffers, [&](const auto& each) { return each.second == &memory; });
}

std::optional<AddressedPlace> DeviceAddresses::find(Residency::Place place, std::uintptr_t address) const {
  const std::shared_lock lock(mutex_);
  if (place >= buffers_.size()) return std::nullopt;
  auto found = buffers_[place].upper_bound(address);
  if (found == buffers_[place].begin()) return std::nullopt;
  --found;
  Memory& memory = *found->second;
  const std::size_t offset = address - found->first;
  // One that is being destroyed waits for the lock before it leaves the list.
  if (offset >= memory.size() || !memory.tryRetainInternal()) return std::nullopt;
  return AddressedPlace{*RefPtr<Memory>::adopt(&memory), offset};
}

}  // namespace clarity::core
