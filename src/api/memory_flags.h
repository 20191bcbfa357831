// SPDX-License-Identifier: Apache-2.0
// This file checks what the creation of buffers and of images has in common: which memory flags may be combined
// (OpenCL 3.0, section 5.2.1, table of memory flag values), host pointers, sizes.
#pragma once

#include "core/memory.h"

#include <CL/cl.h>

#include <cstddef>

namespace clarity::api {

inline constexpr cl_mem_flags memoryAccessFlags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
inline constexpr cl_mem_flags hostAccessFlags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
inline constexpr cl_mem_flags hostPtrFlags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
inline constexpr cl_mem_flags bufferFlags = memoryAccessFlags | hostAccessFlags | hostPtrFlags;
/// CL_MEM_IMMUTABLE_EXT excludes these.
inline constexpr cl_mem_flags writingFlags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;

/// CL_INVALID_VALUE if `flags` has something that is not in `allowed`, or flags that exclude each other.
void requireMemoryFlags(cl_mem_flags flags, cl_mem_flags allowed);

/// cl_ext_immutable_memory_objects: CL_INVALID_VALUE for CL_MEM_IMMUTABLE_EXT without content, which external memory
/// has, or with flags to write.
void requireImmutableContent(cl_mem_flags flags, bool isExternal = false);

/// CL_INVALID_HOST_PTR if host_ptr is null though flags need it, or is not though they do not.
void requireHostPtr(cl_mem_flags flags, const void* hostPtr);
/// CL_INVALID_HOST_PTR if so many bytes from host_ptr on reach beyond the last address.
void requireHostBytes(const void* hostPtr, std::size_t bytes);

/// The largest CL_DEVICE_MAX_MEM_ALLOC_SIZE of the context's devices, in bytes.
std::size_t largestAllocation(const core::Context& context);

/// The flags of a sub-buffer or of an image that is made of another memory object, with what it inherits (table
/// "supported memory flag values"). CL_INVALID_VALUE if they contradict those of the parent.
cl_mem_flags inheritedFlags(const core::Memory& parent, cl_mem_flags flags);

}  // namespace clarity::api
