// SPDX-License-Identifier: Apache-2.0
// This file multiplies two arrays on a device and adds up the products.
#include "sample.h"

#include <stdlib.h>

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 24, wantedLocal = 256;
  const SampleOption options[] = {
      {"--size", "elements per array", SAMPLE_COUNT, &count, 1, 1u << 30},
      {"--local", "work-items per work-group, at most", SAMPLE_COUNT, &wantedLocal, 1, 1u << 16},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "multiply two arrays and add up the products in local memory", options);

  const size_t abSize = count * sizeof(cl_float);
  cl_float *hA = sampleAllocate(count, sizeof *hA), *hB = sampleAllocate(count, sizeof *hB);
  fillWholeFloats(hA, count, 1, -8, 8);  // small integers: every partial sum is exact
  fillWholeFloats(hB, count, 2, -8, 8);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue cmdQueue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, context, device, "array_mult_reduce.cl", "");
  cl_kernel kernel = clCreateKernel(program, "ArrayMultReduce", &status);
  check(status, "clCreateKernel");

  const size_t local = workGroupSizeFor(device, &kernel, 1, wantedLocal), global = roundUp(count, local);
  const size_t numWorkGroups = global / local, cSize = numWorkGroups * sizeof(cl_float);
  cl_float* hC = sampleAllocate(numWorkGroups, sizeof *hC);

  cl_mem dA = clCreateBuffer(context, CL_MEM_READ_ONLY, abSize, NULL, &status);
  check(status, "clCreateBuffer");
  cl_mem dB = clCreateBuffer(context, CL_MEM_READ_ONLY, abSize, NULL, &status);
  check(status, "clCreateBuffer");
  cl_mem dC = clCreateBuffer(context, CL_MEM_WRITE_ONLY, cSize, NULL, &status);
  check(status, "clCreateBuffer");
  check(clEnqueueWriteBuffer(cmdQueue, dA, CL_FALSE, 0, abSize, hA, 0, NULL, NULL), "clEnqueueWriteBuffer");
  check(clEnqueueWriteBuffer(cmdQueue, dB, CL_FALSE, 0, abSize, hB, 0, NULL, NULL), "clEnqueueWriteBuffer");

  const cl_int numElements = (cl_int)count;
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &dA), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &dB), "clSetKernelArg");
  // This NULL is how you tell OpenCL that this is a local array, one "prods" per work-item.
  check(clSetKernelArg(kernel, 2, local * sizeof(cl_float), NULL), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof(cl_mem), &dC), "clSetKernelArg");
  check(clSetKernelArg(kernel, 4, sizeof(cl_int), &numElements), "clSetKernelArg");

  const double ms = launchTimed(&sample, cmdQueue, kernel, 1, &global, &local);
  check(clEnqueueReadBuffer(cmdQueue, dC, CL_TRUE, 0, cSize, hC, 0, NULL, NULL), "clEnqueueReadBuffer");

  double sum = 0, serial = 0;
  for (size_t i = 0; i < numWorkGroups; ++i) sum += hC[i];
  for (size_t i = 0; i < count; ++i) serial += (double)hA[i] * hB[i];
  say(&sample, "  %zu work-groups of %zu work-items: sum %.0f, serial sum %.0f\n", numWorkGroups, local, sum, serial);
  sampleResult(&sample, "ArrayMultReduce", countText(count), ms, 0, 2.0 * (double)abSize, sum == serial);

  clReleaseKernel(kernel);
  clReleaseMemObject(dA);
  clReleaseMemObject(dB);
  clReleaseMemObject(dC);
  clReleaseProgram(program);
  clReleaseCommandQueue(cmdQueue);
  clReleaseContext(context);
  free(hA);
  free(hB);
  free(hC);
  return sampleEnd(&sample);
}
