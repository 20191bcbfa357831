// SPDX-License-Identifier: Apache-2.0
// This file finds buffers by the addresses that they have for kernels (cl_ext_buffer_device_address).
#pragma once

#include "core/ref.h"
#include "core/residency.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string_view>
#include <vector>

namespace clarity::core {

class Memory;

inline constexpr std::string_view deviceAddressExtension = "cl_ext_buffer_device_address";

/// A place in a buffer.
struct AddressedPlace {
  Ref<Memory> memory;  ///< the buffer, no part of one
  std::size_t offset = 0;
};

/// The buffers of a context of several places whose addresses do not change: a kernel that is given such an address
/// uses the buffer, whose content has to be where the kernel runs. Keeps none of them. Thread-safe.
class DeviceAddresses {
public:
  /// The buffer begins at this address for kernels that run in this place. It calls remove() before it is destroyed.
  void add(Residency::Place, std::uintptr_t address, Memory&);
  void remove(const Memory&);
  /// The buffer that an address, which may be any, is in. Nothing if it is in none.
  std::optional<AddressedPlace> find(Residency::Place, std::uintptr_t address) const;

private:
  mutable std::shared_mutex mutex_;
  std::vector<std::map<std::uintptr_t, Memory*>> buffers_;  ///< by place; by first address
};

}  // namespace clarity::core
