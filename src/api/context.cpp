// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of contexts (OpenCL 3.0, section 4.4).
#include "core/context.h"

#include "api/device_list.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"
#include "api/property_list.h"
#include "core/platform.h"
#include "sched/termination.h"

#include <CL/cl_ext.h>

#include <algorithm>

namespace clarity::api {

using core::Context;
using core::Device;
using core::Platform;

namespace {

std::vector<cl_device_id> deviceHandles(const Context& context) {
  std::vector<cl_device_id> handles;
  for (const Ref<Device>& device : context.devices()) handles.push_back(device->handle());
  return handles;
}

const InfoRow<Context> contextInfo[] = {
    INFO_ROW(cl_uint, CL_CONTEXT_REFERENCE_COUNT, it.referenceCount()),
    INFO_ROW(cl_uint, CL_CONTEXT_NUM_DEVICES, it.devices().size()),
    INFO_ROW(std::vector<cl_device_id>, CL_CONTEXT_DEVICES, deviceHandles(it)),
    INFO_ROW(std::vector<cl_context_properties>, CL_CONTEXT_PROPERTIES, it.properties()),
};

/// The properties with their terminating 0, checked; empty for a null list. CL_INVALID_PROPERTY if a property name is
/// not supported, if its value is not valid, or if it is given twice.
std::vector<cl_context_properties> checkedProperties(const cl_context_properties* list) {
  const auto check = [](cl_context_properties name, cl_context_properties value) {
    switch (name) {
      case CL_CONTEXT_PLATFORM:
        // CL_INVALID_PLATFORM if the platform value specified in properties is not a valid platform.
        ref<Platform>(reinterpret_cast<cl_platform_id>(value));
        break;
      case CL_CONTEXT_INTEROP_USER_SYNC:
        failIf(value != CL_FALSE && value != CL_TRUE, CL_INVALID_PROPERTY, "CL_CONTEXT_INTEROP_USER_SYNC is {}", value);
        break;
      case CL_CONTEXT_MEMORY_INITIALIZE_KHR:
        failIf(value & ~(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR),
               CL_INVALID_PROPERTY, "CL_CONTEXT_MEMORY_INITIALIZE_KHR is {:#x}", value);
        break;
      case CL_CONTEXT_TERMINATE_KHR:
        failIf(value != CL_FALSE && value != CL_TRUE, CL_INVALID_PROPERTY, "CL_CONTEXT_TERMINATE_KHR is {}", value);
        break;
      default:
        fail(CL_INVALID_PROPERTY, "context property {:#x} is not supported{}", name,
             name == reinterpret_cast<cl_context_properties>(Platform::get().handle())
                 ? "; it is a platform, which comes behind CL_CONTEXT_PLATFORM"
                 : "");
    }
  };
  return readPropertyList(list, CL_INVALID_PROPERTY, "context property", check);
}

/// Devices that are listed twice count once.
std::vector<Ref<Device>> unique(const std::vector<Ref<Device>>& devices) {
  std::vector<Ref<Device>> result;
  for (const Ref<Device>& device : devices)
    if (std::ranges::none_of(result, [&](const Ref<Device>& each) { return &each.get() == &device.get(); }))
      result.push_back(device);
  return result;
}

void requireFunctionForData(bool hasFunction, const void* userData) {
  // CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL.
  failIf(!hasFunction && userData, CL_INVALID_VALUE, "pfn_notify is null and user_data is {}", userData);
}

/// CL_INVALID_PROPERTY if a property is set that not all of the devices have.
void requireProperties(const std::vector<Ref<Device>>& devices, const std::vector<cl_context_properties>& properties) {
  const auto isSet = [&](cl_context_properties name) {
    for (std::size_t i = 0; i + 1 < properties.size(); i += 2)
      if (properties[i] == name) return properties[i + 1] != 0;
    return false;
  };
  for (const Ref<Device>& device : devices) {
    failIf(isSet(CL_CONTEXT_TERMINATE_KHR) && !device->properties().endsLaunches, CL_INVALID_PROPERTY,
           "CL_CONTEXT_TERMINATE_KHR: device '{}' cannot end what it executes", device->properties().name);
    failIf(isSet(CL_CONTEXT_MEMORY_INITIALIZE_KHR) && !device->supports("cl_khr_initialize_memory"),
           CL_INVALID_PROPERTY, "CL_CONTEXT_MEMORY_INITIALIZE_KHR: device '{}' does not initialise memory",
           device->properties().name);
  }
}

/// Tells errors of the creation to pfn_notify: there is no context yet that would.
template <class Body>
cl_context notifyingErrors(Context::Notify notify, void* userData, Body&& body) {
  try {
    return body();
  } catch (const core::Error& error) {
    const std::string text = fmt::format("{}: {}", core::errorName(error.code()), error.text());
    if (!notify) throw;
    notify(text.c_str(), nullptr, 0, userData);
    throw core::Error(error).known();
  }
}

}  // namespace

cl_context clCreateContext(const cl_context_properties* properties, cl_uint num_devices, const cl_device_id* devices,
                           void(CL_CALLBACK* pfn_notify)(const char*, const void*, size_t, void*), void* user_data,
                           cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    return notifyingErrors(pfn_notify, user_data, [&] {
      std::vector<cl_context_properties> checked = checkedProperties(properties);
      requireFunctionForData(pfn_notify, user_data);
      const std::vector<Ref<Device>> all = deviceListOf(num_devices, devices);
      requireProperties(all, checked);
      return (new Context(unique(all), std::move(checked), pfn_notify, user_data))->handOut();
    });
  });
}

