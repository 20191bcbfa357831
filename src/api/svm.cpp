// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of shared virtual memory (OpenCL 3.0, section 5.6).
#include "api/commands.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/memory_flags.h"
#include "api/shared_transfer.h"
#include "core/shared_memory.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace clarity::api {

using core::Context;
using core::SharedKind;
using core::SharedPlace;
using sched::Command;
using sched::Queue;

namespace {

using FreeFunction = void(CL_CALLBACK*)(cl_command_queue queue, cl_uint count, void* pointers[], void* userData);

/// CL_INVALID_VALUE for flags that clSVMAlloc does not take, or that exclude each other.
void requireSvmFlags(cl_svm_mem_flags flags) {
  requireMemoryFlags(flags & ~cl_svm_mem_flags{CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS}, memoryAccessFlags);
  failIf((flags & CL_MEM_SVM_ATOMICS) && !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER), CL_INVALID_VALUE,
         "flags {:#x} have CL_MEM_SVM_ATOMICS without CL_MEM_SVM_FINE_GRAIN_BUFFER", flags);
}

void* allocate(Context& context, cl_svm_mem_flags flags, std::size_t size, cl_uint alignment) {
  const cl_device_svm_capabilities able = context.svmCapabilities();
  failIf(!able, CL_INVALID_OPERATION, "no device of the context supports shared virtual memory");
  requireSvmFlags(flags);
  failIf((flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) && !(able & CL_DEVICE_SVM_FINE_GRAIN_BUFFER), CL_INVALID_VALUE,
         "flags {:#x}: no device of the context has fine-grained buffers", flags);
  failIf((flags & CL_MEM_SVM_ATOMICS) && !(able & CL_DEVICE_SVM_ATOMICS), CL_INVALID_VALUE,
         "flags {:#x}: no device of the context has atomics on shared virtual memory", flags);
  if (size == 0) return nullptr;  // no error (cl_khr_unified_svm)
  requireAllocatable(context, size, alignment);
  const bool fine = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER;
  return context.sharedMemory().allocate(context, size,
                                         {.kind = SharedKind::Svm,
                                          .flags = flags,
                                          .device = {},
                                          .type = fine ? core::SharedType::FineGrain : core::SharedType::CoarseGrain,
                                          .properties = {}});
}

/// The call that clEnqueueSVMFree has the device make, before the pointers in HostFunction::args.
struct FreeCall {
  cl_command_queue queue;
  Context* context;  ///< kept by the command-queue
  FreeFunction function;
  void* userData;
  cl_uint count;
};
static_assert(std::is_trivially_copyable_v<FreeCall> && sizeof(FreeCall) % alignof(void*) == 0);

void runFree(void* args) {
  FreeCall call;
  std::memcpy(&call, args, sizeof call);
  auto* const pointers = reinterpret_cast<void**>(static_cast<std::byte*>(args) + sizeof call);
  if (call.function) return call.function(call.queue, call.count, pointers, call.userData);
  for (void* const pointer : std::span(pointers, call.count)) call.context->sharedMemory().free(pointer, true);
}

}  // namespace

void* clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, unsigned int alignment) {
  // There is no error code: NULL says that it failed, and the sentence says why.
  return entry(nullptr, [&] { return allocate(ref<Context>(context), flags, size, alignment); });
}

void clSVMFree(cl_context context, void* svm_pointer) {
  entry([&] {
    Context& it = ref<Context>(context);
    // If a NULL pointer is passed, or if no devices in context support SVM, no action occurs.
    if (!svm_pointer || !it.svmCapabilities()) return;
    // There is no error code for a pointer that clSVMAlloc has not returned: a sentence tells.
    failIf(!it.sharedMemory().free(svm_pointer, true), CL_INVALID_VALUE,
           "{} was not returned by clSVMAlloc or clSVMAllocWithPropertiesKHR for this context, or was freed already",
           svm_pointer);
  });
}

cl_int clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers, void** svm_pointers,
                        void(CL_CALLBACK* pfn_free_func)(cl_command_queue, cl_uint, void**, void*), void* user_data,
                        cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    requireShared(call.queue);
    // CL_INVALID_VALUE if num_svm_pointers is 0 and svm_pointers is non-NULL, or if svm_pointers is NULL and
    // num_svm_pointers is not 0.
    failIf((num_svm_pointers == 0) != (svm_pointers == nullptr), CL_INVALID_VALUE,
           "num_svm_pointers is {} and svm_pointers is {}", num_svm_pointers, static_cast<const void*>(svm_pointers));
    Context& context = call.queue.context();
    for (cl_uint i = 0; !pfn_free_func && i < num_svm_pointers; ++i) {
      const auto place = context.sharedMemory().find(svm_pointers[i]);
      failIf(svm_pointers[i] && (!place || place->offset != 0 || place->allocation.kind != SharedKind::Svm),
             CL_INVALID_VALUE,
             "svm_pointers[{}], {}, was not returned by clSVMAlloc for this context, and pfn_free_func is null", i,
             svm_pointers[i]);
    }
    const FreeCall free{call.queue.handle(), &context, pfn_free_func, user_data, num_svm_pointers};
    device::HostFunction function{.function = runFree, .args = {}, .hasArgs = true, .pointers = {}};
    function.args.resize(sizeof free + num_svm_pointers * sizeof(void*));
    std::memcpy(function.args.data(), &free, sizeof free);
    if (num_svm_pointers)
      std::memcpy(function.args.data() + sizeof free, svm_pointers, num_svm_pointers * sizeof(void*));
    call.enqueue(event, Command::of(CL_COMMAND_SVM_FREE, std::move(function), {}));
  });
}

