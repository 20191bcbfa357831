// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of cl_khr_unified_svm, a draft (version 0.9.0): shared virtual memory of any type.
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"
#include "api/property_list.h"
#include "core/memory.h"
#include "core/shared_memory.h"
#include "core/shared_types.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <vector>

namespace clarity::api {

using core::Context;
using core::Device;
using core::SharedKind;
using core::SharedPlace;
using Capabilities = cl_svm_capabilities_khr;

namespace {

constexpr cl_uint noType = std::numeric_limits<cl_uint>::max();
constexpr cl_svm_alloc_access_flags_khr accessFlags =
    CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR |
    CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;

/// Properties that an allocation is asked for with.
struct Wanted {
  RefPtr<Device> device;
  cl_svm_alloc_access_flags_khr access = 0;
  std::vector<cl_ulong> properties;  ///< with the 0; empty if there are none
};

/// CL_INVALID_PROPERTY if a name is not supported or is given twice, or a value is not valid.
Wanted readAllocProperties(const Context& context, const cl_svm_alloc_properties_khr* list) {
  Wanted wanted;
  wanted.properties = readPropertyList(list, CL_INVALID_PROPERTY, "property", [&](cl_ulong name, cl_ulong value) {
    if (name == CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR) {
      wanted.device = Device::fromHandle(reinterpret_cast<cl_device_id>(value));
      failIf(value != 0 && !(wanted.device && context.has(*wanted.device)), CL_INVALID_PROPERTY,
             "CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR is {:#x}, which is no device of the context", value);
    } else if (name == CL_SVM_ALLOC_ACCESS_FLAGS_KHR) {
      failIf(value & ~accessFlags, CL_INVALID_PROPERTY, "CL_SVM_ALLOC_ACCESS_FLAGS_KHR {:#x} has unknown bits", value);
      wanted.access = value;
    } else if (name == CL_SVM_ALLOC_ALIGNMENT_KHR) {
      for (const Ref<Device>& device : context.devices())
        failIf((value && !std::has_single_bit(value)) || value > device->properties().minDataAlignBytes,
               CL_INVALID_PROPERTY,
               "CL_SVM_ALLOC_ALIGNMENT_KHR is {}, which is no power of two up to {}, the size of the largest data type",
               value, device->properties().minDataAlignBytes);
    } else {
      fail(CL_INVALID_PROPERTY, "property {:#x} is not supported", name);
    }
  });
  return wanted;
}

/// Whether the device or, without one, any of the context supports the type.
bool isSupported(const Context& context, const Device* device, cl_uint type) {
  if (device) return core::sharedTypesOf(*device)[type] != 0;
  return std::ranges::any_of(context.devices(),
                             [&](const Ref<Device>& each) { return core::sharedTypesOf(each)[type] != 0; });
}

void* allocate(Context& context, const cl_svm_alloc_properties_khr* properties, cl_uint type, std::size_t size) {
  Wanted wanted = readAllocProperties(context, properties);
  const std::vector<Capabilities>& types = core::sharedTypes();
  // CL_INVALID_VALUE if svm_type_index is not below the number of types.
  failIf(type >= types.size(), CL_INVALID_VALUE, "svm_type_index is {}, and there are {} types", type, types.size());
  // CL_INVALID_OPERATION if no devices in context, or the associated device, support the type.
  failIf(!isSupported(context, wanted.device.get(), type), CL_INVALID_OPERATION,
         "no device that is asked for supports SVM type {}", type);
  // The associated device is required unless the type has CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR.
  failIf(!wanted.device && !(types[type] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR), CL_INVALID_PROPERTY,
         "SVM type {} needs CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR", type);
  if (size == 0) return nullptr;
  try {
    return context.sharedMemory().allocate(context, size,
                                           {.kind = SharedKind::Svm,
                                            .flags = wanted.access,
                                            .device = wanted.device,
                                            .type = static_cast<core::SharedType>(type),
                                            .properties = std::move(wanted.properties)});
  } catch (const core::Error& error) {
    if (error.code() != CL_MEM_OBJECT_ALLOCATION_FAILURE) throw;
    throw core::Error(CL_OUT_OF_RESOURCES, error.text());
  }
}

/// An address that is asked about, with what is known of it.
struct AskedSvm {
  std::optional<SharedPlace> place;  ///< the place of shared virtual memory
  const Device* device;              ///< that is asked about, or null

