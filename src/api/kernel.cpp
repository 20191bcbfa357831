// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points that create kernels and set their arguments (OpenCL 3.0, section 5.9). Those for
// arguments that are addresses are in kernel_pointers.cpp, queries in kernel_info.cpp.
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
    return (new Kernel(it, kernel_name))->handOut();
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
      for (Kernel* const kernel : made) *kernels++ = kernel->handOut();
    }
    if (num_kernels_ret) *num_kernels_ret = static_cast<cl_uint>(names.size());
  });
}

cl_kernel clCloneKernel(cl_kernel source_kernel, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] { return (new Kernel(ref<Kernel>(source_kernel)))->handOut(); });
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

}  // namespace clarity::api