std::unique_ptr<Command> copyShared(Queue& queue, void* target, const void* source, std::size_t size) {
  constexpr SharedTransfer names{CL_COMMAND_SVM_MEMCPY, "dst_ptr", "src_ptr", true};
  return sharedCopy(queue, names, target, source, size);
}

cl_int clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy, void* dst_ptr, const void* src_ptr,
                          size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                          cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueueBlocking(blocking_copy, event, copyShared(call.queue, dst_ptr, src_ptr, size));
  });
}

std::unique_ptr<Command> fillShared(Queue& queue, void* target, const void* pattern, std::size_t patternBytes,
                                    std::size_t size) {
  constexpr SharedTransfer names{CL_COMMAND_SVM_MEMFILL, "svm_ptr", "", true};
  return sharedFill(queue, names, target, pattern, patternBytes, size);
}

cl_int clEnqueueSVMMemFill(cl_command_queue command_queue, void* svm_ptr, const void* pattern, size_t pattern_size,
                           size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                           cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueue(event, fillShared(call.queue, svm_ptr, pattern, pattern_size, size));
  });
}

cl_int clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map, cl_map_flags flags, void* svm_ptr,
                       size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    requireShared(call.queue);
    // CL_INVALID_VALUE if svm_ptr is NULL, if size is zero, or if values specified in map_flags are not valid.
    failIf(!svm_ptr, CL_INVALID_VALUE, "svm_ptr is null");
    failIf(size == 0, CL_INVALID_VALUE, "size is 0");
    requireMapFlags(flags);
    const auto place = call.queue.context().sharedMemory().find(svm_ptr);
    if (place && flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
      place->memory->setWritten(place->offset, std::min(size, place->memory->size() - place->offset), true);
    const bool moves = place && place->allocation.needsMap() && !(flags & CL_MAP_WRITE_INVALIDATE_REGION);
    call.enqueueBlocking(blocking_map, event,
                         moves ? sharedMove(call.queue, CL_COMMAND_SVM_MAP, {{svm_ptr, size}}, true)
                               : sharedOrder(call.queue, CL_COMMAND_SVM_MAP, {svm_ptr}));
  });
}

cl_int clEnqueueSVMUnmap(cl_command_queue command_queue, void* svm_ptr, cl_uint num_events_in_wait_list,
                         const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    requireShared(call.queue);
    // CL_INVALID_VALUE if svm_ptr is NULL.
    failIf(!svm_ptr, CL_INVALID_VALUE, "svm_ptr is null");
    const auto place = call.queue.context().sharedMemory().find(svm_ptr);
    call.enqueue(event, place && place->allocation.needsMap()
                            ? sharedMove(call.queue, CL_COMMAND_SVM_UNMAP, {{svm_ptr, 0}}, false)
                            : sharedOrder(call.queue, CL_COMMAND_SVM_UNMAP, {svm_ptr}));
  });
}

cl_int clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers, const void** svm_pointers,
                              const size_t* sizes, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                              const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    requireShared(call.queue);
    // CL_INVALID_VALUE if num_svm_pointers is zero or svm_pointers is NULL, or if flags is not valid.
    failIf(num_svm_pointers == 0 || !svm_pointers, CL_INVALID_VALUE, "num_svm_pointers is {} and svm_pointers is {}",
           num_svm_pointers, static_cast<const void*>(svm_pointers));
    requireMigrationFlags(flags);
    const std::vector<const void*> pointers(svm_pointers, svm_pointers + num_svm_pointers);
    for (cl_uint i = 0; i < num_svm_pointers; ++i) {
      const auto place = call.queue.context().sharedMemory().find(pointers[i]);
      const std::size_t size = sizes ? sizes[i] : 0;
      if (!pointers[i] && size == 0) continue;  // ignored (cl_khr_unified_svm)
      // Memory of the application, where that is a type of shared memory.
      const cl_device_svm_capabilities able = call.queue.device().properties().svmCapabilities;
      if (pointers[i] && !place && (able & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)) continue;
      // CL_INVALID_VALUE if sizes[i] is non-zero and the range is not contained within an SVM allocation; each pointer
      // must be within one.
      failIf(!place || size > place->memory->size() - place->offset, CL_INVALID_VALUE,
             "{} bytes at svm_pointers[{}], {}, are not in one allocation of shared virtual memory", size, i,
             pointers[i]);
    }
    std::vector<SharedPart> parts;
    for (cl_uint i = 0; i < num_svm_pointers; ++i) parts.push_back({pointers[i], sizes ? sizes[i] : 0});
    call.enqueue(event, sharedMove(call.queue, CL_COMMAND_SVM_MIGRATE_MEM, parts, flags & CL_MIGRATE_MEM_OBJECT_HOST));
  });
}

}  // namespace clarity::api
