// SPDX-License-Identifier: Apache-2.0
// This program builds a kernel from a string that is in no file, as programs in Python do, and runs it.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char* const source =
    "kernel void twice(global int* out, int by) {\n"
    "  int i = get_global_id(0);\n"
    "  int value = i * by;\n"
    "  out[i] = value;\n"
    "}\n";

int main(void) {
  enum { items = 8 };
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return 1;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, (const char**)&source, NULL, NULL);
  if (clBuildProgram(program, 1, &device, "", NULL, NULL)) return 1;
  cl_kernel kernel = clCreateKernel(program, "twice", NULL);
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, items * sizeof(cl_int), NULL, NULL);
  const cl_int by = 2;
  const size_t global = items;
  clSetKernelArg(kernel, 0, sizeof out, &out);
  clSetKernelArg(kernel, 1, sizeof by, &by);
  if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL)) return 1;
  cl_int result[items];
  if (clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL)) return 1;
  for (int i = 0; i < items; ++i) printf("%d ", result[i]);
  printf("\n");
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
