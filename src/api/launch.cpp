// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points that execute kernels (OpenCL 3.0, section 5.10).
#include "api/commands.h"

#include "api/enqueue.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "built_in/plan.h"
#include "core/kernel.h"
#include "support/checked.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace clarity::api {

using core::Kernel;
using core::Memory;
using device::NDRange;
using sched::Command;

namespace {

/// A launch of more work-items ends on no machine: at 10^12 of them in a second, this many take 20 hours.
constexpr std::size_t mostWorkItems = std::size_t{1} << 56;

/// Sizes and offsets of a launch, without the work-group size; `empty` if there are no work-items.
NDRange globalRange(cl_uint work_dim, const size_t* offset, const size_t* global, bool& empty) {
  // CL_INVALID_WORK_DIMENSION if work_dim is not a valid value (1 to CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS).
  failIf(work_dim < 1 || work_dim > 3, CL_INVALID_WORK_DIMENSION, "work_dim is {}, not 1, 2 or 3", work_dim);
  NDRange range;
  range.dims = work_dim;
  // If global_work_size is NULL, or the value in any passed dimension is 0, the kernel command trivially succeeds.
  empty = !global || std::any_of(global, global + work_dim, [](std::size_t size) { return size == 0; });
  if (empty) return range;
  std::size_t total = 1;
  for (cl_uint d = 0; d < work_dim; ++d) {
    range.global[d] = global[d];
    range.offset[d] = offset ? offset[d] : 0;
    // CL_INVALID_GLOBAL_OFFSET if global_work_size plus global_work_offset exceeds the range of size_t of the device.
    failIf(!support::checkedSum(range.global[d], range.offset[d]), CL_INVALID_GLOBAL_OFFSET,
           "global_work_offset[{}] + global_work_size[{}] = {} + {} does not fit in size_t", d, d, range.offset[d],
           range.global[d]);
    // CL_INVALID_GLOBAL_WORK_SIZE if the global work size exceeds what the device can execute.
    const auto product = support::checkedProduct(total, range.global[d]);
    failIf(!product || *product > mostWorkItems, CL_INVALID_GLOBAL_WORK_SIZE,
           "global_work_size is {} x {} x {}: no machine executes more than {} work-items in a day", global[0],
           work_dim > 1 ? global[1] : 1, work_dim > 2 ? global[2] : 1, mostWorkItems);
    total = *product;
  }
  return range;
}

/// CL_INVALID_WORK_ITEM_SIZE and CL_INVALID_WORK_GROUP_SIZE for what the device cannot do.
void requireWithinDevice(const NDRange& range, const device::Properties& device) {
  const auto& local = range.local;
  for (std::size_t d = 0; d < range.dims; ++d)
    // CL_INVALID_WORK_ITEM_SIZE if the number of work-items in any of local_work_size is greater than the corresponding
    // value of CL_DEVICE_MAX_WORK_ITEM_SIZES.
    failIf(local[d] > device.maxWorkItemSizes[d], CL_INVALID_WORK_ITEM_SIZE,
           "local_work_size[{}] is {}; the device allows up to {}", d, local[d], device.maxWorkItemSizes[d]);
  // CL_INVALID_WORK_GROUP_SIZE if the total number of work-items in the work-group is greater than
  // CL_KERNEL_WORK_GROUP_SIZE.
  const std::size_t total = local[0] * local[1] * local[2];
  failIf(total > device.maxWorkGroupSize, CL_INVALID_WORK_GROUP_SIZE,
         "a work-group of {} x {} x {} has {} work-items; the device allows up to {}", local[0], local[1], local[2],
         total, device.maxWorkGroupSize);
}

/// CL_OUT_OF_RESOURCES if there is a failure to queue the execution of kernel because of insufficient resources, for
/// example local memory.
void requireLocalMemory(const device::Launch& launch, const device::Properties& device) {
  failIf(launch.localBytes > device.localMemBytes, CL_OUT_OF_RESOURCES,
         "kernel '{}' needs {}{} bytes of local memory; the device has {}", launch.info->name,
         launch.localBytes == std::numeric_limits<std::uint64_t>::max() ? "at least " : "", launch.localBytes,
         device.localMemBytes);
}

/// CL_INVALID_WORK_GROUP_SIZE for what the kernel does not allow.
void requireAllowedByKernel(const NDRange& range, const compiler::KernelInfo& info, const device::Properties& device) {
  const auto& local = range.local;
  const auto& required = info.requiredLocalSize;
  // CL_INVALID_WORK_GROUP_SIZE if local_work_size is specified and does not match the required work-group size for
  // kernel in the program source.
  const bool matches = required[0] == 0 || std::ranges::equal(required, local);
  failIf(!matches, CL_INVALID_WORK_GROUP_SIZE,
         "the work-group size is {} x {} x {}; kernel '{}' has reqd_work_group_size({}, {}, {})", local[0], local[1],
         local[2], info.name, required[0], required[1], required[2]);
  // CL_INVALID_WORK_GROUP_SIZE if local_work_size is specified and is not consistent with the required number of
  // sub-groups for kernel in the program source.
  if (info.requiredSubGroups != 0) {
    const std::size_t size = std::max(info.subGroupSize, 1u);
    const std::size_t subGroups = (local[0] * local[1] * local[2] + size - 1) / size;
    failIf(subGroups != info.requiredSubGroups, CL_INVALID_WORK_GROUP_SIZE,
           "a work-group of {} x {} x {} has {} sub-groups of {} work-items; kernel '{}' demands {}", local[0],
           local[1], local[2], subGroups, size, info.name, info.requiredSubGroups);
  }
  if (!info.uniformWorkGroups && device.nonUniformWorkGroups) return;
  // CL_INVALID_WORK_GROUP_SIZE if the program was compiled with -cl-uniform-work-group-size or as OpenCL C 1.x, or if
  // the device does not support non-uniform work-groups, and the number of work-items is not evenly divisible by the
  // size of the work-group in each dimension.
  for (std::size_t d = 0; d < range.dims; ++d)
    failIf(range.global[d] % local[d] != 0, CL_INVALID_WORK_GROUP_SIZE,
           "global_work_size[{}] is {}, no multiple of the work-group size {}, and {} '{}' has uniform work-groups", d,
           range.global[d], local[d], info.uniformWorkGroups ? "kernel" : "device",
           info.uniformWorkGroups ? info.name : device.name);
}

/// Sets the work-group size: what was given, or what the device chooses.
void setLocalSize(const sched::Queue& queue, const compiler::KernelInfo& info, const size_t* local, NDRange& range) {
  const device::Properties& device = queue.device().properties();
  if (!local) {
    queue.device().backend().chooseLocalSize(info, range);
  } else {
    for (std::size_t d = 0; d < range.dims; ++d) {
      range.local[d] = local[d];
      // CL_INVALID_WORK_GROUP_SIZE: a work-group has at least one work-item.
      failIf(local[d] == 0, CL_INVALID_WORK_GROUP_SIZE, "local_work_size[{}] is 0", d);
    }
    requireWithinDevice(range, device);
  }
  requireAllowedByKernel(range, info, device);
}

/// The NDRange of a built-in kernel, which divides its work itself, so that the sizes may be any but for 0.
built_in::GivenRange builtInRange(const Kernel& kernel, cl_uint dims, const std::size_t* offset,
                                  const std::size_t* global, const std::size_t* local) {
  built_in::GivenRange given;
  given.range = globalRange(dims, offset, global, given.isEmpty);
  if (!local) given.range.local = {0, 0, 0};
  for (cl_uint d = 0; d < dims && local; ++d) given.range.local[d] = local[d];
  given.hasLocal = local != nullptr;
  // CL_INVALID_WORK_GROUP_SIZE if local_work_size is specified and is not what the kernel has.
  for (cl_uint d = 0; d < dims && local && !kernel.builtIn()->entry->usesRange; ++d)
    failIf(local[d] != 1, CL_INVALID_WORK_GROUP_SIZE,
           "local_work_size[{}] is {}; built-in kernel '{}' divides its work itself: give NULL, or 1 in each dimension",
           d, local[d], kernel.name());
  return given;
}

/// The memory objects of a native kernel: where addresses are to be in its arguments, in place of their handles.
core::MemoryUses placePointers(const sched::Queue& queue, device::HostFunction& call, const void* originals,
                               cl_uint count, const cl_mem* list, const void** places) {
  core::MemoryUses memory;
  for (cl_uint i = 0; i < count; ++i) {
    const void* const null = nullptr;
    // CL_INVALID_MEM_OBJECT if one or more memory objects specified in mem_list are not valid or are not buffer
    // objects. NULL is allowed and stays NULL.
    Memory* const object = list[i] ? &bufferOf(queue, list[i], "an element of mem_list") : nullptr;
    const auto start = reinterpret_cast<std::uintptr_t>(originals), place = reinterpret_cast<std::uintptr_t>(places[i]);
    // CL_INVALID_VALUE: args_mem_loc points to where in args the handles are stored.
    failIf(place < start || place - start > call.args.size() || call.args.size() - (place - start) < sizeof null,
           CL_INVALID_VALUE, "args_mem_loc[{}], {}, is not inside the {} bytes at args, {}", i, places[i],
           call.args.size(), originals);
    std::memcpy(call.args.data() + (place - start), &null, sizeof null);
    if (!object) continue;
    call.pointers.push_back({place - start, object->at(0)});
    memory.push_back({*object, 0, object->size(), core::Access::ReadWrite});
  }
  return memory;
}

}  // namespace