  /// Flags of an allocation of clSVMAlloc are others.
  bool hasAccessFlags() const { return place && !place->allocation.properties.empty(); }
  Device* owner() const { return place ? place->allocation.device.get() : nullptr; }
  Capabilities capabilities() const {
    if (!place) return 0;
    const Device* const its = device ? device : owner();
    const auto index = static_cast<std::size_t>(place->allocation.type);
    return its ? core::sharedTypesOf(*its)[index] : core::sharedTypes()[index];
  }
};

const InfoRow<AskedSvm> pointerInfo[] = {
    INFO_ROW(cl_uint, CL_SVM_INFO_TYPE_INDEX_KHR, it.place ? static_cast<cl_uint>(it.place->allocation.type) : noType),
    INFO_ROW(Capabilities, CL_SVM_INFO_CAPABILITIES_KHR, it.capabilities()),
    INFO_ROW(std::vector<cl_ulong>, CL_SVM_INFO_PROPERTIES_KHR,
             it.place ? it.place->allocation.properties : std::vector<cl_ulong>()),
    INFO_ROW(cl_svm_alloc_access_flags_khr, CL_SVM_INFO_ACCESS_FLAGS_KHR,
             it.hasAccessFlags() ? it.place->allocation.flags : 0),
    INFO_ROW(void*, CL_SVM_INFO_BASE_PTR_KHR, it.place ? it.place->base() : nullptr),
    INFO_ROW(std::size_t, CL_SVM_INFO_SIZE_KHR, it.place ? it.place->memory->size() : 0),
    INFO_ROW(cl_device_id, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, it.owner() ? it.owner()->handle() : nullptr),
};

/// The type with all that is required, with the most of what is desired, and with the least beside it. Types that the
/// properties can allocate come first.
cl_uint suggest(const Context& context, Capabilities required, Capabilities desired, const Wanted& wanted) {
  cl_uint best = noType;
  int bestScore = std::numeric_limits<int>::min();
  const std::vector<Capabilities>& types = core::sharedTypes();
  for (cl_uint i = 0; i < types.size(); ++i) {
    if ((types[i] & required) != required || !isSupported(context, wanted.device.get(), i)) continue;
    const bool allocatable = wanted.device || types[i] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR;
    const int score = (allocatable ? 1 << 16 : 0) + (std::popcount(types[i] & desired) << 8) -
                      std::popcount(types[i] & ~(required | desired));
    if (score <= bestScore) continue;
    best = i;
    bestScore = score;
  }
  return best;
}

}  // namespace

void* clSVMAllocWithPropertiesKHR(cl_context context, const cl_svm_alloc_properties_khr* properties,
                                  cl_uint svm_type_index, size_t size, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] { return allocate(ref<Context>(context), properties, svm_type_index, size); });
}

cl_int clSVMFreeWithPropertiesKHR(cl_context context, const cl_svm_free_properties_khr* properties,
                                  cl_svm_free_flags_khr flags, void* ptr) {
  return entry([&] {
    Context& it = ref<Context>(context);
    // CL_INVALID_PROPERTY if a property is not supported, CL_INVALID_VALUE for flags: there are none.
    failIf(properties && *properties != 0, CL_INVALID_PROPERTY, "property {:#x} is not supported",
           properties ? *properties : 0);
    failIf(flags != 0, CL_INVALID_VALUE, "flags {:#x} have unknown bits", flags);
    failIf(ptr && !it.sharedMemory().free(ptr, true), CL_INVALID_VALUE,
           "{} was not returned by clSVMAlloc or clSVMAllocWithPropertiesKHR for this context, or was freed already",
           ptr);
  });
}

cl_int clGetSVMPointerInfoKHR(cl_context context, cl_device_id device, const void* ptr,
                              cl_svm_pointer_info_khr param_name, size_t param_value_size, void* param_value,
                              size_t* param_value_size_ret) {
  return entry([&] {
    Context& it = ref<Context>(context);
    AskedSvm asked{it.sharedMemory().find(ptr), device ? &ref<Device>(device) : nullptr};
    // CL_INVALID_DEVICE if device is not associated with context.
    if (asked.device && !it.has(*asked.device))
      fail(CL_INVALID_DEVICE, "device '{}' is not of the context", asked.device->properties().name);
    if (asked.place && asked.place->allocation.kind != SharedKind::Svm) asked.place.reset();
    answer(pointerInfo, asked, param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int clGetSVMSuggestedTypeIndexKHR(cl_context context, cl_svm_capabilities_khr required_capabilities,
                                     cl_svm_capabilities_khr desired_capabilities,
                                     const cl_svm_alloc_properties_khr* properties, size_t,
                                     cl_uint* suggested_svm_type_index) {
  return entry([&] {
    const Context& it = ref<Context>(context);
    // CL_INVALID_VALUE if suggested_svm_type_index is NULL.
    failIf(!suggested_svm_type_index, CL_INVALID_VALUE, "suggested_svm_type_index is null");
    *suggested_svm_type_index =
        suggest(it, required_capabilities, desired_capabilities, readAllocProperties(it, properties));
  });
}

}  // namespace clarity::api
