// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of unified shared memory (cl_intel_unified_shared_memory, version 1.2.0). Arguments
// of kernels are in kernel_pointers.cpp.
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"
#include "api/shared_transfer.h"
#include "core/shared_memory.h"

#include <optional>

namespace clarity::api {

using core::Context;
using core::Device;
using core::SharedKind;
using core::SharedPlace;
using sched::Queue;

namespace {

constexpr cl_mem_alloc_flags_intel placementFlags =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

/// The flags among the properties. CL_INVALID_PROPERTY if a name is not supported or specified more than once, or if a
/// value is not valid: flags of placement are for shared allocations only, and exclude each other.
cl_mem_alloc_flags_intel flagsOf(const cl_mem_properties_intel* properties, SharedKind kind) {
  if (!properties || *properties == 0) return 0;
  failIf(properties[0] != CL_MEM_ALLOC_FLAGS_INTEL, CL_INVALID_PROPERTY, "property {:#x} is not supported",
         properties[0]);
  failIf(properties[2] == CL_MEM_ALLOC_FLAGS_INTEL, CL_INVALID_PROPERTY,
         "CL_MEM_ALLOC_FLAGS_INTEL is specified more than once");
  failIf(properties[2] != 0, CL_INVALID_PROPERTY, "property {:#x} is not supported", properties[2]);
  const cl_mem_alloc_flags_intel flags = properties[1];
  const cl_mem_alloc_flags_intel allowed =
      CL_MEM_ALLOC_WRITE_COMBINED_INTEL | (kind == SharedKind::UsmShared ? placementFlags : 0);
  failIf(flags & ~allowed, CL_INVALID_PROPERTY, "CL_MEM_ALLOC_FLAGS_INTEL {:#x} has {:#x}, which is not allowed here",
         flags, flags & ~allowed);
  failIf((flags & placementFlags) == placementFlags, CL_INVALID_PROPERTY,
         "CL_MEM_ALLOC_FLAGS_INTEL {:#x} has both initial placements", flags);
  return flags;
}

void* allocate(Context& context, Device* device, const cl_mem_properties_intel* properties, std::size_t size,
               cl_uint alignment, SharedKind kind) {
  // CL_INVALID_OPERATION if the capabilities are zero for the device, or for all devices in context.
  failIf(!(device ? device->properties().svmCapabilities : context.svmCapabilities()), CL_INVALID_OPERATION,
         "no device that is asked for has unified shared memory");
  const cl_mem_alloc_flags_intel flags = flagsOf(properties, kind);
  if (device)
    requireAllocatable(*device, size, alignment);
  else
    requireAllocatable(context, size, alignment);
  return context.sharedMemory().allocate(
      context, size, {.kind = kind, .flags = flags, .device = RefPtr<Device>(device), .type = {}, .properties = {}});
}

/// CL_INVALID_DEVICE if the device is not valid or is not associated with the context.
Device& deviceOf(const Context& context, cl_device_id device) {
  Device& it = ref<Device>(device);
  failIf(!context.has(it), CL_INVALID_DEVICE, "device '{}' is not of the context", it.properties().name);
  return it;
}

void freeMemory(Context& context, void* ptr) {
  // CL_INVALID_VALUE if ptr is not a value returned by one of the allocating functions, or NULL.
  failIf(
      ptr && !context.sharedMemory().free(ptr, false), CL_INVALID_VALUE,
      "{} was not returned by a function that allocates unified shared memory for this context, or was freed already",
      ptr);
}

/// An address that is asked about, with what is known of it.
struct AskedUsm {
  std::optional<SharedPlace> place;