device::NDRange checkRange(sched::Queue& queue, Kernel& kernel, cl_uint dims, const std::size_t* offset,
                           const std::size_t* global, const std::size_t* local, bool& empty) {
  NDRange range = globalRange(dims, offset, global, empty);
  if (!empty) setLocalSize(queue, kernel.info(queue.device()), local, range);
  return range;
}

std::unique_ptr<Command> launchKernel(sched::Queue& queue, Kernel& kernel, cl_command_type type, cl_uint dims,
                                      const std::size_t* offset, const std::size_t* global, const std::size_t* local,
                                      bool isRecorded) {
  // CL_INVALID_CONTEXT if the context associated with command_queue and kernel are not the same.
  requireSameContext(queue.context(), "command_queue", kernel.context(), "kernel");
  if (kernel.builtIn()) [[unlikely]]
    return launchBuiltIn(queue, kernel, type, builtInRange(kernel, dims, offset, global, local), isRecorded);
  // CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_ARGS.
  std::unique_ptr<Command> command = Command::launch(type, kernel, queue.device());
  device::Launch& launch = command->launch();
  bool empty = false;
  launch.range = globalRange(dims, offset, global, empty);
  requireLocalMemory(launch, queue.device().properties());
  // CL_MISALIGNED_SUB_BUFFER_OFFSET if a sub-buffer object is given as an argument that is a buffer object.
  for (const core::MemoryUse& use : command->memory) requireAligned(queue, use.memory, "an argument of the kernel");
  if (empty)
    command = Command::order(type, sched::Where::Nowhere, std::move(command->memory));
  else
    setLocalSize(queue, *launch.info, local, launch.range);
  return command;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                              const size_t* global_work_offset, const size_t* global_work_size,
                              const size_t* local_work_size, cl_uint num_events_in_wait_list,
                              const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueue(event, launchKernel(call.queue, ref<Kernel>(kernel), CL_COMMAND_NDRANGE_KERNEL, work_dim,
                                     global_work_offset, global_work_size, local_work_size, false));
  });
}

