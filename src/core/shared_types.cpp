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

/// By SharedType. A device with fine-grained system SVM and atomics, as those are that have any, can do all of it.
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

}  // namespace

const std::vector<Capabilities>& sharedTypes() {
  static const std::vector<Capabilities> none;
  const bool any = std::ranges::any_of(
      Platform::get().devices(), [](const Ref<Device>& device) { return device->properties().svmCapabilities != 0; });
  return any ? all() : none;
}

std::vector<Capabilities> sharedTypesOf(const Device& device) {
  if (device.properties().svmCapabilities) return sharedTypes();
  return std::vector<Capabilities>(sharedTypes().size());
}

}  // namespace clarity::core
