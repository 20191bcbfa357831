// SPDX-License-Identifier: Apache-2.0
// This file is memory as devices have it: allocations, the pools that they come from, and the ends of a transfer.
// Nothing above a device computes an address in its memory: commands name an allocation, an offset and a size.
#pragma once

#include "device/result.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace clarity::device {

/// A piece of memory of the devices that share a pool. Destroying it frees the memory; no operation may use it then.
class Allocation {
public:
  virtual ~Allocation() = default;
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  std::size_t bytes() const { return bytes_; }
  /// The address at which the host reads and writes it, at any time; nullptr if the host cannot. The same for the whole
  /// lifetime.
  std::byte* hostAddress() const { return hostAddress_; }
  /// The address that all name memory by which is shared by address (MemoryPool::allocateShared), whether the host can
  /// access it or not. For other memory of a device with cl_ext_buffer_device_address: the address that its kernels
  /// get.
  virtual std::byte* sharedAddress() const { return hostAddress_; }

protected:
  Allocation(std::size_t bytes, std::byte* hostAddress) : bytes_(bytes), hostAddress_(hostAddress) {}

private:
  std::size_t bytes_;
  std::byte* hostAddress_;
};

/// The memory in which memory that is shared by address stays.
enum class SharedHome : std::uint8_t {
  Host,
  Device,   ///< the host may not be able to access it, nor other devices
  Anywhere  ///< it goes where it is used
};

/// The memory of one device or of several: devices whose Device::memory() is the same object see the same allocations
/// (a device and its sub-devices). Thread-safe. Lives as long as one of its devices and as its allocations.
class MemoryPool {
public:
  virtual ~MemoryPool() = default;

  /// Whether the host reads and writes all allocations at their hostAddress(), without transfers.
  virtual bool hostAccessible() const = 0;

  /// Uninitialised memory, aligned to Properties::baseAddressAlignBits; nullptr when there is none left.
  virtual std::unique_ptr<Allocation> allocate(std::size_t bytes) = 0;

  /// The same, with zeros, of a pool that the host can access: those that nothing has touched yet take no memory where
  /// that can be had.
  virtual std::unique_ptr<Allocation> allocateZeroed(std::size_t bytes) {
    std::unique_ptr<Allocation> made = allocate(bytes);
    if (made) std::memset(made->hostAddress(), 0, bytes);
    return made;
  }

  /// Memory of the host that the devices of this pool copy from and to faster than from other memory of the host
  /// (CL_MEM_ALLOC_HOST_PTR). nullptr when there is none left, or no such memory.
  virtual std::unique_ptr<Allocation> allocateHost(std::size_t) { return nullptr; }

  /// The same for all pools between which a device copies directly, as from and to its own memory; null: none.
  virtual const void* peers() const { return nullptr; }
  /// Whether streams of a peer's device take submissions to streams of this one in `after` (Stream::submit).
  virtual bool ordersPeers() const { return false; }
  /// Copies of so many bytes to peers go one after the other from each of them, and from the host, because each has one
  /// way to all others.
  virtual std::size_t leastInTurn() const { return ~std::size_t{0}; }

  /// Whether the devices of this pool share memory by address with the host, though their other memory is apart from
  /// it: they have Properties::svmCapabilities, and allocateShared().
  virtual bool sharesByAddress() const { return false; }
  /// Memory that all devices of a context that share by address, and the host if it can access it, use by one address
  /// without transfers. nullptr when there is none left.
  virtual std::unique_ptr<Allocation> allocateShared(std::size_t, SharedHome) { return nullptr; }

  /// The application's memory as memory of this pool (CL_MEM_USE_HOST_PTR; OpenCL 3.0, section 5.2.1). `host` may have
  /// any alignment and stays the application's. nullptr when the pool cannot do that: then content is copied.
  virtual std::unique_ptr<Allocation> adopt(std::byte* host, std::size_t bytes) = 0;

  /// Copies host memory to the beginning of an allocation that no operation uses, and returns when it is done
  /// (CL_MEM_COPY_HOST_PTR). An error is a `from` that cannot be read.
  virtual Result initialise(Allocation& to, const std::byte* from, std::size_t bytes) = 0;

  /// For checks of values that were never written (compiler::followsValues): this content counts as written, or not.
  /// Without a call it does. Transfers and kernels keep count themselves.
  virtual void setWritten(Allocation&, std::size_t /*offset*/, std::size_t /*bytes*/, bool /*isWritten*/) {}
};

/// A part of an allocation as operations name it. Without an allocation, which only transfers may have: host memory.
struct Location {
  Allocation* allocation = nullptr;
  std::size_t offset = 0;     ///< bytes from the start of the allocation
  std::byte* host = nullptr;  ///< the first byte, if there is no allocation

  static Location inHost(const void* address) {
    return {nullptr, 0, static_cast<std::byte*>(const_cast<void*>(address))};
  }
  /// Its first byte for code on the host. Only for host memory and allocations that the host can access.
  std::byte* hostAddress() const { return allocation ? allocation->hostAddress() + offset : host; }
};

}  // namespace clarity::device
