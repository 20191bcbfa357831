// SPDX-License-Identifier: Apache-2.0
// This file adds up doubles on a device in seven ways.
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 7 };

typedef struct {
  cl_program program;
  cl_kernel kernels[STEPS];
  size_t blockSize;
} Kernels;

static Kernels buildWith(const Sample* sample, cl_context context, cl_device_id device, size_t blockSize) {
  char options[64];
  snprintf(options, sizeof options, "-D BLOCK_SIZE=%zu", blockSize);
  Kernels built = {.program = buildProgram(sample, context, device, "reduce.cl", options), .blockSize = blockSize};
  for (int i = 0; i < STEPS; ++i) {
    char name[16];
    cl_int status;
    snprintf(name, sizeof name, "reduce%d", i);
    built.kernels[i] = clCreateKernel(built.program, name, &status);
    check(status, "clCreateKernel");
  }
  return built;
}

static void releaseKernels(Kernels* built) {
  for (int i = 0; i < STEPS; ++i) clReleaseKernel(built->kernels[i]);
  clReleaseProgram(built->program);
}

// The block size is compiled in, and the compiled kernels may have a lower limit: then build again.
static Kernels buildKernels(const Sample* sample, cl_context context, cl_device_id device, size_t wanted) {
  size_t blockSize = workGroupSizeFor(device, NULL, 0, wanted), deviceLimit;
  check(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof deviceLimit, &deviceLimit, NULL),
        "clGetDeviceInfo");
  while (blockSize > deviceLimit) blockSize /= 2;
  for (;;) {
    Kernels built = buildWith(sample, context, device, blockSize);
    const size_t allowed = workGroupSizeFor(device, built.kernels, STEPS, blockSize);
    if (allowed == blockSize) return built;
    releaseKernels(&built);
    blockSize = allowed;
  }
}

// Work-groups that reduce number `step` needs for n elements.
static size_t groupsFor(int step, size_t n, size_t blockSize, size_t cascadeGroups) {
  const size_t perGroup = step < 3 ? blockSize : 2 * blockSize;
  const size_t groups = (n + perGroup - 1) / perGroup;
  return step == 6 && groups > cascadeGroups ? cascadeGroups : groups;
}

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 24, wantedLocal = 512, cascadeGroups = 64;
  const SampleOption options[] = {
      {"--size", "elements to add up", SAMPLE_COUNT, &count, 1, 1u << 30},
      {"--local", "work-items per work-group, at most", SAMPLE_COUNT, &wantedLocal, 1, 512},
      {"--groups", "work-groups of the last step", SAMPLE_COUNT, &cascadeGroups, 1, 1u << 16},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "add up doubles in seven steps of optimisation", options);

  cl_device_id device = sampleDevice(&sample);
  if (!deviceHasDouble(device)) sampleFail("this device has no double precision (CL_DEVICE_DOUBLE_FP_CONFIG is 0)");
  cl_int status;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  Kernels built = buildKernels(&sample, context, device, wantedLocal);
  const size_t local = built.blockSize;

  cl_double* data = sampleAllocate(count, sizeof *data);
  cl_double expected = 0;
  uint32_t seed = 1;
  for (size_t i = 0; i < count; ++i)
    expected += data[i] = wholeNumber(&seed, 0, 1000);  // whole numbers: the sum is exact in any order
  const size_t bytes = count * sizeof(cl_double), mostGroups = (count + local - 1) / local;
  cl_mem src = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, data, &status);
  check(status, "clCreateBuffer");
  cl_mem dst = clCreateBuffer(context, CL_MEM_WRITE_ONLY, mostGroups * sizeof(cl_double), NULL, &status);
  check(status, "clCreateBuffer");
  cl_double* partial = sampleAllocate(mostGroups, sizeof *partial);

  say(&sample, "  work-groups of %zu, serial sum %.0f\n", local, expected);
  for (int step = 0; step < STEPS; ++step) {
    const size_t groups = groupsFor(step, count, local, cascadeGroups), global = groups * local;
    const cl_ulong n = count;
    cl_kernel kernel = built.kernels[step];
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &dst), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &src), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, local * sizeof(cl_double), NULL), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof(cl_ulong), &n), "clSetKernelArg");
    const double ms = launchTimed(&sample, queue, kernel, 1, &global, &local);

    check(clEnqueueReadBuffer(queue, dst, CL_TRUE, 0, groups * sizeof(cl_double), partial, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    cl_double sum = 0;
    for (size_t i = 0; i < groups; ++i) sum += partial[i];
    char name[16];
    snprintf(name, sizeof name, "reduce%d", step);
    if (sum != expected) say(&sample, "  %s gives %.0f\n", name, sum);
    sampleResult(&sample, name, countText(count), ms, 0, (double)bytes, sum == expected);
  }

  releaseKernels(&built);
  clReleaseMemObject(src);
  clReleaseMemObject(dst);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(data);
  free(partial);
  return sampleEnd(&sample);
}
