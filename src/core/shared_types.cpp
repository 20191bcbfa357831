// SPDX-License-Identifier: Apache-2.0
// This file lists the types of shared virtual memory.
#include "core/shared_types.h"

#include "core/platform.h"

#include <algorithm>

namespace clarity::core {
namespace {

using Capabilities = cl_svm_capabilities_khr;

constexpr Capabilities onDevice = CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_DEVICE_READ_KHR |
                                  CL_SVM_CAPABILITY_DEVICE_WRITE_KHR | CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR |
                                  CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR | CL_SVM_CAPABILITY_HOST_MAP_KHR;
constexpr Capabilities anywhere = CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR;
constexpr Capabilities onHost = CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR;
constexpr Capabilities atOnce =
    CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR | CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR;

/// By SharedType, of a device that has all capabilities of shared virtual memory.
const std::vector<Capabilities>& all() {
  static const std::vector<Capabilities> types{
      onDevice | anywhere,
      onDevice | anywhere | onHost | atOnce,
      onDevice | atOnce | CL_SVM_CAPABILITY_DEVICE_OWNED_KHR,
      onDevice | anywhere | onHost | atOnce | CL_SVM_CAPABILITY_HOST_OWNED_KHR,
      onDevice | onHost | atOnce,
      onDevice | anywhere | onHost | atOnce | CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR,
  };
  return types;
}

/// The capabilities of all() that a device has.
std::vector<Capabilities> typesOf(const device::Properties& device) {
  std::vector<Capabilities> types = all();
  const auto of = [&](SharedType type) -> Capabilities& { return types[static_cast<std::size_t>(type)]; };
  constexpr Capabilities atomicAtOnce = CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR;
  const cl_device_svm_capabilities able = device.svmCapabilities;
  for (Capabilities& each : types) {
    if (!(able & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) each = 0;
    if (!(able & CL_DEVICE_SVM_ATOMICS)) each &= ~atomicAtOnce;
  }
  if (!(able & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) of(SharedType::FineGrain) = of(SharedType::Shared) = 0;
  if (!(able & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)) of(SharedType::System) = 0;
  if (!device.sharesAllMemory) {
    of(SharedType::Device) &= ~Capabilities{atOnce | CL_SVM_CAPABILITY_HOST_MAP_KHR};
    of(SharedType::Host) &= ~atomicAtOnce;
  }
  return types;
}

/// The capabilities that all devices with a type have, without the last ones if no device has those.
std::vector<Capabilities> commonTypes() {
  std::vector<Capabilities> common(all().size());
  for (const Ref<Device>& device : Platform::get().devices()) {
    const std::vector<Capabilities> types = typesOf(device->properties());
    for (std::size_t i = 0; i < types.size(); ++i)
      common[i] = !common[i] ? types[i] : !types[i] ? common[i] : common[i] & types[i];
  }
  while (!common.empty() && common.back() == 0) common.pop_back();
  return common;
}

}  // namespace

const std::vector<Capabilities>& sharedTypes() {
  static const std::vector<Capabilities> types = commonTypes();
  return types;
}

std::vector<Capabilities> sharedTypesOf(const Device& device) {
  std::vector<Capabilities> types = typesOf(device.properties());
  types.resize(sharedTypes().size());
  return types;
}

}  // namespace clarity::core
