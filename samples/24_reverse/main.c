// SPDX-License-Identifier: Apache-2.0
// This file reverses an array on a device, directly and slice by slice in local memory.
#include "sample.h"

#include <stdlib.h>

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 24, wantedLocal = 256;
  const SampleOption options[] = {
      {"--size", "elements of the array", SAMPLE_COUNT, &count, 1, 1u << 30},
      {"--local", "work-items per work-group, at most", SAMPLE_COUNT, &wantedLocal, 1, 1u << 16},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "reverse an array, directly and in local memory", options);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, context, device, "reverse.cl", "");
  static const char* const names[] = {"reverseGlobal", "reverseLocal"};
  cl_kernel kernels[2];
  for (int i = 0; i < 2; ++i) {
    kernels[i] = clCreateKernel(program, names[i], &status);
    check(status, "clCreateKernel");
  }

  const size_t bytes = count * sizeof(cl_int);
  cl_int *a = sampleAllocate(count, sizeof *a), *b = sampleAllocate(count, sizeof *b);
  for (size_t i = 0; i < count; ++i) a[i] = (cl_int)i;
  cl_mem d_a = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a, &status);
  check(status, "clCreateBuffer");
  cl_mem d_b = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");

  const size_t local = workGroupSizeFor(device, kernels, 2, wantedLocal), global = roundUp(count, local);
  const cl_uint n = (cl_uint)count;
  const cl_int nothing = -1;  // no element has this value
  for (int i = 0; i < 2; ++i) {
    check(clSetKernelArg(kernels[i], 0, sizeof(cl_mem), &d_a), "clSetKernelArg");
    check(clSetKernelArg(kernels[i], 1, sizeof(cl_mem), &d_b), "clSetKernelArg");
    check(clSetKernelArg(kernels[i], 2, sizeof(cl_uint), &n), "clSetKernelArg");
    if (i == 1) check(clSetKernelArg(kernels[i], 3, local * sizeof(cl_int), NULL), "clSetKernelArg");
    check(clEnqueueFillBuffer(queue, d_b, &nothing, sizeof nothing, 0, bytes, 0, NULL, NULL), "clEnqueueFillBuffer");
    const double ms = launchTimed(&sample, queue, kernels[i], 1, &global, &local);
    check(clEnqueueReadBuffer(queue, d_b, CL_TRUE, 0, bytes, b, 0, NULL, NULL), "clEnqueueReadBuffer");
    int right = 1;
    for (size_t k = 0; k < count && right; ++k)
      if (b[k] != a[count - 1 - k]) {
        say(&sample, "  element %zu is %d, should be %d\n", k, b[k], a[count - 1 - k]);
        right = 0;
      }
    sampleResult(&sample, names[i], countText(count), ms, 0, 2.0 * (double)bytes, right);
    clReleaseKernel(kernels[i]);
  }

  clReleaseMemObject(d_a);
  clReleaseMemObject(d_b);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(a);
  free(b);
  return sampleEnd(&sample);
}