cl_int clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                                         const size_t* global_work_offset, const size_t* global_work_size,
                                         size_t* suggested_local_work_size) {
  return entry([&] {
    sched::Queue& queue = hostQueue(command_queue);
    Kernel& it = ref<Kernel>(kernel);
    requireSameContext(queue.context(), "command_queue", it.context(), "kernel");
    // A launch checks: CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_ARGS, CL_MISALIGNED_SUB_BUFFER_OFFSET.
    const std::unique_ptr<Command> command = Command::launch(CL_COMMAND_NDRANGE_KERNEL, it, queue.device());
    for (const core::MemoryUse& use : command->memory) requireAligned(queue, use.memory, "an argument of the kernel");
    bool empty = false;
    NDRange range = globalRange(work_dim, global_work_offset, global_work_size, empty);
    // CL_INVALID_GLOBAL_WORK_SIZE if global_work_size is NULL or if any of its values is 0.
    failIf(empty, CL_INVALID_GLOBAL_WORK_SIZE, "global_work_size is null or has a 0");
    // CL_INVALID_VALUE if suggested_local_work_size is NULL.
    failIf(!suggested_local_work_size, CL_INVALID_VALUE, "suggested_local_work_size is null");
    requireLocalMemory(command->launch(), queue.device().properties());
    setLocalSize(queue, *command->launch().info, nullptr, range);
    if (it.builtIn()) range.local = {1, 1, 1};  // as builtInRange() wants it
    std::copy_n(range.local.begin(), work_dim, suggested_local_work_size);
  });
}

