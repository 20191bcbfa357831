// SPDX-License-Identifier: Apache-2.0
// This file holds the queries about kernels (OpenCL 3.0, section 5.9.4).
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"
#include "core/kernel.h"

#include <algorithm>

namespace clarity::api {

using core::Device;
using core::Kernel;

namespace {

/// For a program that is not from source the specification wants none.
std::string attributes(const Kernel& kernel) {
  const bool fromBinary = kernel.program().origin() == core::Program::Origin::Binary;
  return fromBinary ? std::string() : kernel.info().attributes;
}

const InfoRow<Kernel> kKernelInfo[] = {
    INFO_ROW(std::string, CL_KERNEL_FUNCTION_NAME, it.name()),
    INFO_ROW(cl_uint, CL_KERNEL_NUM_ARGS, it.info().args.size()),
    INFO_ROW(cl_uint, CL_KERNEL_REFERENCE_COUNT, it.referenceCount()),
    INFO_ROW(cl_context, CL_KERNEL_CONTEXT, it.context().handle()),
    INFO_ROW(cl_program, CL_KERNEL_PROGRAM, it.program().handle()),
    INFO_ROW(std::string, CL_KERNEL_ATTRIBUTES, attributes(it)),
};

/// A kernel on one device.
struct OnDevice {
  const Kernel& kernel;
  const Device& device;

  const compiler::KernelInfo& info() const { return kernel.info(device); }
  std::vector<size_t> requiredSize() const {
    const auto& size = info().requiredLocalSize;
    return {size.begin(), size.end()};
  }
  /// The largest work-group: what reqd_work_group_size demands, or what the device takes.
  size_t largestSize() const {
    size_t required = 1;
    for (const size_t size : requiredSize()) required *= size;
    const size_t most = device.properties().maxWorkGroupSize;
    return required != 0 ? std::min(required, most) : most;
  }
};

/// CL_KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels only.
void writeGlobalSize(const OnDevice&, InfoWriter&) {
  fail(CL_INVALID_VALUE, "CL_KERNEL_GLOBAL_WORK_SIZE: not a custom device and not a built-in kernel");
}

const InfoRow<const OnDevice> kWorkGroupInfo[] = {
    {CL_KERNEL_GLOBAL_WORK_SIZE, "CL_KERNEL_GLOBAL_WORK_SIZE", writeGlobalSize},
    INFO_ROW(size_t, CL_KERNEL_WORK_GROUP_SIZE, it.largestSize()),
    INFO_ROW(std::vector<size_t>, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, it.requiredSize()),
    INFO_ROW(cl_ulong, CL_KERNEL_LOCAL_MEM_SIZE, it.kernel.localBytes(it.device)),
    INFO_ROW(size_t, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, it.device.properties().preferredWorkGroupMultiple),
    INFO_ROW(cl_ulong, CL_KERNEL_PRIVATE_MEM_SIZE, it.info().privateBytes),
};

/// One argument of a kernel.
struct Argument {
  const Kernel& kernel;
  const compiler::KernelArg& described;

  const compiler::KernelArg& arg() const {
    // CL_KERNEL_ARG_INFO_NOT_AVAILABLE if the argument information is not available for kernel.
    failIf(!kernel.hasArgInfo(), CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
           "the program of kernel '{}' was not built from source with -cl-kernel-arg-info", kernel.name());
    return described;
  }
};

const InfoRow<const Argument> kArgInfo[] = {
    INFO_ROW(cl_kernel_arg_address_qualifier, CL_KERNEL_ARG_ADDRESS_QUALIFIER, it.arg().address),
    INFO_ROW(cl_kernel_arg_access_qualifier, CL_KERNEL_ARG_ACCESS_QUALIFIER, it.arg().access),
    INFO_ROW(std::string, CL_KERNEL_ARG_TYPE_NAME, it.arg().typeName),
    INFO_ROW(cl_kernel_arg_type_qualifier, CL_KERNEL_ARG_TYPE_QUALIFIER, it.arg().typeQualifiers),
    INFO_ROW(std::string, CL_KERNEL_ARG_NAME, it.arg().name),
};

/// The device of a query about a kernel, which may be left out when there is only one.
const Device& deviceOf(const Kernel& kernel, cl_device_id handle) {
  const std::vector<Ref<Device>> devices = kernel.devices();
  // CL_INVALID_DEVICE if device is NULL but there is more than one device associated with kernel.
  failIf(!handle && devices.size() > 1, CL_INVALID_DEVICE, "device is null and kernel '{}' has {} devices",
         kernel.name(), devices.size());
  if (!handle) return devices.front();
  const Device& device = ref<Device>(handle);
  // CL_INVALID_DEVICE if device is not in the list of devices associated with kernel.
  failIf(!kernel.hasExecutable(device), CL_INVALID_DEVICE, "device {} is not one of kernel '{}'",
         static_cast<const void*>(handle), kernel.name());
  return device;
}

void failSubGroups(cl_kernel kernel, cl_device_id device) {
  deviceOf(ref<Kernel>(kernel), device);
  // CL_INVALID_OPERATION if device does not support subgroups.
  fail(CL_INVALID_OPERATION, "the device does not support sub-groups");
}

}  // namespace

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size, void* param_value,
                       size_t* param_value_size_ret) {
  return entry([&] {
    answer(kKernelInfo, ref<Kernel>(kernel), param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name,
                                size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    const Kernel& it = ref<Kernel>(kernel);
    const OnDevice onDevice{it, deviceOf(it, device)};
    answer(kWorkGroupInfo, onDevice, param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index, cl_kernel_arg_info param_name, size_t param_value_size,
                          void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    const Kernel& it = ref<Kernel>(kernel);
    const auto& args = it.info().args;
    // CL_INVALID_ARG_INDEX if arg_index is not a valid argument index.
    failIf(arg_index >= args.size(), CL_INVALID_ARG_INDEX, "kernel '{}' has {} arguments, there is no argument {}",
           it.name(), args.size(), arg_index);
    const Argument argument{it, args[arg_index]};
    answer(kArgInfo, argument, param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info, size_t, const void*,
                               size_t, void*, size_t*) {
  return entry([&] { failSubGroups(kernel, device); });
}

cl_int clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info, size_t, const void*,
                                  size_t, void*, size_t*) {
  return entry([&] { failSubGroups(kernel, device); });
}

}  // namespace clarity::api
