// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of all memory objects (OpenCL 3.0, section 5.5).
#include "core/memory.h"

#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"
#include "api/new_extensions.h"
#include "core/image_support.h"

#include <cstdint>
#include <vector>

namespace clarity::api {

using core::Memory;

namespace {

cl_mem parentHandle(const Memory& memory) { return memory.parent() ? memory.parent()->handle() : nullptr; }

/// Whether a buffer was made of memory from clSVMAlloc.
cl_bool usesSvmPointer(const Memory& memory) {
  if (!memory.hostPtr()) return CL_FALSE;
  const auto place = memory.context().sharedMemory().find(memory.hostPtr());
  return place && place->allocation.kind == core::SharedKind::Svm;
}

/// The address of a buffer for each device of the context, in its order.
std::vector<cl_mem_device_address_ext> deviceAddresses(Memory& memory) {
  // CL_INVALID_OPERATION if the buffer was not allocated with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT.
  failIf(!memory.isBuffer() || !memory.hasFixedAddresses(), CL_INVALID_OPERATION,
         "{} was created without CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT", core::nameOfType(memory.type()));
  std::vector<cl_mem_device_address_ext> addresses;
  for (const Ref<core::Device>& device : memory.context().devices()) addresses.push_back(memory.addressFor(device));
  return addresses;
}

const InfoRow<Memory> memoryInfo[] = {
    INFO_ROW(cl_mem_object_type, CL_MEM_TYPE, it.type()),
    INFO_ROW(cl_mem_flags, CL_MEM_FLAGS, it.flags()),
    INFO_ROW(size_t, CL_MEM_SIZE, it.size()),
    INFO_ROW(void*, CL_MEM_HOST_PTR, it.hostPtr()),
    INFO_ROW(cl_uint, CL_MEM_MAP_COUNT, it.mapCount()),
    INFO_ROW(cl_uint, CL_MEM_REFERENCE_COUNT, it.referenceCount()),
    INFO_ROW(cl_context, CL_MEM_CONTEXT, it.context().handle()),
    INFO_ROW(cl_mem, CL_MEM_ASSOCIATED_MEMOBJECT, parentHandle(it)),
    // The specification wants 0 for an image that is made of a buffer.
    INFO_ROW(size_t, CL_MEM_OFFSET, it.isSubBuffer() ? it.origin() : 0),
    INFO_ROW(cl_bool, CL_MEM_USES_SVM_POINTER, usesSvmPointer(it)),
    INFO_ROW(std::vector<cl_mem_properties>, CL_MEM_PROPERTIES, it.properties()),
    INFO_ROW(std::vector<cl_mem_device_address_ext>, CL_MEM_DEVICE_ADDRESS_EXT, deviceAddresses(it)),
};

}  // namespace

cl_int clRetainMemObject(cl_mem memobj) {
  return entry([&] { retainHandle<Memory>(memobj); });
}

cl_int clReleaseMemObject(cl_mem memobj) {
  return entry([&] { releaseHandle<Memory>(memobj); });
}

cl_int clSetMemObjectDestructorCallback(cl_mem memobj, void(CL_CALLBACK* pfn_notify)(cl_mem, void*), void* user_data) {
  return entry([&] {
    Memory& it = ref<Memory>(memobj);
    // CL_INVALID_VALUE if pfn_notify is NULL.
    failIf(!pfn_notify, CL_INVALID_VALUE, "pfn_notify is null");
    it.destructorCallbacks().push(pfn_notify, user_data);
  });
}

cl_int clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name, size_t param_value_size, void* param_value,
                          size_t* param_value_size_ret) {
  return entry([&] {
    answer(memoryInfo, ref<Memory>(memobj), param_name, param_value_size, param_value, param_value_size_ret);
  });
}

}  // namespace clarity::api
