// SPDX-License-Identifier: Apache-2.0
// This file creates buffers and sub-buffers (OpenCL 3.0, section 5.2.1).
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/external_memory.h"
#include "api/handle.h"
#include "api/memory_flags.h"
#include "api/new_extensions.h"
#include "core/constant_names.h"
#include "core/image_support.h"
#include "core/memory.h"
#include "core/shared_memory.h"
#include "support/checked.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace clarity::api {

using core::Context;
using core::Device;
using core::Memory;
using core::MemoryFlagNames;

namespace {

/// The shared allocation that the memory begins in. CL_INVALID_BUFFER_SIZE if it reaches beyond it.
std::optional<core::SharedPlace> sharedPlaceOf(Context& context, size_t size, const void* hostPtr) {
  auto place = context.sharedMemory().find(hostPtr);
  if (place && size > place->memory->size() - place->offset)
    fail(CL_INVALID_BUFFER_SIZE,
         "a buffer of {} bytes at host_ptr {}, which is {} bytes into shared memory of {} bytes", size, hostPtr,
         place->offset, place->memory->size());
  return place;
}

/// The buffer, with the addresses for kernels that its properties ask for.
Memory& withAddresses(core::RefPtr<Memory> made, const MemoryProperties& properties) {
  if (properties.fixedAddresses) made->fixAddresses();
  return *made.release();
}

Memory& createBuffer(Context& context, const MemoryProperties& properties, cl_mem_flags flags, size_t size,
                     void* hostPtr) {
  requireMemoryFlags(flags, bufferFlags | CL_MEM_IMMUTABLE_EXT);
  requireNoHostMemory(properties, flags, hostPtr);
  requireImmutableContent(flags, properties.descriptor.has_value());
  // CL_INVALID_BUFFER_SIZE if size is 0 or greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE of all devices in context.
  const std::size_t largest = largestAllocation(context);
  failIf(size == 0, CL_INVALID_BUFFER_SIZE, "the size of the buffer is 0");
  failIf(size > largest, CL_INVALID_BUFFER_SIZE,
         "a buffer of {} bytes is larger than CL_DEVICE_MAX_MEM_ALLOC_SIZE, {} bytes", size, largest);
  // CL_INVALID_HOST_PTR if host_ptr is NULL and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are set in flags, or if it
  // is not NULL but neither is set.
  requireHostPtr(flags, hostPtr);
  requireHostBytes(hostPtr, size);
  // CL_INVALID_BUFFER_SIZE if CL_MEM_USE_HOST_PTR is set, host_ptr is a pointer returned by clSVMAlloc, and size is
  // greater than the size passed to it.
  if (flags & CL_MEM_USE_HOST_PTR) {
    const auto place = sharedPlaceOf(context, size, hostPtr);
    // Memory that is shared by address beside the context's places must not be copied to them: kernels follow its
    // addresses.
    if (place && place->isBesidePlaces())
      return withAddresses(
          core::RefPtr<Memory>::adopt(new Memory(place->memory, place->offset, flags, size, hostPtr, properties.list)),
          properties);
  }
  auto external = importMemory(context, properties, flags, size);
  return withAddresses(
      core::RefPtr<Memory>::adopt(new Memory(context, flags, size, hostPtr, properties.list, std::move(external))),
      properties);
}

/// CL_MISALIGNED_SUB_BUFFER_OFFSET unless the origin is aligned for some device of the context.
void requireAlignedOrigin(const Context& context, size_t origin) {
  cl_uint leastBits = ~0U;
  for (const Ref<Device>& device : context.devices())
    leastBits = std::min(leastBits, device->properties().baseAddressAlignBits);
  failIf(origin % (leastBits / 8) != 0, CL_MISALIGNED_SUB_BUFFER_OFFSET,
         "origin {} of the sub-buffer is not a multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN, {} bytes", origin,
         leastBits / 8);
}

}  // namespace

cl_mem_flags inheritedFlags(const Memory& parent, cl_mem_flags flags) {
  requireMemoryFlags(flags, memoryAccessFlags | hostAccessFlags | CL_MEM_IMMUTABLE_EXT);
  // CL_INVALID_VALUE if the parent was created with CL_MEM_IMMUTABLE_EXT and flags specifies writing, and if only the
  // part is to be immutable.
  const bool immutable = parent.flags() & CL_MEM_IMMUTABLE_EXT;
  failIf(immutable && (flags & writingFlags), CL_INVALID_VALUE, "flags {} for a part of an immutable memory object",
         MemoryFlagNames{flags});
  failIf(!immutable && (flags & CL_MEM_IMMUTABLE_EXT), CL_INVALID_VALUE,
         "flags {} for a part of a memory object that is not immutable", MemoryFlagNames{flags});
  // CL_INVALID_VALUE if the parent was created with CL_MEM_WRITE_ONLY and flags specifies CL_MEM_READ_WRITE or
  // CL_MEM_READ_ONLY, or with CL_MEM_READ_ONLY and flags specifies CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY.
  const cl_mem_flags access = parent.flags() & memoryAccessFlags & ~cl_mem_flags{CL_MEM_READ_WRITE};
  failIf(access && (flags & memoryAccessFlags & ~access), CL_INVALID_VALUE,
         "flags {} for a part of a memory object with flags {}", MemoryFlagNames{flags},
         MemoryFlagNames{parent.flags()});
  // The same for CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY and CL_MEM_HOST_NO_ACCESS.
  const cl_mem_flags host = parent.flags() & hostAccessFlags;
  const cl_mem_flags forbidden = host ? hostAccessFlags & ~host & ~cl_mem_flags{CL_MEM_HOST_NO_ACCESS} : 0;
  failIf(flags & forbidden, CL_INVALID_VALUE, "host access flags {} for a part of a memory object with {}",
         MemoryFlagNames{flags & hostAccessFlags}, MemoryFlagNames{host});

  cl_mem_flags complete = flags | (parent.flags() & (hostPtrFlags | CL_MEM_IMMUTABLE_EXT));
  if (!(flags & memoryAccessFlags)) complete |= parent.flags() & memoryAccessFlags;
  if (!(flags & hostAccessFlags)) complete |= host;
  return complete;
}

