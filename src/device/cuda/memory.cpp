// SPDX-License-Identifier: Apache-2.0
// This file allocates memory of a GPU.
#include "device/cuda/memory.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clarity::device::cuda {

Gpu::Gpu(CuDevice device) : device_(device) {
  for (std::atomic<int>& each : attributes_) each.store(unknown, std::memory_order_relaxed);
}

Gpu::~Gpu() {
  if (context_) (void)driver().primaryCtxRelease(device_);
}

Result Gpu::start() const {
  if (Result own = Driver::ofThisProcess(); !own) return own;
  const std::lock_guard lock(mutex_);
  if (context_) return {};
  CuContext made = nullptr;
  Result result = resultOf(driver().primaryCtxRetain(&made, device_), "the context of an NVIDIA GPU could not be made");
  if (result)
    context_.store(made, std::memory_order_release);
  else
    result.code = CL_OUT_OF_RESOURCES;
  return result;
}

int Gpu::attribute(DeviceAttribute which) const {
  std::atomic<int>& known = attributes_[which];
  int value = known.load(std::memory_order_relaxed);
  if (value != unknown) return value;
  value = 0;
  (void)driver().deviceGetAttribute(&value, which, device_);
  known.store(value, std::memory_order_relaxed);
  return value;
}

void Gpu::link(const Gpu& peer) const {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(linked_, peer.device_) != linked_.end()) return;
  linked_.push_back(peer.device_);
  // The reach of the one that copies is of use, which is either.
  for (const auto& [from, to] : {std::pair{this, &peer}, {&peer, this}}) {
    from->use();
    (void)driver().ctxEnablePeerAccess(to->context(), 0);  // without a link, the driver copies through the host's
  }
}

void Gpu::lose(std::string_view why) const {
  const std::lock_guard lock(mutex_);
  if (lost_) return;
  why_ = why;
  lost_ = true;
}

Result Gpu::state() const {
  if (!lost_) return {};
  const std::lock_guard lock(mutex_);
  return {CL_DEVICE_NOT_AVAILABLE,
          fmt::format("the GPU cannot be used any more by this process since this happened: {}", why_)};
}

CudaAllocation::~CudaAllocation() {
  gpu_->use();
  (void)(kind_ == Kind::Host ? driver().memFreeHost(hostAddress()) : driver().memFree(address_));
}

PinnedAllocation::~PinnedAllocation() {
  gpu_->use();
  (void)driver().memFreeHost(hostAddress());
}

std::unique_ptr<Allocation> CudaMemory::allocateHost(std::size_t bytes) {
  gpu_->use();
  void* memory = nullptr;
  if (driver().memAllocHost(&memory, bytes) != 0) return nullptr;
  return std::make_unique<PinnedAllocation>(gpu_, static_cast<std::byte*>(memory), bytes);
}

std::unique_ptr<Allocation> CudaMemory::allocate(std::size_t bytes) {
  gpu_->use();
  CuPointer address = 0;
  if (driver().memAlloc(&address, bytes) != 0) return nullptr;
  return std::make_unique<CudaAllocation>(gpu_, address, bytes, CudaAllocation::Kind::Own);
}

std::unique_ptr<Allocation> CudaMemory::allocateManaged(std::size_t bytes) {
  gpu_->use();
  // The driver would give more than the GPU has, and then exchange it with the host's, page by page.
  std::size_t free = 0, total = 0;
  CuPointer address = 0;
  if (driver().memGetInfo(&free, &total) != 0 || bytes > free) return nullptr;
  if (driver().memAllocManaged(&address, bytes, cuManagedGlobal) != 0) return nullptr;
  return std::make_unique<CudaAllocation>(gpu_, address, bytes, CudaAllocation::Kind::Managed);
}

const void* CudaMemory::peers() const { return Driver::get(); }  // all GPUs of the process

std::unique_ptr<Allocation> CudaMemory::allocateShared(std::size_t bytes, SharedHome home) {
  if (home == SharedHome::Device) return allocate(bytes);
  if (home == SharedHome::Anywhere && movesMemory(*gpu_)) return allocateManaged(bytes);
  gpu_->use();
  void* memory = nullptr;
  if (driver().memHostAlloc(&memory, bytes, cuHostPortable | cuHostMapped) != 0) return nullptr;
  // It has one address for the host and all GPUs.
  return std::make_unique<CudaAllocation>(gpu_, reinterpret_cast<std::uintptr_t>(memory), bytes,
                                          CudaAllocation::Kind::Host);
}

Result writeNow(CuPointer to, const void* from, std::size_t bytes) {
  const std::string what = fmt::format("{} bytes of host memory at {} could not be copied to the GPU", bytes, from);
  // From pageable memory the call may return before the GPU has the bytes, and our streams do not wait for others.
  if (Result result = resultOf(driver().memcpyHtoD(to, from, bytes), what); !result) return result;
  return resultOf(driver().streamSynchronize(nullptr), what);
}

Result CudaMemory::initialise(Allocation& to, const std::byte* from, std::size_t bytes) {
  gpu_->use();
  return writeNow(static_cast<CudaAllocation&>(to).address(), from, bytes);
}

}  // namespace clarity::device::cuda
