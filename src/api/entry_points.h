// SPDX-License-Identifier: Apache-2.0
// This file declares clarity::api::clXxx for every entry point of api.def with the type that CL/cl_icd.h gives it: that
// of its slot in the dispatch table, which has one name in all versions of the headers.
// Call one from another with its namespace: `api::clRetainDevice(device)`, as the C declaration is visible too.
#pragma once

#include "api/new_extensions.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include <type_traits>

namespace clarity::api {

using cl_api_clGetLastErrorTextCLARITY = cl_int(CL_API_CALL*)(size_t, char*, size_t*);
using cl_api_clHostMemAllocINTEL = clHostMemAllocINTEL_fn;
using cl_api_clDeviceMemAllocINTEL = clDeviceMemAllocINTEL_fn;
using cl_api_clSharedMemAllocINTEL = clSharedMemAllocINTEL_fn;
using cl_api_clMemFreeINTEL = clMemFreeINTEL_fn;
using cl_api_clMemBlockingFreeINTEL = clMemBlockingFreeINTEL_fn;
using cl_api_clGetMemAllocInfoINTEL = clGetMemAllocInfoINTEL_fn;
using cl_api_clSetKernelArgMemPointerINTEL = clSetKernelArgMemPointerINTEL_fn;
using cl_api_clEnqueueMemFillINTEL = clEnqueueMemFillINTEL_fn;
using cl_api_clEnqueueMemcpyINTEL = clEnqueueMemcpyINTEL_fn;
using cl_api_clEnqueueMigrateMemINTEL = clEnqueueMigrateMemINTEL_fn;
using cl_api_clEnqueueMemAdviseINTEL = clEnqueueMemAdviseINTEL_fn;
using cl_api_clSetKernelArgDevicePointerEXT = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_mem_device_address_ext);
using cl_api_clGetKernelSuggestedLocalWorkSize = clGetKernelSuggestedLocalWorkSizeKHR_fn;
using cl_api_clGetKernelSuggestedLocalWorkSizeKHR = clGetKernelSuggestedLocalWorkSizeKHR_fn;
using cl_api_clCreateCommandQueueWithPropertiesKHR = clCreateCommandQueueWithPropertiesKHR_fn;
using cl_api_clIcdGetPlatformIDsKHR = cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*);

#define API_ENTRY(name) std::remove_pointer_t<decltype(cl_icd_dispatch::name)> name;
#define API_BY_NAME(name) std::remove_pointer_t<cl_api_##name> name;
#define API_UNSUPPORTED(name)
#define API_ABSENT(name)
#include "api/api.def"
#undef API_ENTRY
#undef API_BY_NAME
#undef API_UNSUPPORTED
#undef API_ABSENT

}  // namespace clarity::api