  bool isUsm() const { return place && place->allocation.kind != SharedKind::Svm; }
  cl_unified_shared_memory_type_intel type() const {
    if (!isUsm()) return CL_MEM_TYPE_UNKNOWN_INTEL;
    switch (place->allocation.kind) {
      case SharedKind::UsmHost: return CL_MEM_TYPE_HOST_INTEL;
      case SharedKind::UsmDevice: return CL_MEM_TYPE_DEVICE_INTEL;
      default: return CL_MEM_TYPE_SHARED_INTEL;
    }
  }
  void* base() const { return isUsm() ? place->base() : nullptr; }
  std::size_t size() const { return isUsm() ? place->memory->size() : 0; }
  cl_device_id device() const {
    return isUsm() && place->allocation.device ? place->allocation.device->handle() : nullptr;
  }
  cl_mem_alloc_flags_intel flags() const { return isUsm() ? place->allocation.flags : 0; }
};

const InfoRow<AskedUsm> allocationInfo[] = {
    INFO_ROW(cl_unified_shared_memory_type_intel, CL_MEM_ALLOC_TYPE_INTEL, it.type()),
    INFO_ROW(void*, CL_MEM_ALLOC_BASE_PTR_INTEL, it.base()),
    INFO_ROW(size_t, CL_MEM_ALLOC_SIZE_INTEL, it.size()),
    INFO_ROW(cl_device_id, CL_MEM_ALLOC_DEVICE_INTEL, it.device()),
    INFO_ROW(cl_mem_alloc_flags_intel, CL_MEM_ALLOC_FLAGS_INTEL, it.flags()),
};

}  // namespace

void* clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel* properties, size_t size, cl_uint alignment,
                          cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    return allocate(ref<Context>(context), nullptr, properties, size, alignment, SharedKind::UsmHost);
  });
}

void* clDeviceMemAllocINTEL(cl_context context, cl_device_id device, const cl_mem_properties_intel* properties,
                            size_t size, cl_uint alignment, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    Context& it = ref<Context>(context);
    return allocate(it, &deviceOf(it, device), properties, size, alignment, SharedKind::UsmDevice);
  });
}

void* clSharedMemAllocINTEL(cl_context context, cl_device_id device, const cl_mem_properties_intel* properties,
                            size_t size, cl_uint alignment, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    Context& it = ref<Context>(context);
    return allocate(it, device ? &deviceOf(it, device) : nullptr, properties, size, alignment, SharedKind::UsmShared);
  });
}

cl_int clMemFreeINTEL(cl_context context, void* ptr) {
  return entry([&] { freeMemory(ref<Context>(context), ptr); });
}

cl_int clMemBlockingFreeINTEL(cl_context context, void* ptr) {
  return entry([&] {
    Context& it = ref<Context>(context);
    // A kernel may use memory that is none of its arguments, so everything that was enqueued may use it.
    if (ptr) Queue::finishAll(it);
    freeMemory(it, ptr);
  });
}

cl_int clGetMemAllocInfoINTEL(cl_context context, const void* ptr, cl_mem_info_intel param_name,
                              size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    AskedUsm asked{ref<Context>(context).sharedMemory().find(ptr)};
    answer(allocationInfo, asked, param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int clEnqueueMemFillINTEL(cl_command_queue command_queue, void* dst_ptr, const void* pattern, size_t pattern_size,
                             size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                             cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    constexpr SharedTransfer names{CL_COMMAND_MEMFILL_INTEL, "dst_ptr", ""};
    call.enqueue(event, sharedFill(call.queue, names, dst_ptr, pattern, pattern_size, size));
  });
}

cl_int clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking, void* dst_ptr, const void* src_ptr,
                            size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                            cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    constexpr SharedTransfer names{CL_COMMAND_MEMCPY_INTEL, "dst_ptr", "src_ptr"};
    call.enqueueBlocking(blocking, event, sharedCopy(call.queue, names, dst_ptr, src_ptr, size));
  });
}

cl_int clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void* ptr, size_t size,
                                cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    requireShared(call.queue);
    // CL_INVALID_VALUE if flags is not a supported combination.
    requireMigrationFlags(flags);
    call.enqueue(
        event, sharedMove(call.queue, CL_COMMAND_MIGRATEMEM_INTEL, {{ptr, size}}, flags & CL_MIGRATE_MEM_OBJECT_HOST));
  });
}

cl_int clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void* ptr, size_t, cl_mem_advice_intel advice,
                               cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    requireShared(call.queue);
    // CL_INVALID_VALUE if advice is not supported advice for the device: there is none but no advice.
    failIf(advice != 0, CL_INVALID_VALUE, "advice {:#x} is not known", advice);
    call.enqueue(event, sharedOrder(call.queue, CL_COMMAND_MEMADVISE_INTEL, {ptr}));
  });
}

}  // namespace clarity::api
