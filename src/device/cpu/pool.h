// SPDX-License-Identifier: Apache-2.0
// This file is the CPU device's memory as a pool that buffers come from.
#pragma once

#include "device/cpu/allocator.h"
#include "device/host/workers.h"
#include "device/memory.h"

#include <cstddef>
#include <memory>

namespace clarity::device::cpu {

/// Memory of the device's range, which host and device access at the same address. Sub-devices have their parent's.
class CpuPool final : public MemoryPool {
public:
  CpuPool(std::shared_ptr<Allocator> allocator, std::shared_ptr<host::Workers> workers)
      : allocator_(std::move(allocator)), workers_(std::move(workers)) {}

  bool hostAccessible() const override { return true; }
  std::unique_ptr<Allocation> allocate(std::size_t bytes) override;
  std::unique_ptr<Allocation> allocateZeroed(std::size_t bytes) override;
  std::unique_ptr<Allocation> adopt(std::byte* host, std::size_t bytes) override;
  Result initialise(Allocation& to, const std::byte* from, std::size_t bytes) override;
  void setWritten(Allocation&, std::size_t offset, std::size_t bytes, bool isWritten) override;

  const std::shared_ptr<Allocator>& allocator() const { return allocator_; }

private:
  std::unique_ptr<Allocation> own(const Allocator::Block& block, std::size_t bytes);

  std::shared_ptr<Allocator> allocator_;
  std::shared_ptr<host::Workers> workers_;
};

}  // namespace clarity::device::cpu
