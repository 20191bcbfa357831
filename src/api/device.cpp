// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of devices and sub-devices (OpenCL 3.0, sections 4.2 and 4.3); what
// clGetDeviceInfo answers is in device_info.cpp.
#include "core/device.h"

#include "api/device_info.h"
#include "api/device_list.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "core/platform.h"
#include "support/clock.h"

namespace clarity::api {

using core::Device;
using core::Platform;

std::vector<Ref<Device>> devicesOfType(cl_device_type type) {
  constexpr cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                   CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  // CL_INVALID_DEVICE_TYPE if device_type is not a valid value.
  failIf(type == 0 || (type != CL_DEVICE_TYPE_ALL && (type & ~known)), CL_INVALID_DEVICE_TYPE, "device_type is {:#x}",
         type);
  std::vector<Ref<Device>> found;
  for (const Ref<Device>& device : Platform::get().devices(type)) {
    const bool isDefault = found.empty() && (type & CL_DEVICE_TYPE_DEFAULT);
    const bool isAll = type == CL_DEVICE_TYPE_ALL && device->properties().type != CL_DEVICE_TYPE_CUSTOM;
    const bool isOfType = type != CL_DEVICE_TYPE_ALL && (type & device->properties().type) != 0;
    if (isDefault || isAll || isOfType) found.push_back(device);
  }
  return found;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries, cl_device_id* devices,
                      cl_uint* num_devices) {
  return entry([&] {
    // CL_INVALID_PLATFORM if platform is not a valid platform. NULL is implementation-defined: ours.
    if (platform) ref<Platform>(platform);
    // CL_INVALID_VALUE if num_entries is zero and devices is not NULL, or if both num_devices and devices are NULL.
    failIf(num_entries == 0 && devices, CL_INVALID_VALUE, "num_entries is 0 and devices is {}",
           static_cast<const void*>(devices));
    failIf(!devices && !num_devices, CL_INVALID_VALUE, "devices and num_devices are both null");
    const std::vector<Ref<Device>> found = devicesOfType(device_type);
    if (num_devices) *num_devices = static_cast<cl_uint>(found.size());
    // CL_DEVICE_NOT_FOUND if no OpenCL devices that matched device_type were found.
    failIf(found.empty(), CL_DEVICE_NOT_FOUND, "there is no device of type {:#x}", device_type);
    for (std::size_t i = 0; devices && i < found.size() && i < num_entries; ++i) devices[i] = found[i]->handle();
  });
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size, void* param_value,
                       size_t* param_value_size_ret) {
  return entry(
      [&] { answerDevice(ref<Device>(device), param_name, param_value_size, param_value, param_value_size_ret); });
}

cl_int clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property* properties, cl_uint num_devices,
                          cl_device_id* out_devices, cl_uint* num_devices_ret) {
  return entry([&] {
    const std::vector<Device*> parts = ref<Device>(in_device).partition(properties);
    const bool wanted = out_devices != nullptr;
    const bool fits = !wanted || num_devices >= parts.size();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (wanted && fits)
        out_devices[i] = parts[i]->handOut();
      else
        parts[i]->release();
    }
    // CL_INVALID_VALUE if out_devices is not NULL and num_devices is less than the number of sub-devices created.
    failIf(!fits, CL_INVALID_VALUE, "num_devices is {}, the partition makes {} sub-devices", num_devices, parts.size());
    if (num_devices_ret) *num_devices_ret = static_cast<cl_uint>(parts.size());
  });
}

cl_int clRetainDevice(cl_device_id device) {
  return entry([&] { retainHandle<Device>(device); });
}

cl_int clReleaseDevice(cl_device_id device) {
  return entry([&] { releaseHandle<Device>(device); });
}

cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong* device_timestamp, cl_ulong* host_timestamp) {
  return entry([&] {
    const Device& it = ref<Device>(device);
    // CL_INVALID_VALUE if host_timestamp or device_timestamp is NULL.
    failIf(!device_timestamp || !host_timestamp, CL_INVALID_VALUE, "device_timestamp is {} and host_timestamp is {}",
           static_cast<const void*>(device_timestamp), static_cast<const void*>(host_timestamp));
    *device_timestamp = it.backend().now();
    *host_timestamp = support::hostTime();
  });
}

cl_int clGetHostTimer(cl_device_id device, cl_ulong* host_timestamp) {
  return entry([&] {
    ref<Device>(device);
    // CL_INVALID_VALUE if host_timestamp is NULL.
    failIf(!host_timestamp, CL_INVALID_VALUE, "host_timestamp is null");
    *host_timestamp = support::hostTime();
  });
}

}  // namespace clarity::api