std::size_t largestAllocation(const Context& context) {
  cl_ulong largest = 0;
  for (const Ref<Device>& device : context.devices()) largest = std::max(largest, device->properties().maxAllocBytes);
  return largest;
}

void requireImmutableContent(cl_mem_flags flags, bool isExternal) {
  if (!(flags & CL_MEM_IMMUTABLE_EXT)) return;
  failIf(flags & writingFlags, CL_INVALID_VALUE, "flags {}: what is immutable is not to be written",
         MemoryFlagNames{flags});
  failIf(!isExternal && !(flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)), CL_INVALID_VALUE,
         "flags {}: CL_MEM_IMMUTABLE_EXT needs CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR", MemoryFlagNames{flags});
}

void requireHostPtr(cl_mem_flags flags, const void* hostPtr) {
  const bool needsHostPtr = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
  failIf(needsHostPtr && !hostPtr, CL_INVALID_HOST_PTR, "host_ptr is null with flags {}", MemoryFlagNames{flags});
  failIf(!needsHostPtr && hostPtr, CL_INVALID_HOST_PTR,
         "host_ptr is {} without CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR in flags {}", hostPtr,
         MemoryFlagNames{flags});
}

void requireHostBytes(const void* hostPtr, std::size_t bytes) {
  failIf(!support::areAddresses(hostPtr, bytes), CL_INVALID_HOST_PTR,
         "{} bytes at host_ptr {} reach beyond the last address", bytes, hostPtr);
}

void requireMemoryFlags(cl_mem_flags flags, cl_mem_flags allowed) {
  // CL_INVALID_VALUE if values specified in flags are not valid: unknown, or mutually exclusive.
  failIf(flags & ~allowed, CL_INVALID_VALUE, "flags {} contain {}, which is not allowed here", MemoryFlagNames{flags},
         MemoryFlagNames{flags & ~allowed});
  failIf(std::popcount(flags & memoryAccessFlags) > 1, CL_INVALID_VALUE,
         "flags {}: CL_MEM_READ_WRITE, CL_MEM_READ_ONLY and CL_MEM_WRITE_ONLY exclude each other",
         MemoryFlagNames{flags});
  failIf(std::popcount(flags & hostAccessFlags) > 1, CL_INVALID_VALUE,
         "flags {}: CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY and CL_MEM_HOST_NO_ACCESS exclude each other",
         MemoryFlagNames{flags});
  failIf((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)), CL_INVALID_VALUE,
         "flags {}: CL_MEM_USE_HOST_PTR excludes CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR",
         MemoryFlagNames{flags});
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_ptr, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] { return createBuffer(ref<Context>(context), {}, flags, size, host_ptr).handOut(); });
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
                                    size_t size, void* host_ptr, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    Context& it = ref<Context>(context);
    return createBuffer(it, readMemoryProperties(it, properties, true), flags, size, host_ptr).handOut();
  });
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type buffer_create_type,
                         const void* buffer_create_info, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    Memory& parent = ref<Memory>(buffer);
    // CL_INVALID_MEM_OBJECT if buffer is not a valid buffer object or is a sub-buffer object.
    failIf(!parent.isBuffer(), CL_INVALID_MEM_OBJECT, "{} is {}, expected a buffer", static_cast<const void*>(buffer),
           core::nameOfType(parent.type()));
    failIf(parent.parent(), CL_INVALID_MEM_OBJECT, "{} is a sub-buffer, which cannot be divided again",
           static_cast<const void*>(buffer));
    const cl_mem_flags complete = inheritedFlags(parent, flags);
    // CL_INVALID_VALUE if the value specified in buffer_create_type is not valid, or buffer_create_info is NULL.
    failIf(buffer_create_type != CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE, "buffer_create_type is {:#x}",
           buffer_create_type);
    failIf(!buffer_create_info, CL_INVALID_VALUE, "buffer_create_info is null");
    const auto& region = *static_cast<const cl_buffer_region*>(buffer_create_info);
    // CL_INVALID_BUFFER_SIZE if the size of the region is zero.
    failIf(region.size == 0, CL_INVALID_BUFFER_SIZE, "the size of the sub-buffer is 0");
    // CL_INVALID_VALUE if the region is out of bounds in buffer.
    failIf(region.origin > parent.size() || region.size > parent.size() - region.origin, CL_INVALID_VALUE,
           "a sub-buffer of {} bytes at origin {} is outside of the buffer's {} bytes", region.size, region.origin,
           parent.size());
    requireAlignedOrigin(parent.context(), region.origin);
    return (new Memory(parent, complete, region.origin, region.size))->handOut();
  });
}

}  // namespace clarity::api
