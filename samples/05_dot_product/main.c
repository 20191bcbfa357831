// SPDX-License-Identifier: Apache-2.0
// This file computes a dot product on a device, naively and with local memory.
#include "sample.h"

#include <stdlib.h>

typedef struct {
  cl_context context;
  cl_command_queue queue;
  cl_mem a, b;
  size_t count, global, local;
  double expected;
} Problem;

// Launches a kernel that leaves `partialCount` partial sums in its argument 2, and adds them up.
static void run(Sample* sample, const Problem* problem, cl_kernel kernel, const char* name, size_t partialCount) {
  cl_int status;
  const size_t bytes = partialCount * sizeof(cl_float);
  cl_mem bufferC = clCreateBuffer(problem->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &problem->a), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &problem->b), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof(cl_mem), &bufferC), "clSetKernelArg");

  const double ms = launchTimed(sample, problem->queue, kernel, 1, &problem->global, &problem->local);
  cl_float* partial = sampleAllocate(partialCount, sizeof *partial);
  check(clEnqueueReadBuffer(problem->queue, bufferC, CL_TRUE, 0, bytes, partial, 0, NULL, NULL), "clEnqueueReadBuffer");
  double sum = 0;
  for (size_t i = 0; i < partialCount; ++i) sum += partial[i];

  say(sample, "  %s: %zu partial sums, result %.0f, serial result %.0f\n", name, partialCount, sum, problem->expected);
  sampleResult(sample, name, countText(problem->count), ms, 0, 2.0 * (double)problem->count * sizeof(cl_float),
               sum == problem->expected);
  free(partial);
  clReleaseMemObject(bufferC);
}

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 24, groups = 512, wantedLocal = 256;
  const SampleOption options[] = {
      {"--size", "elements per vector", SAMPLE_COUNT, &count, 1, 1u << 30},
      {"--groups", "work-groups", SAMPLE_COUNT, &groups, 1, 1u << 20},
      {"--local", "work-items per work-group, at most", SAMPLE_COUNT, &wantedLocal, 1, 1u << 16},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "dot product of two vectors, naive and with local memory", options);

  Problem problem = {.count = count};
  const size_t bytes = count * sizeof(cl_float);
  cl_float *a = sampleAllocate(count, sizeof *a), *b = sampleAllocate(count, sizeof *b);
  fillWholeFloats(a, count, 1, -8, 8);  // small integers: every partial sum is exact
  fillWholeFloats(b, count, 2, -8, 8);
  for (size_t i = 0; i < count; ++i) problem.expected += (double)a[i] * b[i];

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  problem.context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  problem.queue = clCreateCommandQueue(problem.context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, problem.context, device, "dot_product.cl", "");
  cl_kernel kernels[2];
  kernels[0] = clCreateKernel(program, "DotProductNaive", &status);
  check(status, "clCreateKernel");
  kernels[1] = clCreateKernel(program, "DotProductShared", &status);
  check(status, "clCreateKernel");
  problem.a = clCreateBuffer(problem.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a, &status);
  check(status, "clCreateBuffer");
  problem.b = clCreateBuffer(problem.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, b, &status);
  check(status, "clCreateBuffer");
  problem.local = workGroupSizeFor(device, kernels, 2, wantedLocal);
  problem.global = groups * problem.local;

  const cl_int elements = (cl_int)count;
  check(clSetKernelArg(kernels[0], 3, sizeof(cl_int), &elements), "clSetKernelArg");
  run(&sample, &problem, kernels[0], "DotProductNaive", problem.global);

  // Local memory: a size and no pointer. Each work-group has a separate array.
  check(clSetKernelArg(kernels[1], 3, sizeof(cl_float) * problem.local, NULL), "clSetKernelArg");
  check(clSetKernelArg(kernels[1], 4, sizeof(cl_int), &elements), "clSetKernelArg");
  run(&sample, &problem, kernels[1], "DotProductShared", groups);

  for (int i = 0; i < 2; ++i) clReleaseKernel(kernels[i]);
  clReleaseMemObject(problem.a);
  clReleaseMemObject(problem.b);
  clReleaseProgram(program);
  clReleaseCommandQueue(problem.queue);
  clReleaseContext(problem.context);
  free(a);
  free(b);
  return sampleEnd(&sample);
}
