// SPDX-License-Identifier: Apache-2.0
// This file adds two vectors with fewer work-items than elements.
#include "sample.h"

#include <stdlib.h>

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 24, groups = 512, wantedLocal = 256;
  const SampleOption options[] = {
      {"--size", "elements per vector", SAMPLE_COUNT, &count, 1, 1u << 30},
      {"--groups", "work-groups", SAMPLE_COUNT, &groups, 1, 1u << 20},
      {"--local", "work-items per work-group, at most", SAMPLE_COUNT, &wantedLocal, 1, 1u << 16},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "add two vectors of any length with a fixed number of work-items", options);

  const size_t bytes = count * sizeof(cl_float);
  cl_float *a = sampleAllocate(count, sizeof *a), *b = sampleAllocate(count, sizeof *b);
  cl_float* c = sampleAllocate(count, sizeof *c);
  fillWholeFloats(a, count, 1, -1000, 1000);
  fillWholeFloats(b, count, 2, -1000, 1000);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, context, device, "vector_add_arbitrary.cl", "");
  cl_kernel kernel = clCreateKernel(program, "VectorAddArbitrary", &status);
  check(status, "clCreateKernel");

  cl_mem bufferA = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferB = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferC = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  check(clEnqueueWriteBuffer(queue, bufferA, CL_FALSE, 0, bytes, a, 0, NULL, NULL), "clEnqueueWriteBuffer");
  check(clEnqueueWriteBuffer(queue, bufferB, CL_FALSE, 0, bytes, b, 0, NULL, NULL), "clEnqueueWriteBuffer");

  const cl_int elements = (cl_int)count;
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bufferA), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &bufferB), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof(cl_mem), &bufferC), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof(cl_int), &elements), "clSetKernelArg");

  // The global size does not depend on the length of the vectors.
  const size_t local = workGroupSizeFor(device, &kernel, 1, wantedLocal), global = groups * local;
  const double ms = launchTimed(&sample, queue, kernel, 1, &global, &local);
  check(clEnqueueReadBuffer(queue, bufferC, CL_TRUE, 0, bytes, c, 0, NULL, NULL), "clEnqueueReadBuffer");

  int right = 1;
  for (size_t i = 0; i < count && right; ++i)
    if (c[i] != a[i] + b[i]) {
      say(&sample, "  c[%zu] is %g, should be %g\n", i, c[i], a[i] + b[i]);
      right = 0;
    }
  say(&sample, "  %zu work-groups of %zu work-items, up to %zu elements each\n", groups, local,
      (count + global - 1) / global);
  sampleResult(&sample, "VectorAddArbitrary", countText(count), ms, 0, 3.0 * (double)bytes, right);

  clReleaseKernel(kernel);
  clReleaseMemObject(bufferA);
  clReleaseMemObject(bufferB);
  clReleaseMemObject(bufferC);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(a);
  free(b);
  free(c);
  return sampleEnd(&sample);
}
