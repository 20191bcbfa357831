// SPDX-License-Identifier: Apache-2.0
// This file lists the kinds of handles by which memory and semaphores are shared with other processes.
#pragma once

#include <CL/cl_ext.h>

#include <vector>

namespace clarity::api {

/// That can be imported and exported.
inline std::vector<cl_external_semaphore_handle_type_khr> externalSemaphoreHandles() {
  return {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR};
}

/// That can be imported.
inline std::vector<cl_external_memory_handle_type_khr> externalMemoryHandles() {
  return {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR};
}

}  // namespace clarity::api
