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
using cl_api_clSVMAllocWithPropertiesKHR = void*(CL_API_CALL*)(cl_context, const cl_svm_alloc_properties_khr*, cl_uint,
                                                               size_t, cl_int*);
using cl_api_clSVMFreeWithPropertiesKHR = cl_int(CL_API_CALL*)(cl_context, const cl_svm_free_properties_khr*,
                                                               cl_svm_free_flags_khr, void*);
using cl_api_clGetSVMPointerInfoKHR = cl_int(CL_API_CALL*)(cl_context, cl_device_id, const void*,
                                                           cl_svm_pointer_info_khr, size_t, void*, size_t*);
using cl_api_clGetSVMSuggestedTypeIndexKHR = cl_int(CL_API_CALL*)(cl_context, cl_svm_capabilities_khr,
                                                                  cl_svm_capabilities_khr,
                                                                  const cl_svm_alloc_properties_khr*, size_t, cl_uint*);
using cl_api_clSetKernelArgDevicePointerEXT = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_mem_device_address_ext);
using cl_api_clGetImageRequirementsInfoEXT = clGetImageRequirementsInfoEXT_fn;
using cl_api_clGetKernelSuggestedLocalWorkSize = clGetKernelSuggestedLocalWorkSizeKHR_fn;
using cl_api_clGetKernelSuggestedLocalWorkSizeKHR = clGetKernelSuggestedLocalWorkSizeKHR_fn;
using cl_api_clTerminateContextKHR = clTerminateContextKHR_fn;
using cl_api_clCreateProgramWithILKHR = clCreateProgramWithILKHR_fn;
using cl_api_clCreateCommandQueueWithPropertiesKHR = clCreateCommandQueueWithPropertiesKHR_fn;
using cl_api_clIcdGetPlatformIDsKHR = cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*);
using cl_api_clIcdGetFunctionAddressForPlatformKHR = void*(CL_API_CALL*)(cl_platform_id, const char*);
using cl_api_clIcdSetPlatformDispatchDataKHR = cl_int(CL_API_CALL*)(cl_platform_id, void*);

// cl_khr_command_buffer and what is layered on it, whose functions have other parameters in headers of 2023.
using cl_api_clCreateCommandBufferKHR = cl_command_buffer_khr(CL_API_CALL*)(cl_uint, const cl_command_queue*,
                                                                            const cl_command_buffer_properties_khr*,
                                                                            cl_int*);
using cl_api_clRetainCommandBufferKHR = cl_int(CL_API_CALL*)(cl_command_buffer_khr);
using cl_api_clReleaseCommandBufferKHR = cl_int(CL_API_CALL*)(cl_command_buffer_khr);
using cl_api_clFinalizeCommandBufferKHR = cl_int(CL_API_CALL*)(cl_command_buffer_khr);
using cl_api_clEnqueueCommandBufferKHR = cl_int(CL_API_CALL*)(cl_uint, cl_command_queue*, cl_command_buffer_khr,
                                                              cl_uint, const cl_event*, cl_event*);
using cl_api_clGetCommandBufferInfoKHR = cl_int(CL_API_CALL*)(cl_command_buffer_khr, cl_command_buffer_info_khr, size_t,
                                                              void*, size_t*);
/// A clCommand*KHR that has these parameters between its properties and its wait list.
template <class... Args>
using CommandFunction = cl_int(CL_API_CALL*)(cl_command_buffer_khr, cl_command_queue, const cl_command_properties_khr*,
                                             Args..., cl_uint, const cl_sync_point_khr*, cl_sync_point_khr*,
                                             cl_mutable_command_khr*);
using cl_api_clCommandBarrierWithWaitListKHR = CommandFunction<>;
using cl_api_clCommandCopyBufferKHR = CommandFunction<cl_mem, cl_mem, size_t, size_t, size_t>;
using cl_api_clCommandCopyBufferRectKHR =
    CommandFunction<cl_mem, cl_mem, const size_t*, const size_t*, const size_t*, size_t, size_t, size_t, size_t>;
using cl_api_clCommandCopyBufferToImageKHR = CommandFunction<cl_mem, cl_mem, size_t, const size_t*, const size_t*>;
using cl_api_clCommandCopyImageKHR = CommandFunction<cl_mem, cl_mem, const size_t*, const size_t*, const size_t*>;
using cl_api_clCommandCopyImageToBufferKHR = CommandFunction<cl_mem, cl_mem, const size_t*, const size_t*, size_t>;
using cl_api_clCommandFillBufferKHR = CommandFunction<cl_mem, const void*, size_t, size_t, size_t>;
using cl_api_clCommandFillImageKHR = CommandFunction<cl_mem, const void*, const size_t*, const size_t*>;
using cl_api_clCommandNDRangeKernelKHR =
    CommandFunction<cl_kernel, cl_uint, const size_t*, const size_t*, const size_t*>;
using cl_api_clCommandSVMMemcpyKHR = CommandFunction<void*, const void*, size_t>;
using cl_api_clCommandSVMMemFillKHR = CommandFunction<void*, const void*, size_t, size_t>;
using cl_api_clUpdateMutableCommandsKHR = cl_int(CL_API_CALL*)(cl_command_buffer_khr, cl_uint,
                                                               const cl_command_buffer_update_type_khr*, const void**);
using cl_api_clGetMutableCommandInfoKHR = cl_int(CL_API_CALL*)(cl_mutable_command_khr, cl_mutable_command_info_khr,
                                                               size_t, void*, size_t*);
using cl_api_clRemapCommandBufferKHR = cl_command_buffer_khr(CL_API_CALL*)(cl_command_buffer_khr, cl_bool, cl_uint,
                                                                           const cl_command_queue*, cl_uint,
                                                                           const cl_mutable_command_khr*,
                                                                           cl_mutable_command_khr*, cl_int*);

using cl_api_clEnqueueAcquireExternalMemObjectsKHR = clEnqueueAcquireExternalMemObjectsKHR_fn;
using cl_api_clEnqueueReleaseExternalMemObjectsKHR = clEnqueueReleaseExternalMemObjectsKHR_fn;
using cl_api_clCreateSemaphoreWithPropertiesKHR = clCreateSemaphoreWithPropertiesKHR_fn;
using cl_api_clRetainSemaphoreKHR = clRetainSemaphoreKHR_fn;
using cl_api_clReleaseSemaphoreKHR = clReleaseSemaphoreKHR_fn;
using cl_api_clGetSemaphoreInfoKHR = clGetSemaphoreInfoKHR_fn;
using cl_api_clEnqueueSignalSemaphoresKHR = clEnqueueSignalSemaphoresKHR_fn;
using cl_api_clEnqueueWaitSemaphoresKHR = clEnqueueWaitSemaphoresKHR_fn;
using cl_api_clGetSemaphoreHandleForTypeKHR = clGetSemaphoreHandleForTypeKHR_fn;

#define API_ENTRY(name, parameters) std::remove_pointer_t<decltype(cl_icd_dispatch::name)> name;
#define API_BY_NAME(name, parameters) std::remove_pointer_t<cl_api_##name> name;
#include "support/api.def"

}  // namespace clarity::api
