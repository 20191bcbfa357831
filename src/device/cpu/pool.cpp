// SPDX-License-Identifier: Apache-2.0
// This file creates the allocations of the CPU device's memory.
#include "device/cpu/pool.h"

#include "device/cpu/shadow.h"
#include "device/host/transfers.h"
#include "support/race_cells.h"

#include <new>
#include <utility>

namespace clarity::device::cpu {
namespace {

/// Memory of the allocator, given back at the end.
class OwnAllocation final : public Allocation {
public:
  OwnAllocation(std::shared_ptr<Allocator> allocator, const Allocator::Block& block, std::size_t bytes)
      : Allocation(bytes, block.memory), allocator_(std::move(allocator)), block_(block) {}
  ~OwnAllocation() override {
    noteWritten(block_.memory, bytes());  // whatever gets the memory next
    support::RaceMemory::drop(block_.memory, bytes());
    allocator_->free(block_);
  }

private:
  std::shared_ptr<Allocator> allocator_;
  Allocator::Block block_;
};

/// The application's memory.
class AdoptedAllocation final : public Allocation {
public:
  AdoptedAllocation(std::byte* memory, std::size_t bytes) : Allocation(bytes, memory) {}
};

}  // namespace

std::unique_ptr<Allocation> CpuPool::allocate(std::size_t bytes) { return own(allocator_->allocate(bytes), bytes); }

std::unique_ptr<Allocation> CpuPool::allocateZeroed(std::size_t bytes) {
  return own(allocator_->allocateZeroed(bytes), bytes);
}

std::unique_ptr<Allocation> CpuPool::own(const Allocator::Block& block, std::size_t bytes) {
  if (!block) return nullptr;
  try {
    return std::make_unique<OwnAllocation>(allocator_, block, bytes);
  } catch (const std::bad_alloc&) {
    allocator_->free(block);
    return nullptr;
  }
}

std::unique_ptr<Allocation> CpuPool::adopt(std::byte* host, std::size_t bytes) {
  return std::make_unique<AdoptedAllocation>(host, bytes);
}

Result CpuPool::initialise(Allocation& to, const std::byte* from, std::size_t bytes) {
  return host::copy(*workers_, to.hostAddress(), from, bytes);
}

void CpuPool::setWritten(Allocation& allocation, std::size_t offset, std::size_t bytes, bool isWritten) {
  cpu::setWritten(reinterpret_cast<std::uint64_t>(allocation.hostAddress() + offset), bytes, isWritten);
}

}  // namespace clarity::device::cpu
