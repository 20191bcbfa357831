// SPDX-License-Identifier: Apache-2.0
// This file holds the queries about kernels (OpenCL 3.0, section 5.9.4).
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"
#include "core/kernel.h"

#include <CL/cl_ext.h>

#include <algorithm>

namespace clarity::api {

using core::Device;
using core::Kernel;

namespace {

/// For a program that is not from source the specification wants none.
std::string attributes(const Kernel& kernel) {
  using Origin = core::Program::Origin;
  const Origin origin = kernel.program().origin();
  return origin == Origin::Binary || origin == Origin::IL ? std::string() : kernel.info().attributes;
}

const InfoRow<Kernel> kernelInfo[] = {
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
  /// The largest work-group: what the kernel demands, or what the device allows.
  size_t largestSize() const {
    size_t required = 1;
    for (const size_t size : requiredSize()) required *= size;
    const size_t most = device.properties().maxWorkGroupSize;
    if (required == 0 && info().requiredSubGroups != 0)
      required = size_t{info().requiredSubGroups} * info().subGroupSize;
    if (required != 0) return std::min(required, most);
    const size_t withRegisters = kernel.program().executable(device)->largestGroup(info());
    return withRegisters != 0 ? std::min(withRegisters, most) : most;
  }
};

/// CL_KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels only.
void writeGlobalSize(const OnDevice& on, InfoWriter& out) {
  failIf(!on.kernel.builtIn(), CL_INVALID_VALUE,
         "CL_KERNEL_GLOBAL_WORK_SIZE: not a custom device and not a built-in kernel");
  size_t* const sizes = out.values<size_t>(3);
  if (!sizes) return;
  sizes[0] = size_t{1} << 56;  // the most of an NDRange (launch.cpp)
  sizes[1] = sizes[2] = 1;
}

const InfoRow<const OnDevice> workGroupInfo[] = {
    {CL_KERNEL_GLOBAL_WORK_SIZE, "CL_KERNEL_GLOBAL_WORK_SIZE", writeGlobalSize},
    INFO_ROW(size_t, CL_KERNEL_WORK_GROUP_SIZE, it.largestSize()),
    INFO_ROW(std::vector<size_t>, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, it.requiredSize()),
    INFO_ROW(cl_ulong, CL_KERNEL_LOCAL_MEM_SIZE, it.kernel.localBytes(it.device)),
    INFO_ROW(size_t, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
             it.info().preferredMultiple(it.device.properties().preferredWorkGroupMultiple)),
    INFO_ROW(cl_ulong, CL_KERNEL_PRIVATE_MEM_SIZE, it.info().privateBytes),
};

/// One argument of a kernel.
struct Argument {
  const Kernel& kernel;
  const compiler::KernelArg& described;

  const compiler::KernelArg& arg() const {
    // CL_KERNEL_ARG_INFO_NOT_AVAILABLE if the argument information is not available for kernel.
    failIf(!kernel.hasArgInfo(), CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
           "the program of kernel '{}' was not built from source; for SPIR-V there is -cl-clarity-describe-arguments",
           kernel.name());
    return described;
  }
};

const InfoRow<const Argument> argInfo[] = {
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

/// A question about the sub-groups of a kernel (section 5.9.5), and what it comes with.
struct SubGroupQuery {
  OnDevice on;
  size_t inputSize;
  const void* input;
  size_t dimensions;  ///< that the caller has room for

  size_t size() const { return on.info().subGroupSize; }

  /// The work-items of the work-group in input_value.
  size_t items() const {
    // CL_INVALID_VALUE if the size in bytes specified by input_value_size is not valid or if input_value is NULL.
    failIf(!input || inputSize == 0 || inputSize % sizeof(size_t) != 0 || inputSize > 3 * sizeof(size_t),
           CL_INVALID_VALUE, "input_value is {} with {} bytes, expected the local size in one to three dimensions",
           input, inputSize);
    size_t items = 1;
    for (size_t d = 0; d < inputSize / sizeof(size_t); ++d) items *= static_cast<const size_t*>(input)[d];
    return items;
  }

  /// The result of get_max_sub_group_size(), however few work-items there are.
  size_t sizeWithin(size_t) const { return size(); }
  size_t countFor(size_t items) const { return (items + size() - 1) / size(); }

  /// A local size with so many sub-groups as input_value says; 0 in all dimensions if there is none.
  std::vector<size_t> localSize() const {
    failIf(!input || inputSize != sizeof(size_t), CL_INVALID_VALUE,
           "input_value is {} with {} bytes, expected a number of sub-groups", input, inputSize);
    const size_t count = *static_cast<const size_t*>(input);
    const std::vector<size_t> required = on.requiredSize();
    std::vector<size_t> local{count * size(), 1, 1};
    if (required[0] != 0) local = required;
    const size_t most = on.largestSize();
    const bool possible = count != 0 && count <= most && countFor(local[0] * local[1] * local[2]) == count &&
                          local[0] * local[1] * local[2] <= most;
    if (!possible) local = {0, 0, 0};
    local.resize(dimensions);
    return local;
  }
};

const InfoRow<const SubGroupQuery> subGroupInfo[] = {
    INFO_ROW(size_t, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, it.sizeWithin(it.items())),
    INFO_ROW(size_t, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, it.countFor(it.items())),
    INFO_ROW(std::vector<size_t>, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, it.localSize()),
    INFO_ROW(size_t, CL_KERNEL_MAX_NUM_SUB_GROUPS, it.countFor(it.on.largestSize())),
    INFO_ROW(size_t, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, it.on.info().requiredSubGroups),
    INFO_ROW(size_t, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, it.on.info().requiredSubGroupSize),
};

void answerSubGroups(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
                     size_t input_value_size, const void* input_value, size_t param_value_size, void* param_value,
                     size_t* param_value_size_ret) {
  const Kernel& it = ref<Kernel>(kernel);
  const Device& on = deviceOf(it, device);
  // CL_INVALID_OPERATION if device does not support sub-groups.
  failIf(on.properties().maxSubGroups == 0, CL_INVALID_OPERATION, "device '{}' does not support sub-groups",
         on.properties().name);
  const size_t dimensions = param_value ? std::clamp<size_t>(param_value_size / sizeof(size_t), 1, 3) : 3;
  const SubGroupQuery query{{it, on}, input_value_size, input_value, dimensions};
  answer(subGroupInfo, query, param_name, param_value_size, param_value, param_value_size_ret);
}

}  // namespace

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size, void* param_value,
                       size_t* param_value_size_ret) {
  return entry([&] {
    answer(kernelInfo, ref<Kernel>(kernel), param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name,
                                size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    const Kernel& it = ref<Kernel>(kernel);
    const OnDevice onDevice{it, deviceOf(it, device)};
    answer(workGroupInfo, onDevice, param_name, param_value_size, param_value, param_value_size_ret);
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
    answer(argInfo, argument, param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
                               size_t input_value_size, const void* input_value, size_t param_value_size,
                               void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    answerSubGroups(kernel, device, param_name, input_value_size, input_value, param_value_size, param_value,
                    param_value_size_ret);
  });
}

cl_int clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
                                  size_t input_value_size, const void* input_value, size_t param_value_size,
                                  void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    answerSubGroups(kernel, device, param_name, input_value_size, input_value, param_value_size, param_value,
                    param_value_size_ret);
  });
}

}  // namespace clarity::api
