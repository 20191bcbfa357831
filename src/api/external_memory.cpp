// SPDX-License-Identifier: Apache-2.0
// This file makes memory objects of file descriptors and holds the entry points that hand them over
// (cl_khr_external_memory, cl_khr_external_memory_opaque_fd, cl_khr_external_memory_dma_buf).
#include "api/external_memory.h"

#include "api/enqueue.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/external_handles.h"
#include "api/memory_flags.h"
#include "api/new_extensions.h"
#include "api/property_list.h"
#include "core/constant_names.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace clarity::api {

using core::Access;
using core::Context;
using core::Device;
using core::ExternalMemory;
using core::Memory;
using sched::Command;

namespace {

bool canImport(const Device& device, cl_mem_properties handleType) {
  const auto types = externalMemoryHandles(device);
  return std::ranges::find(types, handleType) != types.end();
}

/// Whether it is a handle type that a device of the platform imports.
bool isHandleType(cl_mem_properties name) {
  return std::ranges::any_of(core::Platform::get().devices(),
                             [&](const Ref<Device>& device) { return canImport(device, name); });
}

const char* nameOf(cl_external_memory_handle_type_khr type) {
  return type == CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR ? "CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR"
                                                       : "CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR";
}

/// cl_ext_buffer_device_address: whether the buffer has addresses for kernels that do not change.
bool readDeviceAddress(const Context& context, cl_mem_properties value) {
  failIf(value != CL_TRUE && value != CL_FALSE, CL_INVALID_PROPERTY,
         "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is {:#x}, neither CL_TRUE nor CL_FALSE", value);
  // CL_INVALID_OPERATION if there are no devices in the context that support the extension.
  failIf(value && !context.someSupport(core::deviceAddressExtension), CL_INVALID_OPERATION,
         "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT: no device of the context has {}", core::deviceAddressExtension);
  return value;
}

/// The host's part of a command that hands dma-bufs over. It is called with pointers to them and a null pointer behind
/// the last; the memory objects, which the command keeps, keep them.
template <void (ExternalMemory::*Access)() const>
void accessAll(void* args) {
  for (auto* next = static_cast<std::byte*>(args);; next += sizeof(const ExternalMemory*)) {
    const ExternalMemory* memory = nullptr;
    std::memcpy(&memory, next, sizeof memory);
    if (!memory) return;
    (memory->*Access)();
  }
}

device::HostFunction accessCall(bool begins, std::vector<const ExternalMemory*> buffers) {
  buffers.push_back(nullptr);
  const auto bytes = std::as_bytes(std::span(buffers));
  return {.function = begins ? accessAll<&ExternalMemory::beginAccess> : accessAll<&ExternalMemory::endAccess>,
          .args = {bytes.begin(), bytes.end()},
          .hasArgs = true,
          .pointers = {}};
}

/// A command that hands memory over. Content that was written meanwhile is in the host's memory, and what commands
/// write gets there.
std::unique_ptr<Command> transferOwnership(const EnqueueCall& call, cl_command_type type, cl_uint count,
                                           const cl_mem* list) {
  failIf((count == 0) != (list == nullptr), CL_INVALID_VALUE, "num_mem_objects is {} and mem_objects is {}", count,
         static_cast<const void*>(list));
  requireNoFailure(call.waitList);
  core::MemoryUses uses;
  std::vector<const ExternalMemory*> buffers;
  const bool acquires = type == CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR;
  for (cl_uint i = 0; i < count; ++i) {
    Memory& memory = ref<Memory>(list[i]);
    const ExternalMemory* const external = memory.external();
    failIf(!external, CL_INVALID_MEM_OBJECT, "mem_objects[{}] was not made of an external memory handle", i);
    const Device& device = call.queue.device();
    failIf(std::ranges::none_of(external->devices, [&](const Ref<Device>& each) { return &each.get() == &device; }),
           CL_INVALID_COMMAND_QUEUE, "mem_objects[{}] was not made for device '{}'", i, device.properties().name);
    requireSameContext(call.queue.context(), "command_queue", memory.context(), "a memory object of mem_objects");
    if (external->isDmaBuffer()) buffers.push_back(external);
    uses.push_back({memory, 0, memory.extent(), acquires ? Access::Overwrite : Access::Read});
  }
  if (buffers.empty()) return Command::order(type, sched::Where::Host, std::move(uses));
  return Command::of(type, accessCall(acquires, std::move(buffers)), std::move(uses));
}

}  // namespace

