// SPDX-License-Identifier: Apache-2.0
// This file is the discrete device's memory: pages that nothing can access while no operation of the device runs on
// them. Whoever above the device follows an address into it ends with a fault.
#pragma once

#include "device/host/workers.h"
#include "device/memory.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace clarity::discrete {

class DiscretePool final : public device::MemoryPool, public std::enable_shared_from_this<DiscretePool> {
public:
  DiscretePool(std::uint64_t limit, std::shared_ptr<device::host::Workers> workers)
      : limit_(limit), workers_(std::move(workers)) {}

  bool hostAccessible() const override { return false; }
  std::unique_ptr<device::Allocation> allocate(std::size_t bytes) override;
  std::unique_ptr<device::Allocation> adopt(std::byte*, std::size_t) override { return nullptr; }
  device::Result initialise(device::Allocation& to, const std::byte* from, std::size_t bytes) override;

  void release(std::uint64_t bytes) { used_.fetch_sub(bytes); }

private:
  std::uint64_t limit_;
  std::shared_ptr<device::host::Workers> workers_;
  std::atomic<std::uint64_t> used_{0};
};

class DiscreteAllocation final : public device::Allocation {
public:
  DiscreteAllocation(std::shared_ptr<DiscretePool> pool, std::byte* base, std::size_t mapped, std::size_t bytes)
      : Allocation(bytes, nullptr), pool_(std::move(pool)), base_(base), mapped_(mapped) {}
  ~DiscreteAllocation() override;

  /// Its first byte, for operations of the device while they have it open.
  std::byte* base() const { return base_; }
  void open();
  void close();

private:
  std::shared_ptr<DiscretePool> pool_;
  std::byte* base_;
  std::size_t mapped_;
  std::mutex mutex_;
  unsigned users_ = 0;  ///< operations that run on it
};

/// Has an allocation of this device open; nothing for host memory.
class Opened {
public:
  explicit Opened(const device::Location& location)
      : allocation_(dynamic_cast<DiscreteAllocation*>(location.allocation)), location_(location) {
    if (location.allocation && !allocation_) throw std::logic_error("an operation names memory of another device");
    if (allocation_) allocation_->open();
  }
  Opened(Opened&& other) noexcept
      : allocation_(std::exchange(other.allocation_, nullptr)), location_(other.location_) {}
  Opened& operator=(Opened&&) = delete;
  ~Opened() {
    if (allocation_) allocation_->close();
  }
  bool isOfDevice() const { return allocation_ != nullptr; }
  std::byte* address() const { return allocation_ ? allocation_->base() + location_.offset : location_.host; }

private:
  DiscreteAllocation* allocation_;
  device::Location location_;
};

}  // namespace clarity::discrete
