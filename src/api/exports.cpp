// SPDX-License-Identifier: Apache-2.0
// This file holds the symbols that the driver exports: those that ICD loaders look up (cl_khr_icd).
// Everything else is reached through the dispatch table.
#include "api/entry_points.h"
#include "api/icd.h"
#include "core/object.h"
#include "support/memory_reserve.h"

#include <cstdint>

#define CLARITY_EXPORT extern "C" __attribute__((visibility("default")))

CLARITY_EXPORT cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms) {
  clarity::support::MemoryReserve::endOfLoading();
  return clarity::api::clIcdGetPlatformIDsKHR(num_entries, platforms, num_platforms);
}

CLARITY_EXPORT cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name, size_t param_value_size,
                                        void* param_value, size_t* param_value_size_ret) {
  return clarity::core::dispatchTable->clGetPlatformInfo(platform, param_name, param_value_size, param_value,
                                                         param_value_size_ret);
}

CLARITY_EXPORT void* clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char* func_name) {
  return clarity::api::clIcdGetFunctionAddressForPlatformKHR(platform, func_name);
}

CLARITY_EXPORT cl_int clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void* dispatch_data) {
  return clarity::api::clIcdSetPlatformDispatchDataKHR(platform, dispatch_data);
}

CLARITY_EXPORT void* clGetExtensionFunctionAddress(const char* function_name) {
  return clarity::api::addressByName(function_name);
}

#ifndef CLARITY_LLVM_STATIC
// Debuggers look here for the code of kernels (compiler/host/known_code.cpp). A static LLVM brings both along.
CLARITY_EXPORT struct {
  std::uint32_t version, action;
  void *relevant, *first;
} __jit_debug_descriptor = {1, 0, nullptr, nullptr};
CLARITY_EXPORT [[gnu::noinline]] void __jit_debug_register_code() { asm volatile("" ::: "memory"); }
#endif
