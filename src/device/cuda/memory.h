// SPDX-License-Identifier: Apache-2.0
// This file is the memory of one NVIDIA GPU.
#pragma once

#include "device/cuda/driver.h"
#include "device/memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::device::cuda {

/// A GPU that this process may use, by its primary context, which PyTorch and others in the process share.
class Gpu {
public:
  explicit Gpu(CuDevice device);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  CuDevice device() const { return device_; }
  /// Retains the context, which takes some tenths of a second and memory of the GPU; nothing if that has been done.
  /// CL_OUT_OF_RESOURCES and a sentence if it cannot be made.
  Result start() const;
  /// Null before start().
  CuContext context() const { return context_.load(std::memory_order_acquire); }
  /// Asked of the driver once.
  int attribute(DeviceAttribute which) const;
  /// Makes the context the calling thread's: before any other call that needs one.
  void use() const { (void)driver().ctxSetCurrent(context()); }

  /// Lets copies between the two GPUs go from one to the other by the link that they have, if any, and not through the
  /// host's memory. Memory takes longer to allocate from then on. Both contexts are made.
  void link(const Gpu& peer) const;

  /// After a fault in a kernel the driver refuses every later call: the GPU is lost for this process.
  void lose(std::string_view why) const;
  /// Success, or CL_DEVICE_NOT_AVAILABLE and why the GPU is lost.
  Result state() const;

private:
  CuDevice device_;
  mutable std::atomic<CuContext> context_{nullptr};
  static constexpr std::size_t attributes = 128;  ///< more than the largest DeviceAttribute
  static constexpr int unknown = -1;
  mutable std::array<std::atomic<int>, attributes> attributes_;
  mutable std::atomic<bool> lost_{false};
  mutable std::mutex mutex_;
  mutable std::string why_;               ///< guarded by mutex_
  mutable std::vector<CuDevice> linked_;  ///< guarded by mutex_
};

/// Memory of the host that the GPU copies from and to at full rate, and while the host does something else.
class PinnedAllocation final : public Allocation {
public:
  PinnedAllocation(std::shared_ptr<const Gpu> gpu, std::byte* memory, std::size_t bytes)
      : Allocation(bytes, memory), gpu_(std::move(gpu)) {}
  ~PinnedAllocation() override;

private:
  std::shared_ptr<const Gpu> gpu_;
};

/// Memory that a GPU accesses by an address: its own, or memory that it shares by address with the host.
class CudaAllocation final : public Allocation {
public:
  enum class Kind : std::uint8_t {
    Own,      ///< the GPU's
    Managed,  ///< goes where it is used
    Host      ///< the host's, which GPUs access through the bus
  };

  CudaAllocation(std::shared_ptr<const Gpu> gpu, CuPointer address, std::size_t bytes, Kind kind)
      : Allocation(bytes, kind == Kind::Own ? nullptr : reinterpret_cast<std::byte*>(address)),
        gpu_(std::move(gpu)),
        address_(address),
        kind_(kind) {}
  ~CudaAllocation() override;
  CuPointer address() const { return address_; }
  std::byte* sharedAddress() const override { return reinterpret_cast<std::byte*>(address_); }
  bool moves() const { return kind_ == Kind::Managed; }
  /// Whose memory it is; of memory that the host accesses, one of those that use it.
  const Gpu& gpu() const { return *gpu_; }

private:
  std::shared_ptr<const Gpu> gpu_;
  CuPointer address_;
  Kind kind_;
};

/// The host's side of a location; nullptr if the GPU accesses it: its own memory, or what is shared by address.
inline std::byte* hostOf(const Location& location) { return location.allocation ? nullptr : location.host; }

/// The address of a location of a GPU, or of memory that it shares by address.
inline CuPointer addressOf(const Location& location) {
  return static_cast<const CudaAllocation*>(location.allocation)->address() + location.offset;
}

/// Whether memory can go to the GPU and to the host as each uses it, at any time.
inline bool movesMemory(const Gpu& gpu) { return gpu.attribute(ConcurrentManagedAccess) != 0; }

/// Bytes of shared memory that a block may have. Compute capability 7.0 and more have some that is to be asked for.
inline std::uint64_t mostShared(const Gpu& gpu) {
  return static_cast<std::uint64_t>(std::max(gpu.attribute(MaxSharedPerBlockOptin), gpu.attribute(MaxSharedPerBlock)));
}

/// Copies from the host; the GPU has the bytes when it returns. The context is in use (Gpu::use).
Result writeNow(CuPointer to, const void* from, std::size_t bytes);

class CudaMemory final : public MemoryPool {
public:
  explicit CudaMemory(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {}
  bool hostAccessible() const override { return false; }
  std::unique_ptr<Allocation> allocate(std::size_t bytes) override;
  std::unique_ptr<Allocation> adopt(std::byte*, std::size_t) override { return nullptr; }
  std::unique_ptr<Allocation> allocateHost(std::size_t bytes) override;
  const void* peers() const override;
  bool ordersPeers() const override { return true; }
  bool sharesByAddress() const override { return true; }
  std::unique_ptr<Allocation> allocateShared(std::size_t bytes, SharedHome) override;
  Result initialise(Allocation& to, const std::byte* from, std::size_t bytes) override;

private:
  std::unique_ptr<Allocation> allocateManaged(std::size_t bytes);

  std::shared_ptr<const Gpu> gpu_;
};

}  // namespace clarity::device::cuda
