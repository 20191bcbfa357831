// SPDX-License-Identifier: Apache-2.0
// This file is a user's OpenCL program, which adds numbers on the first device and fails if a sum is wrong.
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

static const char* source =
    "kernel void add(global const int* a, global int* b) { b[get_global_id(0)] += a[get_global_id(0)]; }";

static void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  fprintf(stderr, "%s: error %d\n", what, code);
  exit(1);
}

int main(void) {
  enum { count = 1000 };
  cl_platform_id platform;
  cl_device_id device;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "add", NULL);
  int a[count], b[count];
  for (int i = 0; i < count; ++i) a[i] = i, b[i] = 2 * i;
  cl_mem first = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof a, a, NULL);
  cl_mem second = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof b, b, NULL);
  check(clSetKernelArg(kernel, 0, sizeof first, &first), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof second, &second), "clSetKernelArg");
  const size_t items = count;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, second, CL_TRUE, 0, sizeof b, b, 0, NULL, NULL), "clEnqueueReadBuffer");
  for (int i = 0; i < count; ++i)
    if (b[i] != 3 * i) {
      fprintf(stderr, "b[%d] is %d\n", i, b[i]);
      return 1;
    }
  puts("all sums are right");
  return 0;
}
