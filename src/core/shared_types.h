// SPDX-License-Identifier: Apache-2.0
// This file is the types of shared virtual memory that the platform has (cl_khr_unified_svm).
#pragma once

#include "core/device.h"
#include "support/unified_svm_types.h"

#include <cstdint>
#include <vector>

namespace clarity::core {

/// The types by their index. Where all devices that share memory by address have one memory with the host, what is
/// asked of a type is all that they differ in.
enum class SharedType : std::uint32_t { CoarseGrain, FineGrain, Device, Host, Shared, System };

/// CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR: the capabilities of each type; empty if no device shares memory.
const std::vector<cl_svm_capabilities_khr>& sharedTypes();
/// CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR: the same for a device, zeros if it shares none.
std::vector<cl_svm_capabilities_khr> sharedTypesOf(const Device&);

}  // namespace clarity::core
