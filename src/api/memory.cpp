// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of all memory objects (OpenCL 3.0, section 5.5).
#include "core/memory.h"

#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"

namespace clarity::api {

using core::Memory;

namespace {

cl_mem parentHandle(const Memory& memory) { return memory.parent() ? memory.parent()->handle() : nullptr; }

const InfoRow<Memory> kMemoryInfo[] = {
    INFO_ROW(cl_mem_object_type, CL_MEM_TYPE, it.type()),
    INFO_ROW(cl_mem_flags, CL_MEM_FLAGS, it.flags()),
    INFO_ROW(size_t, CL_MEM_SIZE, it.size()),
    INFO_ROW(void*, CL_MEM_HOST_PTR, it.hostPtr()),
    INFO_ROW(cl_uint, CL_MEM_MAP_COUNT, it.mapCount()),
    INFO_ROW(cl_uint, CL_MEM_REFERENCE_COUNT, it.referenceCount()),
    INFO_ROW(cl_context, CL_MEM_CONTEXT, it.context().handle()),
    INFO_ROW(cl_mem, CL_MEM_ASSOCIATED_MEMOBJECT, parentHandle(it)),
    // Of an image that is made of a buffer the specification wants 0.
    INFO_ROW(size_t, CL_MEM_OFFSET, it.isSubBuffer() ? it.origin() : 0),
    INFO_ROW(cl_bool, CL_MEM_USES_SVM_POINTER, CL_FALSE),
    INFO_ROW(std::vector<cl_mem_properties>, CL_MEM_PROPERTIES, it.properties()),
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
    answer(kMemoryInfo, ref<Memory>(memobj), param_name, param_value_size, param_value, param_value_size_ret);
  });
}

}  // namespace clarity::api
