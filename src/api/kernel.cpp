// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points that create kernels and set their arguments (OpenCL 3.0, section 5.9); what is
// queried about them is in kernel_info.cpp.
#include "core/kernel.h"

#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"

namespace clarity::api {

using core::Kernel;
using core::Program;

cl_kernel clCreateKernel(cl_program program, const char* kernel_name, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    Program& it = ref<Program>(program);
    // CL_INVALID_VALUE if kernel_name is NULL.
    failIf(!kernel_name, CL_INVALID_VALUE, "kernel_name is null");
    return (new Kernel(it, kernel_name))->handle();
  });
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel* kernels, cl_uint* num_kernels_ret) {
  return entry([&] {
    Program& it = ref<Program>(program);
    // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for any device in program.
    const std::vector<std::string> names = it.kernelNames();
    // CL_INVALID_VALUE if kernels is not NULL and num_kernels is less than the number of kernels in program.
    failIf(kernels && num_kernels < names.size(), CL_INVALID_VALUE, "num_kernels is {}, the program has {} kernels",
           num_kernels, names.size());
    if (kernels) {
      std::vector<Kernel*> made;
      try {
        for (const std::string& name : names) made.push_back(new Kernel(it, name));
      } catch (...) {
        for (Kernel* const kernel : made) kernel->release();
        throw;
      }
      for (Kernel* const kernel : made) *kernels++ = kernel->handle();
    }
    if (num_kernels_ret) *num_kernels_ret = static_cast<cl_uint>(names.size());
  });
}

cl_kernel clCloneKernel(cl_kernel source_kernel, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] { return (new Kernel(ref<Kernel>(source_kernel)))->handle(); });
}

cl_int clRetainKernel(cl_kernel kernel) {
  return entry([&] { retainHandle<Kernel>(kernel); });
}

cl_int clReleaseKernel(cl_kernel kernel) {
  return entry([&] { releaseHandle<Kernel>(kernel); });
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size, const void* arg_value) {
  return entry([&] { ref<Kernel>(kernel).setArg(arg_index, arg_size, arg_value); });
}

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void*) {
  return entry([&] {
    ref<Kernel>(kernel);
    // CL_INVALID_OPERATION if no devices in the context associated with kernel support SVM.
    fail(CL_INVALID_OPERATION, "argument {}: no device of the context supports shared virtual memory", arg_index);
  });
}

cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name, size_t, const void*) {
  return entry([&] {
    ref<Kernel>(kernel);
    // CL_INVALID_VALUE if param_name is not valid.
    failIf(param_name != CL_KERNEL_EXEC_INFO_SVM_PTRS && param_name != CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
           CL_INVALID_VALUE, "param_name {:#x} is none of clSetKernelExecInfo", param_name);
    // CL_INVALID_OPERATION if no devices in the context associated with kernel support SVM.
    fail(CL_INVALID_OPERATION, "param_name {:#x}: no device of the context supports shared virtual memory", param_name);
  });
}

}  // namespace clarity::api