cl_int clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                                            const size_t* global_work_offset, const size_t* global_work_size,
                                            size_t* suggested_local_work_size) {
  return api::clGetKernelSuggestedLocalWorkSize(command_queue, kernel, work_dim, global_work_offset, global_work_size,
                                                suggested_local_work_size);
}

cl_int clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel, cl_uint num_events_in_wait_list,
                     const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    // The same as an NDRange of one work-item (and CL_INVALID_WORK_GROUP_SIZE if the kernel requires more).
    const std::size_t one = 1;
    call.enqueue(event, launchKernel(call.queue, ref<Kernel>(kernel), CL_COMMAND_TASK, 1, nullptr, &one, &one, false));
  });
}

cl_int clEnqueueNativeKernel(cl_command_queue command_queue, void(CL_CALLBACK* user_func)(void*), void* args,
                             size_t cb_args, cl_uint num_mem_objects, const cl_mem* mem_list, const void** args_mem_loc,
                             cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    // CL_INVALID_OPERATION if the device associated with command_queue cannot execute the native kernel.
    failIf(!(call.queue.device().properties().execution & CL_EXEC_NATIVE_KERNEL), CL_INVALID_OPERATION,
           "device '{}' cannot execute native kernels", call.queue.device().properties().name);
    // CL_INVALID_VALUE if user_func is NULL.
    failIf(!user_func, CL_INVALID_VALUE, "user_func is null");
    // CL_INVALID_VALUE if args is a NULL value and cb_args > 0, or if args is a NULL value and num_mem_objects > 0.
    failIf(!args && (cb_args > 0 || num_mem_objects > 0), CL_INVALID_VALUE,
           "args is null, cb_args is {} and num_mem_objects is {}", cb_args, num_mem_objects);
    // CL_INVALID_VALUE if args is not NULL and cb_args is 0.
    failIf(args && cb_args == 0, CL_INVALID_VALUE, "cb_args is 0 and args is {}", args);
    // CL_INVALID_VALUE if num_mem_objects > 0 and mem_list or args_mem_loc are NULL, or if num_mem_objects = 0 and
    // mem_list or args_mem_loc are not NULL.
    failIf(num_mem_objects > 0 ? !mem_list || !args_mem_loc : mem_list || args_mem_loc, CL_INVALID_VALUE,
           "num_mem_objects is {}, mem_list is {} and args_mem_loc is {}", num_mem_objects,
           static_cast<const void*>(mem_list), static_cast<const void*>(args_mem_loc));
    const auto* const bytes = static_cast<const std::byte*>(args);
    device::HostFunction function{
        .function = user_func, .args = {bytes, bytes + cb_args}, .hasArgs = args != nullptr, .pointers = {}};
    core::MemoryUses memory = placePointers(call.queue, function, args, num_mem_objects, mem_list, args_mem_loc);
    call.enqueue(event, Command::of(CL_COMMAND_NATIVE_KERNEL, std::move(function), std::move(memory)));
  });
}

}  // namespace clarity::api
