// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of semaphores (OpenCL 3.1, "Semaphores"; cl_khr_semaphore).
#include "sched/semaphore.h"

#include "api/enqueue.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/external_handles.h"
#include "api/handle.h"
#include "api/info.h"
#include "api/new_extensions.h"
#include "api/property_list.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace clarity::api {

using sched::Command;
using sched::Event;
using sched::Semaphore;

namespace {

using Property = cl_semaphore_properties_khr;

/// Properties that a semaphore is created with.
struct SemaphoreProperties {
  bool hasType = false, isExportable = false;
  std::shared_ptr<const sched::ExternalPayload> external;
  std::vector<Ref<core::Device>> devices;
  std::vector<cl_ulong> array;
};

/// The handle types of CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, which `list` is advanced behind.
void readExportTypes(const Property*& list, std::vector<cl_ulong>& array) {
  std::size_t count = 0;
  for (; *list != CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR; array.push_back(*list++), ++count)
    failIf(*list != CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_INVALID_PROPERTY,
           "CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR has {:#x}; there is CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR", *list);
  array.push_back(*list++);
  // CL_INVALID_VALUE if more than one semaphore handle type is specified.
  failIf(count > 1, CL_INVALID_VALUE, "CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR has {} handle types", count);
}

/// The payload of CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR.
std::shared_ptr<const sched::ExternalPayload> importPayload(Property value) {
  std::string why;
  failIf(value > std::numeric_limits<int>::max(), CL_INVALID_PROPERTY,
         "CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR is {:#x}, which is no file descriptor", value);
  std::shared_ptr<const sched::ExternalPayload> payload = sched::ExternalPayload::import(static_cast<int>(value), why);
  failIf(!payload, CL_INVALID_PROPERTY, "CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR: {}", why);
  return payload;
}

SemaphoreProperties readSemaphoreProperties(const core::Context& context, const Property* list) {
  SemaphoreProperties result;
  std::optional<Property> handle;
  while (*list != 0) {
    const Property name = *list++;
    result.array.push_back(name);
    // CL_INVALID_PROPERTY if a property name is not supported, its value is not valid, or it is given twice.
    if (name == CL_SEMAPHORE_TYPE_KHR) {
      failIf(result.hasType, CL_INVALID_PROPERTY, "CL_SEMAPHORE_TYPE_KHR is given twice");
      failIf(*list != CL_SEMAPHORE_TYPE_BINARY_KHR, CL_INVALID_PROPERTY,
             "CL_SEMAPHORE_TYPE_KHR is {}, expected CL_SEMAPHORE_TYPE_BINARY_KHR", *list);
      result.hasType = true;
      result.array.push_back(*list++);
    } else if (name == CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) {
      failIf(!result.devices.empty(), CL_INVALID_PROPERTY, "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR is given twice");
      // CL_INVALID_DEVICE if it does not identify exactly one valid device that is one of the context's.
      result.devices = readDevices(context, list, result.array);
      failIf(result.devices.size() != 1, CL_INVALID_DEVICE,
             "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR has {} devices, expected one", result.devices.size());
    } else if (name == CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR) {
      failIf(result.isExportable, CL_INVALID_PROPERTY, "CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR is given twice");
      result.isExportable = *list != CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR;
      readExportTypes(list, result.array);
    } else if (name == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR) {
      failIf(handle.has_value(), CL_INVALID_PROPERTY, "CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR is given twice");
      handle = *list;
      result.array.push_back(*list++);
    } else {
      fail(CL_INVALID_PROPERTY, "property {:#x} is not known", name);
    }
  }
  result.array.push_back(0);
  // CL_INVALID_VALUE if CL_SEMAPHORE_TYPE_KHR is not given.
  failIf(!result.hasType, CL_INVALID_VALUE, "sema_props have no CL_SEMAPHORE_TYPE_KHR");
  // CL_INVALID_PROPERTY if context is a multiple device context and there is no CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR.
  failIf(result.devices.empty() && context.devices().size() > 1, CL_INVALID_PROPERTY,
         "the context has {} devices, and sema_props no CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR", context.devices().size());
  if (result.devices.empty()) result.devices = {context.devices().begin(), context.devices().end()};
  // CL_INVALID_OPERATION: what was imported cannot be exported.
  failIf(handle && result.isExportable, CL_INVALID_OPERATION,
         "sema_props have a handle to import and CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR");
  if (handle) result.external = importPayload(*handle);
  if (result.isExportable) {
    result.external = sched::ExternalPayload::create();
    failIf(!result.external, CL_OUT_OF_RESOURCES, "no file descriptor for a semaphore");
  }
  return result;
}

/// The semaphores of a command, checked.
std::shared_ptr<const std::vector<Ref<Semaphore>>> semaphoresOf(const sched::Queue& queue, cl_uint count,
                                                                const cl_semaphore_khr* list) {
  // CL_INVALID_VALUE if num_sema_objects is 0.
  failIf(count == 0 || !list, CL_INVALID_VALUE, "num_sema_objects is {} and sema_objects is {}", count,
         static_cast<const void*>(list));
  std::vector<Ref<Semaphore>> semaphores;
  for (cl_uint i = 0; i < count; ++i) {
    Semaphore& semaphore = ref<Semaphore>(list[i]);
    requireSameContext(queue.context(), "command_queue", semaphore.context(), "a semaphore of sema_objects");
    // CL_INVALID_COMMAND_QUEUE if the device associated with command_queue is not one of the semaphore's.
    failIf(std::ranges::none_of(semaphore.devices(),
                                [&](const Ref<core::Device>& each) { return &each.get() == &queue.device(); }),
           CL_INVALID_COMMAND_QUEUE, "sema_objects[{}] was not created for device '{}'", i,
           queue.device().properties().name);
    semaphores.emplace_back(semaphore);
  }
  return std::make_shared<const std::vector<Ref<Semaphore>>>(std::move(semaphores));
}

std::vector<cl_device_id> handlesOf(const Semaphore& semaphore) {
  std::vector<cl_device_id> handles;
  for (const Ref<core::Device>& device : semaphore.devices()) handles.push_back(device->handle());
  return handles;
}

const InfoRow<Semaphore> semaphoreInfo[] = {
    INFO_ROW(cl_context, CL_SEMAPHORE_CONTEXT_KHR, it.context().handle()),
    INFO_ROW(cl_uint, CL_SEMAPHORE_REFERENCE_COUNT_KHR, it.referenceCount()),
    INFO_ROW(std::vector<cl_ulong>, CL_SEMAPHORE_PROPERTIES_KHR, it.propertiesArray()),
    INFO_ROW(cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_KHR, (static_cast<void>(it), CL_SEMAPHORE_TYPE_BINARY_KHR)),
    INFO_ROW(cl_semaphore_payload_khr, CL_SEMAPHORE_PAYLOAD_KHR, it.isSignaled() ? 1 : 0),
    INFO_ROW(std::vector<cl_device_id>, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, handlesOf(it)),
    INFO_ROW(std::vector<cl_external_semaphore_handle_type_khr>, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
             it.isExportable() ? externalSemaphoreHandles() : std::vector<cl_external_semaphore_handle_type_khr>()),
    INFO_ROW(cl_bool, CL_SEMAPHORE_EXPORTABLE_KHR, it.isExportable() ? CL_TRUE : CL_FALSE),
};

}  // namespace

