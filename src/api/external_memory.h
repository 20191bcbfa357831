// SPDX-License-Identifier: Apache-2.0
// This file reads the properties that memory objects are created with.
#pragma once

#include "api/handle.h"
#include "core/external_memory.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace clarity::api {

/// Properties that a buffer or an image is created with.
struct MemoryProperties {
  std::vector<cl_mem_properties> list;  ///< with the 0; empty if there are none
  std::optional<int> descriptor;        ///< the descriptor of external memory
  cl_external_memory_handle_type_khr handleType = 0;
  std::vector<Ref<core::Device>> devices;  ///< CL_MEM_DEVICE_HANDLE_LIST_KHR
  bool fixedAddresses = false;             ///< CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
};

/// CL_INVALID_PROPERTY if a name is not supported, is given twice or lacks what it needs, or a value is not valid;
/// CL_INVALID_DEVICE if a device is not of the context or cannot do what is asked for. `ofBuffer`: it may have
/// CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT.
MemoryProperties readMemoryProperties(const core::Context& context, const cl_mem_properties* list, bool ofBuffer);

/// CL_INVALID_VALUE if flags, and CL_INVALID_HOST_PTR if host_ptr say that a memory object with a descriptor is made of
/// host memory too.
void requireNoHostMemory(const MemoryProperties& properties, cl_mem_flags flags, const void* hostPtr);

/// The memory of the descriptor, which is closed; null if there is none. CL_INVALID_PROPERTY if it cannot be mapped.
std::unique_ptr<core::ExternalMemory> importMemory(const core::Context& context, const MemoryProperties& properties,
                                                   cl_mem_flags flags, std::size_t bytes);

}  // namespace clarity::api
