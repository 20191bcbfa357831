// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of the platform (OpenCL 3.0, section 4.1) and of its compiler (section 5.8.7).
#include "core/platform.h"

#include "api/entry.h"
#include "api/entry_points.h"
#include "api/external_handles.h"
#include "api/handle.h"
#include "api/icd.h"
#include "api/info.h"
#include "api/versions.h"
#include "core/messages.h"
#include "core/shared_types.h"
#include "support/clock.h"
#include "support/private_library.h"

#include <algorithm>
#include <string_view>

namespace clarity::api {

using core::Platform;

namespace {

/// The handle types of all devices together.
std::vector<cl_external_memory_handle_type_khr> memoryHandles(Platform& platform) {
  std::vector<cl_external_memory_handle_type_khr> all;
  for (const Ref<core::Device>& device : platform.devices())
    for (const cl_external_memory_handle_type_khr type : externalMemoryHandles(device))
      if (std::ranges::find(all, type) == all.end()) all.push_back(type);
  return all;
}

const InfoRow<Platform> platformInfo[] = {
    INFO_ROW(std::string, CL_PLATFORM_PROFILE, it.profile),
    INFO_ROW(std::string, CL_PLATFORM_VERSION, it.version()),
    INFO_ROW(cl_version, CL_PLATFORM_NUMERIC_VERSION, it.numericVersion),
    INFO_ROW(std::string, CL_PLATFORM_NAME, it.name),
    INFO_ROW(std::string, CL_PLATFORM_VENDOR, it.vendor),
    INFO_ROW(std::string, CL_PLATFORM_EXTENSIONS, it.extensions()),
    INFO_ROW(std::vector<cl_name_version>, CL_PLATFORM_EXTENSIONS_WITH_VERSION, extensionVersions(it.extensions())),
    INFO_ROW(cl_ulong, CL_PLATFORM_HOST_TIMER_RESOLUTION, (static_cast<void>(it), support::hostTimeResolution())),
    INFO_ROW(std::string, CL_PLATFORM_ICD_SUFFIX_KHR, it.icdSuffix),
    INFO_ROW(std::vector<cl_semaphore_type_khr>, CL_PLATFORM_SEMAPHORE_TYPES_KHR,
             (static_cast<void>(it), std::vector<cl_semaphore_type_khr>{CL_SEMAPHORE_TYPE_BINARY_KHR})),
    INFO_ROW(std::vector<cl_external_semaphore_handle_type_khr>, CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
             (static_cast<void>(it), externalSemaphoreHandles())),
    INFO_ROW(std::vector<cl_external_semaphore_handle_type_khr>, CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
             (static_cast<void>(it), externalSemaphoreHandles())),
    INFO_ROW(std::vector<cl_external_memory_handle_type_khr>, CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
             memoryHandles(it)),
    INFO_ROW(std::vector<cl_svm_capabilities_khr>, CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR,
             (static_cast<void>(it), core::sharedTypes())),
    INFO_ROW(cl_platform_command_buffer_capabilities_khr, CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR,
             (static_cast<void>(it), CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR |
                                         CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                                         CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR)),
};

void listPlatforms(cl_uint room, cl_platform_id* platforms, cl_uint* count) {
  // CL_PLATFORM_NOT_FOUND_KHR if zero platforms are available (cl_khr_icd): the driver is not whole.
  failIf(support::missingLibrary, CL_PLATFORM_NOT_FOUND_KHR, "{}", support::missingLibrary);
  // CL_INVALID_VALUE if num_entries is zero and platforms is not NULL, or if both num_platforms and platforms are NULL.
  failIf(room == 0 && platforms, CL_INVALID_VALUE, "num_entries is 0 and platforms is {}",
         static_cast<const void*>(platforms));
  failIf(!platforms && !count, CL_INVALID_VALUE, "platforms and num_platforms are both null");
  if (platforms) platforms[0] = Platform::get().handle();
  if (count) *count = 1;
}

}  // namespace

cl_int clGetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms) {
  return entry([&] { listPlatforms(num_entries, platforms, num_platforms); });
}

cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms) {
  return entry([&] { listPlatforms(num_entries, platforms, num_platforms); });
}

void* clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char* func_name) {
  // NULL if the function does not exist for platform, or platform is not a valid one of the implementation.
  if (!Platform::fromHandle(platform)) return nullptr;
  return addressByName(func_name);
}

cl_int clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void* dispatch_data) {
  return entry([&] { ref<Platform>(platform).setDispatchData(dispatch_data); });
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name, size_t param_value_size,
                         void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    // A NULL platform is implementation-defined: ours.
    Platform& it = platform ? ref<Platform>(platform) : Platform::get();
    answer(platformInfo, it, param_name, param_value_size, param_value, param_value_size_ret);
  });
}

void* clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char* function_name) {
  // NULL if platform is not a valid platform or the function does not exist.
  if (!Platform::fromHandle(platform)) return nullptr;
  return addressByName(function_name);
}

void* clGetExtensionFunctionAddress(const char* function_name) { return addressByName(function_name); }

cl_int clGetLastErrorTextCLARITY(size_t size, char* text, size_t* size_ret) {
  // Not through entry(): this call's own error must not take the place of the one that is asked for.
  const std::string_view last = core::lastError();
  if (size_ret) *size_ret = last.size() + 1;
  // CL_INVALID_VALUE if text is not NULL and size is less than the length of the sentence with its terminating zero, or
  // if both pointers are NULL.
  if (!text) return size_ret ? CL_SUCCESS : CL_INVALID_VALUE;
  if (size <= last.size()) return CL_INVALID_VALUE;
  std::ranges::copy(last, text);
  text[last.size()] = '\0';
  return CL_SUCCESS;
}

cl_int clUnloadPlatformCompiler(cl_platform_id platform) {
  // The compiler holds nothing worth giving back between builds.
  return entry([&] { ref<Platform>(platform); });
}

cl_int clUnloadCompiler() { return CL_SUCCESS; }

}  // namespace clarity::api