cl_semaphore_khr clCreateSemaphoreWithPropertiesKHR(cl_context context, const cl_semaphore_properties_khr* sema_props,
                                                    cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> cl_semaphore_khr {
    core::Context& its = ref<core::Context>(context);
    // CL_INVALID_VALUE if sema_props is NULL.
    failIf(!sema_props, CL_INVALID_VALUE, "sema_props is null");
    SemaphoreProperties read = readSemaphoreProperties(its, sema_props);
    return (new Semaphore(its, std::move(read.devices), std::move(read.array), std::move(read.external),
                          read.isExportable))
        ->handOut();
  });
}

cl_int clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects,
                                  const cl_semaphore_khr* sema_objects, const cl_semaphore_payload_khr*,
                                  cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    auto command = Command::order(CL_COMMAND_SEMAPHORE_WAIT_KHR);
    const auto semaphores = semaphoresOf(call.queue, num_sema_objects, sema_objects);
    requireNoFailure(call.waitList);
    command->semaphores = semaphores;
    WaitList waits = call.waitList;
    for (const Ref<Semaphore>& semaphore : *semaphores) waits.push_back(semaphore->pairWait(call.queue));
    EnqueueCall::handOut(call.queue.enqueue(std::move(command), waits), event);
  });
}

cl_int clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects,
                                    const cl_semaphore_khr* sema_objects, const cl_semaphore_payload_khr*,
                                    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    auto command = Command::order(CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
    const auto semaphores = semaphoresOf(call.queue, num_sema_objects, sema_objects);
    requireNoFailure(call.waitList);
    command->semaphores = semaphores;
    Event& signal = call.queue.enqueue(std::move(command), call.waitList);
    for (const Ref<Semaphore>& semaphore : *semaphores) semaphore->pairSignal(signal);
    EnqueueCall::handOut(signal, event);
  });
}

cl_int clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object, cl_semaphore_info_khr param_name, size_t param_value_size,
                             void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    answer(semaphoreInfo, ref<Semaphore>(sema_object), param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device,
                                      cl_external_semaphore_handle_type_khr handle_type, size_t handle_size,
                                      void* handle_ptr, size_t* handle_size_ret) {
  return entry([&] {
    Semaphore& semaphore = ref<Semaphore>(sema_object);
    core::Device& its = ref<core::Device>(device);
    // CL_INVALID_DEVICE if sema_object belongs to a context that is not associated with device, or cannot be shared
    // with it.
    failIf(
        std::ranges::none_of(semaphore.devices(), [&](const Ref<core::Device>& each) { return &each.get() == &its; }),
        CL_INVALID_DEVICE, "device '{}' is not one of the semaphore's", its.properties().name);
    // CL_INVALID_VALUE if the requested handle type was not specified when sema_object was created.
    failIf(!semaphore.isExportable() || handle_type != CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_INVALID_VALUE,
           "handle_type is {:#x}, and the semaphore was created {}", handle_type,
           semaphore.isExportable() ? "for CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR" : "without handle types");
    // CL_INVALID_VALUE if handle_size is less than the size of the handle and handle_ptr is not NULL.
    failIf(handle_ptr && handle_size < sizeof(int), CL_INVALID_VALUE, "handle_size is {}, a file descriptor has {}",
           handle_size, sizeof(int));
    if (handle_ptr) {
      const int descriptor = semaphore.external()->duplicate();
      failIf(descriptor < 0, CL_OUT_OF_RESOURCES, "the process can have no more file descriptors");
      std::memcpy(handle_ptr, &descriptor, sizeof descriptor);
    }
    if (handle_size_ret) *handle_size_ret = sizeof(int);
  });
}

cl_int clRetainSemaphoreKHR(cl_semaphore_khr sema_object) {
  return entry([&] { retainHandle<Semaphore>(sema_object); });
}

cl_int clReleaseSemaphoreKHR(cl_semaphore_khr sema_object) {
  return entry([&] { releaseHandle<Semaphore>(sema_object); });
}

}  // namespace clarity::api
