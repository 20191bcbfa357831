// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points for kernel arguments that are addresses (OpenCL 3.0, section 5.9.2,
// cl_intel_unified_shared_memory, cl_ext_buffer_device_address) and for what kernels reach beside their arguments.
#include "api/commands.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "core/kernel.h"

#include <cstdint>

namespace clarity::api {

using core::Kernel;

namespace {

/// CL_INVALID_OPERATION if no devices in the context associated with kernel support SVM or unified shared memory:
/// devices have both or none.
void requireShared(const Kernel& kernel) {
  failIf(!kernel.context().svmCapabilities(), CL_INVALID_OPERATION,
         "kernel '{}': no device of the context shares memory with the host by address", kernel.name());
}

/// The same of addresses of buffers.
void requireAddresses(const Kernel& kernel) {
  failIf(!kernel.context().someSupport(core::deviceAddressExtension), CL_INVALID_OPERATION,
         "kernel '{}': no device of the context has {}", kernel.name(), core::deviceAddressExtension);
}

/// The form of the value of a param_name of clSetKernelExecInfo.
enum class ValueForm : std::uint8_t { Pointers, Flag };

struct ExecInfo {
  cl_kernel_exec_info name;
  ValueForm form;
  const char* text;
};

constexpr ExecInfo execInfos[] = {
    {CL_KERNEL_EXEC_INFO_SVM_PTRS, ValueForm::Pointers, "CL_KERNEL_EXEC_INFO_SVM_PTRS"},
    {CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, ValueForm::Flag, "CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM"},
    {CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, ValueForm::Flag, "CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR"},
    {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, ValueForm::Flag, "CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL"},
    {CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, ValueForm::Flag,
     "CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL"},
    {CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, ValueForm::Flag,
     "CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL"},
    {CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, ValueForm::Pointers, "CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL"},
    {CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, ValueForm::Pointers, "CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT"},
};

}  // namespace

void setPointer(Kernel& kernel, cl_uint index, const void* pointer) {
  requireShared(kernel);
  kernel.setPointer(index, pointer);
}

/// Memory that is shared by address needs no command that names it: such values are only checked.
void setExecInfo(Kernel& kernel, cl_kernel_exec_info name, std::size_t size, const void* value) {
  const ExecInfo* info = nullptr;
  for (const ExecInfo& each : execInfos)
    if (each.name == name) info = &each;
  // CL_INVALID_VALUE if param_name is not valid, if param_value is NULL and param_value_size is greater than zero, or
  // if the size specified by param_value_size is not valid.
  failIf(!info, CL_INVALID_VALUE, "param_name {:#x} is none of clSetKernelExecInfo", name);
  failIf(size > 0 && !value, CL_INVALID_VALUE, "{}: param_value is null and param_value_size is {}", info->text, size);
  if (info->form == ValueForm::Flag)
    failIf(size != sizeof(cl_bool), CL_INVALID_VALUE, "{}: param_value_size is {}, expected {}", info->text, size,
           sizeof(cl_bool));
  else
    failIf(size % sizeof(void*) != 0, CL_INVALID_VALUE, "{}: param_value_size is {}, no multiple of {}", info->text,
           size, sizeof(void*));
  if (name != CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT) return requireShared(kernel);
  requireAddresses(kernel);
  const auto* const addresses = static_cast<const cl_mem_device_address_ext*>(value);
  kernel.setReached({addresses, addresses + size / sizeof *addresses});
}

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void* arg_value) {
  return entry([&] { setPointer(ref<Kernel>(kernel), arg_index, arg_value); });
}

cl_int clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index, const void* arg_value) {
  return entry([&] { setPointer(ref<Kernel>(kernel), arg_index, arg_value); });
}

cl_int clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index, cl_mem_device_address_ext arg_value) {
  return entry([&] {
    Kernel& it = ref<Kernel>(kernel);
    requireAddresses(it);
    // CL_INVALID_ARG_INDEX also if the argument is not a pointer to the global address space.
    const auto& args = it.info().args;
    failIf(arg_index < args.size() && (args[arg_index].kind != compiler::ArgKind::Buffer ||
                                       args[arg_index].address != compiler::AddressQualifier::Global),
           CL_INVALID_ARG_INDEX, "argument {} of kernel '{}' is no pointer to global memory", arg_index, it.name());
    it.setPointer(arg_index, reinterpret_cast<const void*>(static_cast<std::uintptr_t>(arg_value)));
  });
}

cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name, size_t param_value_size,
                           const void* param_value) {
  return entry([&] { setExecInfo(ref<Kernel>(kernel), param_name, param_value_size, param_value); });
}

}  // namespace clarity::api
