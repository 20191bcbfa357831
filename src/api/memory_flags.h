// SPDX-License-Identifier: Apache-2.0
// This file lists the memory flags that may be combined (OpenCL 3.0, section 5.2.1, table of memory flag values).
#pragma once

#include <CL/cl.h>

namespace clarity::api {

inline constexpr cl_mem_flags kAccessFlags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
inline constexpr cl_mem_flags kHostAccessFlags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
inline constexpr cl_mem_flags kHostPtrFlags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
inline constexpr cl_mem_flags kBufferFlags = kAccessFlags | kHostAccessFlags | kHostPtrFlags;

/// CL_INVALID_VALUE if `flags` has something that is not in `allowed`, or flags that exclude each other.
void requireMemoryFlags(cl_mem_flags flags, cl_mem_flags allowed);

}  // namespace clarity::api