MemoryProperties readMemoryProperties(const Context& context, const cl_mem_properties* list, bool ofBuffer) {
  MemoryProperties read;
  if (!list) return read;
  std::vector<cl_mem_properties> names;
  while (*list != 0) {
    const cl_mem_properties name = *list++;
    failIf(std::ranges::find(names, name) != names.end(), CL_INVALID_PROPERTY, "property {} is given twice",
           core::ConstantName{name});
    names.push_back(name);
    read.list.push_back(name);
    if (name == CL_MEM_DEVICE_HANDLE_LIST_KHR) {
      read.devices = readDevices(context, list, read.list);
      failIf(read.devices.empty(), CL_INVALID_PROPERTY, "CL_MEM_DEVICE_HANDLE_LIST_KHR is empty");
      continue;
    }
    const cl_mem_properties value = *list++;
    read.list.push_back(value);
    if (name == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT && ofBuffer) {
      read.fixedAddresses = readDeviceAddress(context, value);
    } else if (isHandleType(name)) {
      failIf(read.descriptor.has_value(), CL_INVALID_PROPERTY, "there are two external memory handles");
      read.handleType = static_cast<cl_external_memory_handle_type_khr>(name);
      failIf(value > std::numeric_limits<int>::max(), CL_INVALID_PROPERTY, "{} is {:#x}, which is no file descriptor",
             nameOf(read.handleType), value);
      read.descriptor = static_cast<int>(value);
    } else {
      fail(CL_INVALID_PROPERTY, "property {} is not supported", core::ConstantName{name});
    }
  }
  read.list.push_back(0);
  failIf(!read.devices.empty() && !read.descriptor, CL_INVALID_PROPERTY,
         "CL_MEM_DEVICE_HANDLE_LIST_KHR is given without an external memory handle");
  if (!read.descriptor) return read;
  if (read.devices.empty()) read.devices = {context.devices().begin(), context.devices().end()};
  for (const Ref<Device>& device : read.devices)
    failIf(!canImport(device, read.handleType), CL_INVALID_DEVICE, "device '{}' cannot import memory by {}",
           device->properties().name, nameOf(read.handleType));
  return read;
}

void requireNoHostMemory(const MemoryProperties& properties, cl_mem_flags flags, const void* hostPtr) {
  if (!properties.descriptor) return;
  failIf(flags & hostPtrFlags, CL_INVALID_VALUE, "flags {} for a memory object that is made of external memory",
         core::MemoryFlagNames{flags});
  failIf(hostPtr, CL_INVALID_HOST_PTR, "host_ptr is {} for a memory object that is made of external memory", hostPtr);
}

std::unique_ptr<ExternalMemory> importMemory(const Context& context, const MemoryProperties& properties,
                                             cl_mem_flags flags, std::size_t bytes) {
  if (!properties.descriptor) return nullptr;
  std::string why;
  // Where devices have memory of their own, what a copy or a fill writes there would be written to the file later.
  const bool nothingWrites = context.sharesOneMemory() && (flags & CL_MEM_READ_ONLY) &&
                             (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
  const bool readOnly = nothingWrites || (flags & CL_MEM_IMMUTABLE_EXT);
  std::unique_ptr<ExternalMemory> memory =
      properties.handleType == CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR
          ? ExternalMemory::importDmaBuffer(*properties.descriptor, bytes, readOnly, why)
          : ExternalMemory::import(*properties.descriptor, bytes, readOnly, why);
  failIf(!memory, CL_INVALID_PROPERTY, "{}: {}", nameOf(properties.handleType), why);
  memory->devices = properties.devices;
  return memory;
}

cl_int clEnqueueAcquireExternalMemObjectsKHR(cl_command_queue command_queue, cl_uint num_mem_objects,
                                             const cl_mem* mem_objects, cl_uint num_events_in_wait_list,
                                             const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueue(event,
                 transferOwnership(call, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, num_mem_objects, mem_objects));
  });
}

cl_int clEnqueueReleaseExternalMemObjectsKHR(cl_command_queue command_queue, cl_uint num_mem_objects,
                                             const cl_mem* mem_objects, cl_uint num_events_in_wait_list,
                                             const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueue(event,
                 transferOwnership(call, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, num_mem_objects, mem_objects));
  });
}

}  // namespace clarity::api
