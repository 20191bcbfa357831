// SPDX-License-Identifier: Apache-2.0
// This file allocates plain memory of the process.
#include "core/host_pool.h"

#include "support/fault_guard.h"

#include <CL/cl.h>

#include <cstdlib>
#include <cstring>

namespace clarity::core {
namespace {

/// As aligned as any type of OpenCL C, so that mapped pointers are too.
constexpr std::size_t poolAlignment = 128;

class OwnAllocation final : public device::Allocation {
public:
  OwnAllocation(std::byte* memory, std::size_t bytes) : Allocation(bytes, memory) {}
  ~OwnAllocation() override { std::free(hostAddress()); }
};

class AdoptedAllocation final : public device::Allocation {
public:
  AdoptedAllocation(std::byte* memory, std::size_t bytes) : Allocation(bytes, memory) {}
};

}  // namespace

HostPool& HostPool::get() {
  static HostPool* const pool = new HostPool;
  return *pool;
}

std::unique_ptr<device::Allocation> HostPool::allocate(std::size_t bytes) {
  const std::size_t room = (bytes + poolAlignment - 1) / poolAlignment * poolAlignment;
  if (room < bytes) return nullptr;
  auto* const memory = static_cast<std::byte*>(std::aligned_alloc(poolAlignment, room));
  return memory ? std::make_unique<OwnAllocation>(memory, bytes) : nullptr;
}

std::unique_ptr<device::Allocation> HostPool::adopt(std::byte* host, std::size_t bytes) {
  return std::make_unique<AdoptedAllocation>(host, bytes);
}

device::Result HostPool::initialise(device::Allocation& to, const std::byte* from, std::size_t bytes) {
  support::Fault fault;
  if (support::FaultGuard::run([&] { std::memcpy(to.hostAddress(), from, bytes); }, fault)) return {};
  return {device::faultCode, "the copy " + fault.describe()};
}

}  // namespace clarity::core
