// SPDX-License-Identifier: Apache-2.0
// This file allocates memory of a GPU.
#include "device/cuda/memory.h"

#include <fmt/format.h>

namespace clarity::device::cuda {

Gpu::Gpu(CuDevice device, Result& result) : device_(device) {
  result = resultOf(driver().primaryCtxRetain(&context_, device), "the context of an NVIDIA GPU could not be made");
}

Gpu::~Gpu() {
  if (context_) (void)driver().primaryCtxRelease(device_);
}

int Gpu::attribute(DeviceAttribute which) const {
  int value = 0;
  (void)driver().deviceGetAttribute(&value, which, device_);
  return value;
}

CudaAllocation::~CudaAllocation() {
  gpu_->use();
  (void)driver().memFree(address_);
}

std::unique_ptr<Allocation> CudaMemory::allocate(std::size_t bytes) {
  gpu_->use();
  CuPointer address = 0;
  if (driver().memAlloc(&address, bytes) != 0) return nullptr;
  return std::make_unique<CudaAllocation>(gpu_, address, bytes);
}

Result CudaMemory::initialise(Allocation& to, const std::byte* from, std::size_t bytes) {
  gpu_->use();
  return resultOf(driver().memcpyHtoD(static_cast<CudaAllocation&>(to).address(), from, bytes),
                  fmt::format("{} bytes of host memory at {} could not be copied to the GPU", bytes,
                              static_cast<const void*>(from)));
}

}  // namespace clarity::device::cuda
