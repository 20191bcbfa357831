// SPDX-License-Identifier: Apache-2.0
// This file is the table of the constants that sentences about errors name.
#include "core/constant_names.h"

#include "support/flag_names.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <iterator>

namespace clarity::core {
namespace {

struct NamedConstant {
  std::uint64_t value;
  const char* name;
};

#define NAMED(constant) {constant, #constant}

constexpr NamedConstant constantNames[] = {NAMED(CL_R),
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
                                           {0x12B8, "CL_MUTABLE_DISPATCH_ASSERTS_KHR"}};

#undef NAMED

}  // namespace

std::string textOf(ConstantName constant) {
  const auto* const found = std::ranges::find(constantNames, constant.value, &NamedConstant::value);
  return found != std::end(constantNames) ? found->name : fmt::format("{:#x}", constant.value);
}

std::string textOf(MemoryFlagNames names) { return support::memoryFlagNames(names.flags); }

std::string textOf(FormatNames names) {
  return fmt::format("channel order {} and type {}", ConstantName{names.format.image_channel_order},
                     ConstantName{names.format.image_channel_data_type});
}

}  // namespace clarity::core
