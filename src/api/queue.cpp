// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of command-queues (OpenCL 3.0, section 5.1) and clFlush and clFinish (5.15).
#include "sched/queue.h"

#include "api/enqueue.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"

#include <optional>
#include <string_view>
#include <vector>

namespace clarity::api {

using sched::Queue;

namespace {

constexpr cl_command_queue_properties hostProperties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties knownProperties =
    hostProperties | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

const InfoRow<Queue> queueInfo[] = {
    INFO_ROW(cl_context, CL_QUEUE_CONTEXT, it.context().handle()),
    INFO_ROW(cl_device_id, CL_QUEUE_DEVICE, it.device().handle()),
    INFO_ROW(cl_uint, CL_QUEUE_REFERENCE_COUNT, it.referenceCount()),
    INFO_ROW(cl_command_queue_properties, CL_QUEUE_PROPERTIES, it.properties()),
    INFO_ROW(std::vector<cl_queue_properties>, CL_QUEUE_PROPERTIES_ARRAY, it.propertiesArray()),
    INFO_ROW(cl_uint, CL_QUEUE_SIZE, it.bytes()),
    INFO_ROW(cl_command_queue, CL_QUEUE_DEVICE_DEFAULT, it.context().onDeviceQueues().defaultOf(it.device())),
};

/// For CL_PROFILING_COMMAND_QUEUED and its neighbours, which are questions about an event, and for bits where a name is
/// to be.
std::string_view cureFor(cl_command_queue_properties properties) {
  if (properties >= CL_PROFILING_COMMAND_QUEUED && properties <= CL_PROFILING_COMMAND_COMPLETE)
    return "; this is a CL_PROFILING_COMMAND_... of clGetEventProfilingInfo: the property is CL_QUEUE_PROFILING_ENABLE";
  return (properties & ~knownProperties) == 0 ? "; bits such as CL_QUEUE_PROFILING_ENABLE come behind "
                                                "CL_QUEUE_PROPERTIES"
                                              : "";
}

void checkProperties(const core::Device& device, cl_command_queue_properties properties) {
  // CL_INVALID_VALUE if values specified in properties are not valid.
  const cl_command_queue_properties unknown = properties & ~knownProperties;
  failIf(unknown != 0, CL_INVALID_VALUE, "properties {:#x} have unknown bits {:#x}{}", properties, unknown,
         cureFor(properties));
  // CL_INVALID_VALUE also for combinations: an on-device queue is out of order, the default one is on the device.
  failIf((properties & CL_QUEUE_ON_DEVICE) && !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), CL_INVALID_VALUE,
         "properties {:#x} ask for an on-device queue that is in order", properties);
  failIf((properties & CL_QUEUE_ON_DEVICE_DEFAULT) && !(properties & CL_QUEUE_ON_DEVICE), CL_INVALID_VALUE,
         "properties {:#x} ask for a default on-device queue that is not on the device", properties);
  // CL_INVALID_QUEUE_PROPERTIES if values specified in properties are valid but are not supported by the device.
  const cl_command_queue_properties onDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
  const cl_command_queue_properties ofDevice = device.properties().onDeviceQueues.properties;
  const cl_command_queue_properties supported = !(properties & CL_QUEUE_ON_DEVICE) ? device.properties().queueProperties
                                                : ofDevice                         ? ofDevice | onDevice
                                                                                   : 0;
  failIf(properties & ~supported, CL_INVALID_QUEUE_PROPERTIES,
         "properties {:#x} contain {:#x}; device '{}' supports {:#x}", properties, properties & ~supported,
         device.properties().name, supported);
}

/// Creates an on-device command-queue, or retains the default one if that is asked for and there is one.
cl_command_queue createOnDevice(core::Context& context, core::Device& device, cl_command_queue_properties properties,
                                std::optional<cl_uint> size, std::vector<cl_queue_properties> array) {
  const device::OnDeviceQueueProperties& limits = device.properties().onDeviceQueues;
  // CL_INVALID_QUEUE_PROPERTIES if values are valid but are not supported: CL_QUEUE_SIZE above the device's maximum.
  failIf(size && (*size == 0 || *size > limits.maxBytes), CL_INVALID_QUEUE_PROPERTIES,
         "CL_QUEUE_SIZE is {}; device '{}' supports 1 to {}", size.value_or(0), device.properties().name,
         limits.maxBytes);
  const bool isDefault = properties & CL_QUEUE_ON_DEVICE_DEFAULT;
  if (isDefault)
    if (const RefPtr<Queue> known = Queue::fromHandle(context.onDeviceQueues().defaultOf(device))) {
      known->retain();
      return known->handle();
    }
  Queue& queue = *new Queue(context, device, properties, std::move(array), size.value_or(limits.preferredBytes));
  if (isDefault) context.onDeviceQueues().setDefault(device, queue.handle());
  return queue.handOut();
}

cl_command_queue createQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                             std::optional<cl_uint> size = {}, std::vector<cl_queue_properties> array = {}) {
  core::Context& its = ref<core::Context>(context);
  core::Device& on = ref<core::Device>(device);
  // CL_INVALID_DEVICE if device is not a valid device or is not associated with context.
  failIf(!its.has(on), CL_INVALID_DEVICE, "device {} ('{}') is not one of the context's", static_cast<void*>(device),
         on.properties().name);
  checkProperties(on, properties);
  if (properties & CL_QUEUE_ON_DEVICE) return createOnDevice(its, on, properties, size, std::move(array));
  return (new Queue(its, on, properties, std::move(array)))->handOut();
}

