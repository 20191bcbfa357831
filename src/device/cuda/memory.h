// SPDX-License-Identifier: Apache-2.0
// This file is the memory of one NVIDIA GPU.
#pragma once

#include "device/cuda/driver.h"
#include "device/memory.h"

#include <memory>

namespace clarity::device::cuda {

/// A GPU that this process uses: its primary context, which PyTorch and others in the process share.
class Gpu {
public:
  /// Retains the context. `result` says what went wrong.
  Gpu(CuDevice device, Result& result);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  CuDevice device() const { return device_; }
  int attribute(DeviceAttribute which) const;
  /// Makes the context the calling thread's: before any other call that needs one.
  void use() const { (void)driver().ctxSetCurrent(context_); }

private:
  CuDevice device_;
  CuContext context_ = nullptr;
};

class CudaAllocation final : public Allocation {
public:
  CudaAllocation(std::shared_ptr<const Gpu> gpu, CuPointer address, std::size_t bytes)
      : Allocation(bytes, nullptr), gpu_(std::move(gpu)), address_(address) {}
  ~CudaAllocation() override;
  CuPointer address() const { return address_; }

private:
  std::shared_ptr<const Gpu> gpu_;
  CuPointer address_;
};

/// Where a location of this device is.
inline CuPointer addressOf(const Location& location) {
  return static_cast<const CudaAllocation*>(location.allocation)->address() + location.offset;
}

class CudaMemory final : public MemoryPool {
public:
  explicit CudaMemory(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {}
  bool hostAccessible() const override { return false; }
  std::unique_ptr<Allocation> allocate(std::size_t bytes) override;
  std::unique_ptr<Allocation> adopt(std::byte*, std::size_t) override { return nullptr; }
  Result initialise(Allocation& to, const std::byte* from, std::size_t bytes) override;

private:
  std::shared_ptr<const Gpu> gpu_;
};

}  // namespace clarity::device::cuda
