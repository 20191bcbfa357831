// SPDX-License-Identifier: Apache-2.0
// This file is plain memory of the process as a pool: where buffers are mapped and pass through between devices in
// contexts none of whose devices has memory that the host accesses.
#pragma once

#include "device/memory.h"

namespace clarity::core {

class HostPool final : public device::MemoryPool {
public:
  static HostPool& get();

  bool hostAccessible() const override { return true; }
  std::unique_ptr<device::Allocation> allocate(std::size_t bytes) override;
  std::unique_ptr<device::Allocation> adopt(std::byte* host, std::size_t bytes) override;
  device::Result initialise(device::Allocation& to, const std::byte* from, std::size_t bytes) override;
};

}  // namespace clarity::core