/// Reads the list of names and values that ends with 0.
cl_command_queue_properties readProperties(const cl_queue_properties* list, std::optional<cl_uint>& size,
                                           std::vector<cl_queue_properties>& array) {
  cl_command_queue_properties properties = 0;
  if (!list) return properties;
  for (; *list != 0; list += 2) {
    array.insert(array.end(), {list[0], list[1]});
    if (list[0] == CL_QUEUE_PROPERTIES)
      properties = list[1];
    else if (list[0] == CL_QUEUE_SIZE)
      size = static_cast<cl_uint>(list[1]);
    else if (list[0] == CL_QUEUE_PRIORITY_KHR || list[0] == CL_QUEUE_THROTTLE_KHR)
      // Hints, of one bit: high, medium or low. All commands are executed as soon as there is a processor for them.
      failIf(list[1] != 1 && list[1] != 2 && list[1] != 4, CL_INVALID_VALUE, "{} is {:#x}, not 1, 2 or 4",
             list[0] == CL_QUEUE_PRIORITY_KHR ? "CL_QUEUE_PRIORITY_KHR" : "CL_QUEUE_THROTTLE_KHR", list[1]);
    else
      // CL_INVALID_VALUE if values specified in properties are not valid.
      fail(CL_INVALID_VALUE, "property {:#x} is not known{}", list[0], cureFor(list[0]));
  }
  array.push_back(0);
  // CL_INVALID_VALUE: CL_QUEUE_SIZE can only be specified if CL_QUEUE_ON_DEVICE is set.
  failIf(size && !(properties & CL_QUEUE_ON_DEVICE), CL_INVALID_VALUE,
         "CL_QUEUE_SIZE is {} for a queue that is not on the device", size.value_or(0));
  return properties;
}

}  // namespace

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties* properties, cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> cl_command_queue {
    ref<core::Context>(context);
    std::vector<cl_queue_properties> array;
    std::optional<cl_uint> size;
    const cl_command_queue_properties bits = readProperties(properties, size, array);
    return createQueue(context, device, bits, size, std::move(array));
  });
}

cl_command_queue clCreateCommandQueueWithPropertiesKHR(cl_context context, cl_device_id device,
                                                       const cl_queue_properties_khr* properties, cl_int* errcode_ret) {
  return api::clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                      cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> cl_command_queue {
    ref<core::Context>(context);
    // CL_INVALID_VALUE if values specified in properties are not valid: this call is for host queues only.
    failIf(properties & ~hostProperties, CL_INVALID_VALUE, "properties {:#x} have unknown bits {:#x}{}", properties,
           properties & ~hostProperties, cureFor(properties));
    return createQueue(context, device, properties);
  });
}

cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device, cl_command_queue command_queue) {
  return entry([&] {
    core::Context& its = ref<core::Context>(context);
    core::Device& on = ref<core::Device>(device);
    // CL_INVALID_DEVICE if device is not a valid device or is not associated with context.
    failIf(!its.has(on), CL_INVALID_DEVICE, "device {} is not one of the context's", static_cast<void*>(device));
    // CL_INVALID_OPERATION if device does not support a replaceable default on-device queue: whatever command_queue is.
    failIf(!on.properties().onDeviceQueues.properties, CL_INVALID_OPERATION, "device '{}' has no on-device queues",
           on.properties().name);
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue for device.
    Queue& queue = ref<Queue>(command_queue);
    failIf(!queue.isOnDevice() || &queue.device() != &on || &queue.context() != &its, CL_INVALID_COMMAND_QUEUE,
           "command_queue {} is no on-device queue of device '{}' in this context",
           static_cast<const void*>(command_queue), on.properties().name);
    its.onDeviceQueues().setDefault(on, queue.handle());
  });
}

cl_int clRetainCommandQueue(cl_command_queue command_queue) {
  return entry([&] { retainHandle<Queue>(command_queue); });
}

cl_int clReleaseCommandQueue(cl_command_queue command_queue) {
  return entry([&] { releaseHandle<Queue>(command_queue); });
}

cl_int clGetCommandQueueInfo(cl_command_queue command_queue, cl_command_queue_info param_name, size_t param_value_size,
                             void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    Queue& queue = ref<Queue>(command_queue);
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue for param_name: only on-device queues
    // have a size.
    failIf(param_name == CL_QUEUE_SIZE && !queue.isOnDevice(), CL_INVALID_COMMAND_QUEUE,
           "CL_QUEUE_SIZE of a queue that is not on the device");
    answer(queueInfo, queue, param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int clSetCommandQueueProperty(cl_command_queue command_queue, cl_command_queue_properties properties, cl_bool enable,
                                 cl_command_queue_properties*) {
  return entry([&] {
    ref<Queue>(command_queue);
    // CL_INVALID_VALUE if values specified in properties are not valid.
    failIf(properties & ~hostProperties, CL_INVALID_VALUE, "properties {:#x} have unknown bits {:#x}", properties,
           properties & ~hostProperties);
    // Deprecated by OpenCL 1.1: later versions may answer CL_INVALID_OPERATION.
    fail(CL_INVALID_OPERATION, "the properties of a command-queue cannot be changed ({:#x} to {})", properties, enable);
  });
}

cl_int clFlush(cl_command_queue command_queue) {
  return entry([&] { hostQueue(command_queue).flush(); });
}

cl_int clFinish(cl_command_queue command_queue) {
  return entry([&] {
    const Ref<Queue> queue(hostQueue(command_queue));
    queue->finish();
    takeFailure(queue);
  });
}

}  // namespace clarity::api
