// SPDX-License-Identifier: Apache-2.0
// This program loads the driver into the global scope, as an application may, runs a kernel on it through the loader,
// and then opens a library of the application that needs newer versions of libraries that the driver is built with. It
// prints the files of all libraries in the process.
//
//   privacy DRIVER LIBRARY    calls needs_newer() of LIBRARY, which must return 42
#define _GNU_SOURCE  // dl_iterate_phdr
#include <CL/cl.h>
#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char* const source =
    "kernel void f(global float* a) {\n"
    "  size_t i = get_global_id(0);\n"
    "  a[i] = sin(a[i]) + cosh(a[i]) + pow(a[i], 1.5f) + cbrt(a[i]);\n"
    "}\n";

static void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  printf("%s: error %d\n", what, code);
  exit(1);
}

// Enough work for all processors, so that worker threads and SLEEF are used.
static void compute(void) {
  enum { count = 1 << 20 };
  static float values[count];
  for (int i = 0; i < count; ++i) values[i] = (float)(i % 64) / 8;
  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  check(code, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  check(code, "clCreateCommandQueue");
  cl_program program = clCreateProgramWithSource(context, 1, (const char**)&source, NULL, &code);
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program, 0, NULL, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "f", &code);
  check(code, "clCreateKernel");
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
  check(code, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
  const size_t size = count;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL), "clEnqueueReadBuffer");
  for (int i = 0; i < count; ++i) {
    const double x = (i % 64) / 8.0, right = sin(x) + cosh(x) + pow(x, 1.5) + cbrt(x);
    if (fabs(values[i] - right) > 1e-5 * right + 1e-5) {
      printf("item %d is %g instead of %g\n", i, values[i], right);
      exit(1);
    }
  }
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

static int print(struct dl_phdr_info* library, size_t size, void* unused) {
  (void)size, (void)unused;
  printf("library %s\n", library->dlpi_name);
  return 0;
}

int main(int count, char** arguments) {
  if (count != 3) return 2;
  if (!dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL)) {
    puts(dlerror());
    return 1;
  }
  compute();
  void* const library = dlopen(arguments[2], RTLD_NOW);
  if (!library) {
    puts(dlerror());
    return 1;
  }
  int (*const needsNewer)(void) = (int (*)(void))dlsym(library, "needs_newer");
  const int answer = needsNewer();
  compute();
  dl_iterate_phdr(print, NULL);
  printf("the application's library answers %d\n", answer);
  return answer == 42 ? 0 : 1;
}
