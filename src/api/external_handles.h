// SPDX-License-Identifier: Apache-2.0
// This file lists the kinds of handles by which memory and semaphores are shared with other processes.
#pragma once

#include "core/device.h"

#include <CL/cl_ext.h>

#include <vector>

namespace clarity::api {

/// That can be imported and exported.
inline std::vector<cl_external_semaphore_handle_type_khr> externalSemaphoreHandles() {
  return {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR};
}

/// That the device imports.
inline std::vector<cl_external_memory_handle_type_khr> externalMemoryHandles(const core::Device& device) {
  std::vector<cl_external_memory_handle_type_khr> types;
  if (device.supports("cl_khr_external_memory_opaque_fd")) types.push_back(CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR);
  if (device.supports("cl_khr_external_memory_dma_buf")) types.push_back(CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR);
  return types;
}

}  // namespace clarity::api
