// SPDX-License-Identifier: Apache-2.0
// This file tests that the driver's libsleef is its own: an application that needs a newer one gets that, whichever of
// the two is loaded first, and the driver is bound to none of the application's functions.
//
//   newer_library driver-first|library-first LIBRARY      a library that needs the newer libsleef.so.3
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

[[noreturn]] void fail(const char* what, int code = 0) {
  std::printf("%s (%d)\n", what, code);
  std::exit(1);
}

void check(cl_int code, const char* what) {
  if (code != CL_SUCCESS) fail(what, code);
}

/// A launch whose function is one of the library.
void useDriver() {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_int code = CL_SUCCESS;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr), "clGetDeviceIDs");
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  check(code, "clCreateCommandQueueWithProperties");
  const char* text = "kernel void f(global float* a) { size_t i = get_global_id(0); a[i] = acos((double)(i % 2)); }";
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "f", &code);
  check(code, "clCreateKernel");
  const size_t items = size_t{1} << 22;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(cl_float), nullptr, &code);
  check(code, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), "launch");
  std::vector<cl_float> result(items);
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, items * sizeof(cl_float), result.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  for (size_t i = 0; i < items; ++i)
    if (result[i] != (i % 2 ? 0.0F : 1.57079637F)) fail("the kernel's result is wrong");
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

/// With the library's functions for everyone: also those that are looked up later.
void useLibrary(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!library) fail(dlerror());
  const auto version = reinterpret_cast<int (*)()>(dlsym(library, "versionOfUser"));
  if (!version) fail("the library has no function");
  if (version() != 999999) fail("the library got functions of another libsleef", version());
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) fail("usage: newer_library driver-first|library-first LIBRARY");
  if (std::strcmp(words[1], "driver-first") == 0) {
    useDriver();
    if (dlopen("libsleef.so.3", RTLD_NOW | RTLD_NOLOAD)) fail("the driver has brought a libsleef.so.3 along");
    useLibrary(words[2]);
  } else {
    useLibrary(words[2]);
  }
  useDriver();
  std::printf("each has its own\n");
  return 0;
}
