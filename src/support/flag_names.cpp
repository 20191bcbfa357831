// SPDX-License-Identifier: Apache-2.0
// This file holds the tables of flags and constants.
#include "support/flag_names.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

namespace clarity::support {
namespace {

struct NamedFlag {
  std::uint64_t bit;
  const char* name;
};

#define NAMED(flag) \
  { flag, #flag }

constexpr NamedFlag memoryFlags[] = {NAMED(CL_MEM_READ_WRITE),         NAMED(CL_MEM_WRITE_ONLY),
                                     NAMED(CL_MEM_READ_ONLY),          NAMED(CL_MEM_USE_HOST_PTR),
                                     NAMED(CL_MEM_ALLOC_HOST_PTR),     NAMED(CL_MEM_COPY_HOST_PTR),
                                     {1 << 6, "CL_MEM_IMMUTABLE_EXT"},  // newer than some headers
                                     NAMED(CL_MEM_HOST_WRITE_ONLY),    NAMED(CL_MEM_HOST_READ_ONLY),
                                     NAMED(CL_MEM_HOST_NO_ACCESS),     NAMED(CL_MEM_SVM_FINE_GRAIN_BUFFER),
                                     NAMED(CL_MEM_SVM_ATOMICS),        NAMED(CL_MEM_KERNEL_READ_AND_WRITE)};

constexpr NamedFlag mapFlags[] = {NAMED(CL_MAP_READ), NAMED(CL_MAP_WRITE), NAMED(CL_MAP_WRITE_INVALIDATE_REGION)};

constexpr NamedFlag constants[] = {
    // orders of channels
    NAMED(CL_R),
    NAMED(CL_A),
    NAMED(CL_RG),
    NAMED(CL_RA),
    NAMED(CL_RGB),
    NAMED(CL_RGBA),
    NAMED(CL_BGRA),
    NAMED(CL_ARGB),
    NAMED(CL_INTENSITY),
    NAMED(CL_LUMINANCE),
    NAMED(CL_Rx),
    NAMED(CL_RGx),
    NAMED(CL_RGBx),
    NAMED(CL_DEPTH),
    NAMED(CL_DEPTH_STENCIL),
    NAMED(CL_sRGB),
    NAMED(CL_sRGBx),
    NAMED(CL_sRGBA),
    NAMED(CL_sBGRA),
    NAMED(CL_ABGR),
    // types of channels
    NAMED(CL_SNORM_INT8),
    NAMED(CL_SNORM_INT16),
    NAMED(CL_UNORM_INT8),
    NAMED(CL_UNORM_INT16),
    NAMED(CL_UNORM_SHORT_565),
    NAMED(CL_UNORM_SHORT_555),
    NAMED(CL_UNORM_INT_101010),
    NAMED(CL_SIGNED_INT8),
    NAMED(CL_SIGNED_INT16),
    NAMED(CL_SIGNED_INT32),
    NAMED(CL_UNSIGNED_INT8),
    NAMED(CL_UNSIGNED_INT16),
    NAMED(CL_UNSIGNED_INT32),
    NAMED(CL_HALF_FLOAT),
    NAMED(CL_FLOAT),
    NAMED(CL_UNORM_INT24),
    NAMED(CL_UNORM_INT_101010_2),
    // newer than some headers
    {0x10E1, "CL_UNORM_INT10X6_EXT"},
    {0x10E3, "CL_UNSIGNED_INT_RAW10_EXT"},
    {0x10E4, "CL_UNSIGNED_INT_RAW12_EXT"},
    {0x10E5, "CL_UNORM_INT_2_101010_EXT"},
    {0x10E6, "CL_UNSIGNED_INT10X6_EXT"},
    {0x10E7, "CL_UNSIGNED_INT12X4_EXT"},
    {0x10E8, "CL_UNSIGNED_INT14X2_EXT"},
    {0x10E9, "CL_UNORM_INT12X4_EXT"},
    {0x10EA, "CL_UNORM_INT14X2_EXT"},
    // kinds of memory objects
    NAMED(CL_MEM_OBJECT_BUFFER),
    NAMED(CL_MEM_OBJECT_IMAGE2D),
    NAMED(CL_MEM_OBJECT_IMAGE3D),
    NAMED(CL_MEM_OBJECT_IMAGE2D_ARRAY),
    NAMED(CL_MEM_OBJECT_IMAGE1D),
    NAMED(CL_MEM_OBJECT_IMAGE1D_ARRAY),
    NAMED(CL_MEM_OBJECT_IMAGE1D_BUFFER),
    NAMED(CL_MEM_OBJECT_PIPE),
    // samplers
    NAMED(CL_ADDRESS_NONE),
    NAMED(CL_ADDRESS_CLAMP_TO_EDGE),
    NAMED(CL_ADDRESS_CLAMP),
    NAMED(CL_ADDRESS_REPEAT),
    NAMED(CL_ADDRESS_MIRRORED_REPEAT),
    NAMED(CL_FILTER_NEAREST),
    NAMED(CL_FILTER_LINEAR),
    NAMED(CL_SAMPLER_NORMALIZED_COORDS),
    NAMED(CL_SAMPLER_ADDRESSING_MODE),
    NAMED(CL_SAMPLER_FILTER_MODE),
    NAMED(CL_SAMPLER_MIP_FILTER_MODE_KHR),
    NAMED(CL_SAMPLER_LOD_MIN_KHR),
    NAMED(CL_SAMPLER_LOD_MAX_KHR),
    // properties of other objects
    NAMED(CL_CONTEXT_PLATFORM),
    NAMED(CL_CONTEXT_INTEROP_USER_SYNC),
    NAMED(CL_CONTEXT_MEMORY_INITIALIZE_KHR),
    NAMED(CL_CONTEXT_TERMINATE_KHR),
    NAMED(CL_QUEUE_PROPERTIES),
    NAMED(CL_QUEUE_SIZE),
    NAMED(CL_QUEUE_PRIORITY_KHR),
    NAMED(CL_QUEUE_THROTTLE_KHR),
    NAMED(CL_DEVICE_PARTITION_EQUALLY),
    NAMED(CL_DEVICE_PARTITION_BY_COUNTS),
    NAMED(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN),
    {0x2051, "CL_MEM_DEVICE_HANDLE_LIST_KHR"},
    {0x2060, "CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR"},
    {0x2067, "CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR"},
    {0x5000, "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT"},
    {0x203D, "CL_SEMAPHORE_TYPE_KHR"},
    {0x2053, "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR"},
    {0x203F, "CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR"},
    {0x2055, "CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR"},
    {0x1293, "CL_COMMAND_BUFFER_FLAGS_KHR"},
    {0x12B7, "CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR"},
    {0x12B1, "CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR"},
    {0x12B8, "CL_MUTABLE_DISPATCH_ASSERTS_KHR"},
    // what is asked of objects
    NAMED(CL_PLATFORM_PROFILE),
    NAMED(CL_PLATFORM_VERSION),
    NAMED(CL_PLATFORM_NAME),
    NAMED(CL_PLATFORM_VENDOR),
    NAMED(CL_PLATFORM_EXTENSIONS),
    NAMED(CL_DEVICE_TYPE),
    NAMED(CL_DEVICE_VENDOR_ID),
    NAMED(CL_DEVICE_MAX_COMPUTE_UNITS),
    NAMED(CL_DEVICE_MAX_WORK_GROUP_SIZE),
    NAMED(CL_DEVICE_MAX_WORK_ITEM_SIZES),
    NAMED(CL_DEVICE_GLOBAL_MEM_SIZE),
    NAMED(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
    NAMED(CL_DEVICE_LOCAL_MEM_SIZE),
    NAMED(CL_DEVICE_NAME),
    NAMED(CL_DEVICE_VENDOR),
    NAMED(CL_DRIVER_VERSION),
    NAMED(CL_DEVICE_VERSION),
    NAMED(CL_DEVICE_EXTENSIONS),
    NAMED(CL_DEVICE_PLATFORM),
    NAMED(CL_CONTEXT_REFERENCE_COUNT),
    NAMED(CL_CONTEXT_DEVICES),
    NAMED(CL_CONTEXT_PROPERTIES),
    NAMED(CL_CONTEXT_NUM_DEVICES),
    NAMED(CL_QUEUE_CONTEXT),
    NAMED(CL_QUEUE_DEVICE),
    NAMED(CL_QUEUE_REFERENCE_COUNT),
    NAMED(CL_MEM_TYPE),
    NAMED(CL_MEM_FLAGS),
    NAMED(CL_MEM_SIZE),
    NAMED(CL_MEM_HOST_PTR),
    NAMED(CL_MEM_MAP_COUNT),
    NAMED(CL_MEM_REFERENCE_COUNT),
    NAMED(CL_MEM_CONTEXT),
    NAMED(CL_MEM_ASSOCIATED_MEMOBJECT),
    NAMED(CL_MEM_OFFSET),
    NAMED(CL_IMAGE_FORMAT),
    NAMED(CL_IMAGE_ELEMENT_SIZE),
    NAMED(CL_IMAGE_ROW_PITCH),
    NAMED(CL_IMAGE_SLICE_PITCH),
    NAMED(CL_IMAGE_WIDTH),
    NAMED(CL_IMAGE_HEIGHT),
    NAMED(CL_IMAGE_DEPTH),
    NAMED(CL_PROGRAM_REFERENCE_COUNT),
    NAMED(CL_PROGRAM_CONTEXT),
    NAMED(CL_PROGRAM_NUM_DEVICES),
    NAMED(CL_PROGRAM_DEVICES),
    NAMED(CL_PROGRAM_SOURCE),
    NAMED(CL_PROGRAM_BINARY_SIZES),
    NAMED(CL_PROGRAM_BINARIES),
    NAMED(CL_PROGRAM_NUM_KERNELS),
    NAMED(CL_PROGRAM_KERNEL_NAMES),
    NAMED(CL_PROGRAM_BUILD_STATUS),
    NAMED(CL_PROGRAM_BUILD_OPTIONS),
    NAMED(CL_PROGRAM_BUILD_LOG),
    NAMED(CL_PROGRAM_BINARY_TYPE),
    NAMED(CL_KERNEL_FUNCTION_NAME),
    NAMED(CL_KERNEL_NUM_ARGS),
    NAMED(CL_KERNEL_REFERENCE_COUNT),
    NAMED(CL_KERNEL_CONTEXT),
    NAMED(CL_KERNEL_PROGRAM),
    NAMED(CL_KERNEL_ARG_ADDRESS_QUALIFIER),
    NAMED(CL_KERNEL_ARG_ACCESS_QUALIFIER),
    NAMED(CL_KERNEL_ARG_TYPE_NAME),
    NAMED(CL_KERNEL_ARG_TYPE_QUALIFIER),
    NAMED(CL_KERNEL_ARG_NAME),
    NAMED(CL_KERNEL_WORK_GROUP_SIZE),
    NAMED(CL_KERNEL_COMPILE_WORK_GROUP_SIZE),
    NAMED(CL_KERNEL_LOCAL_MEM_SIZE),
    NAMED(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE),
    NAMED(CL_KERNEL_PRIVATE_MEM_SIZE),
    NAMED(CL_EVENT_COMMAND_QUEUE),
    NAMED(CL_EVENT_COMMAND_TYPE),
    NAMED(CL_EVENT_REFERENCE_COUNT),
    NAMED(CL_EVENT_COMMAND_EXECUTION_STATUS),
    NAMED(CL_EVENT_CONTEXT),
    NAMED(CL_PROFILING_COMMAND_QUEUED),
    NAMED(CL_PROFILING_COMMAND_SUBMIT),
    NAMED(CL_PROFILING_COMMAND_START),
    NAMED(CL_PROFILING_COMMAND_END),
    NAMED(CL_PROFILING_COMMAND_COMPLETE)};

constexpr NamedFlag deviceTypes[] = {NAMED(CL_DEVICE_TYPE_DEFAULT), NAMED(CL_DEVICE_TYPE_CPU),
                                     NAMED(CL_DEVICE_TYPE_GPU), NAMED(CL_DEVICE_TYPE_ACCELERATOR),
                                     NAMED(CL_DEVICE_TYPE_CUSTOM)};

constexpr NamedFlag queueProperties[] = {NAMED(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                                         NAMED(CL_QUEUE_PROFILING_ENABLE)};

constexpr NamedFlag fenceFlags[] = {
    {1, "CLK_LOCAL_MEM_FENCE"}, {2, "CLK_GLOBAL_MEM_FENCE"}, {4, "CLK_IMAGE_MEM_FENCE"}};

#undef NAMED

std::string namesOf(std::uint64_t flags, std::span<const NamedFlag> names) {
  std::string text;
  const auto add = [&text](std::string_view name) { text.append(text.empty() ? "" : " | ").append(name); };
  for (const NamedFlag& each : names)
    if (flags & each.bit) {
      add(each.name);
      flags &= ~each.bit;
    }
  if (flags != 0 || text.empty()) add(flags != 0 ? fmt::format("{:#x}", flags) : "0");
  return text;
}

}  // namespace

std::string memoryFlagNames(std::uint64_t flags) { return namesOf(flags, memoryFlags); }
std::string constantName(std::uint64_t value) {
  const auto* const found = std::ranges::find(constants, value, &NamedFlag::bit);
  return found != std::end(constants) ? found->name : fmt::format("{:#x}", value);
}
std::string deviceTypeNames(std::uint64_t types) {
  return types == CL_DEVICE_TYPE_ALL ? "CL_DEVICE_TYPE_ALL" : namesOf(types, deviceTypes);
}
std::string queuePropertyNames(std::uint64_t properties) { return namesOf(properties, queueProperties); }
std::string fenceFlagNames(std::uint64_t flags) { return namesOf(flags, fenceFlags); }
std::string mapFlagNames(std::uint64_t flags) { return namesOf(flags, mapFlags); }

}  // namespace clarity::support