cl_context clCreateContextFromType(const cl_context_properties* properties, cl_device_type device_type,
                                   void(CL_CALLBACK* pfn_notify)(const char*, const void*, size_t, void*),
                                   void* user_data, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    return notifyingErrors(pfn_notify, user_data, [&] {
      std::vector<cl_context_properties> checked = checkedProperties(properties);
      requireFunctionForData(pfn_notify, user_data);
      std::vector<Ref<Device>> devices = devicesOfType(device_type);
      // CL_DEVICE_NOT_FOUND if no devices that match device_type were found.
      failIf(devices.empty(), CL_DEVICE_NOT_FOUND, "there is no device of type {:#x}", device_type);
      requireProperties(devices, checked);
      return (new Context(std::move(devices), std::move(checked), pfn_notify, user_data))->handOut();
    });
  });
}

cl_int clTerminateContextKHR(cl_context context) {
  return entry([&] {
    Context& it = ref<Context>(context);  // CL_CONTEXT_TERMINATED_KHR if it has been terminated already
    // CL_INVALID_OPERATION if context was not created with CL_CONTEXT_TERMINATE_KHR set to CL_TRUE.
    failIf(!it.isTerminable(), CL_INVALID_OPERATION, "the context was created without CL_CONTEXT_TERMINATE_KHR");
    failIf(!sched::Termination::run(it), CL_CONTEXT_TERMINATED_KHR, "another thread has terminated the context");
    if (it.hasCallback()) it.notify("clTerminateContextKHR: the context was terminated");
  });
}

cl_int clRetainContext(cl_context context) {
  return entry([&] { retainHandle<Context>(context); });
}

cl_int clReleaseContext(cl_context context) {
  return entry([&] { releaseHandle<Context>(context); });
}

cl_int clGetContextInfo(cl_context context, cl_context_info param_name, size_t param_value_size, void* param_value,
                        size_t* param_value_size_ret) {
  return entry([&] {
    answer(contextInfo, ref<Context>(context), param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int clSetContextDestructorCallback(cl_context context, void(CL_CALLBACK* pfn_notify)(cl_context, void*),
                                      void* user_data) {
  return entry([&] {
    Context& it = ref<Context>(context);
    // CL_INVALID_VALUE if pfn_notify is NULL.
    failIf(!pfn_notify, CL_INVALID_VALUE, "pfn_notify is null");
    it.destructorCallbacks().push(pfn_notify, user_data);
  });
}

}  // namespace clarity::api
