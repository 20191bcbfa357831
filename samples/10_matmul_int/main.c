// SPDX-License-Identifier: Apache-2.0
// This file multiplies two matrices of int on a device, from global memory and by blocks in local memory.
#include "matrix.h"
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  cl_context context;
  cl_device_id device;
  cl_command_queue queue;
  size_t side;
  cl_int *a, *b, *c, *serial;
} Problem;

static void multiply(Sample* sample, Problem* problem, const char* file, const char* caseName, size_t localSide) {
  const size_t side = problem->side, bytes = side * side * sizeof(cl_int);
  char buildOptions[64];
  snprintf(buildOptions, sizeof buildOptions, "-D N=%zu -D Blk=%zu", side, side / localSide);
  cl_program program = buildProgram(sample, problem->context, problem->device, file, buildOptions);
  cl_int status;
  cl_kernel kernel = clCreateKernel(program, "mul", &status);
  check(status, "clCreateKernel");
  size_t limit;
  check(clGetKernelWorkGroupInfo(kernel, problem->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL),
        "clGetKernelWorkGroupInfo");
  if (localSide * localSide > limit)
    sampleFail("work-groups of %zux%zu are too large, the kernel allows %zu work-items", localSide, localSide, limit);

  cl_mem bufferA =
      clCreateBuffer(problem->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, problem->a, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferB =
      clCreateBuffer(problem->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, problem->b, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferC =
      clCreateBuffer(problem->context, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR, bytes, problem->c, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bufferA), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &bufferB), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof(cl_mem), &bufferC), "clSetKernelArg");

  const size_t globalDim[] = {side, side}, localDim[] = {localSide, localSide};
  const double ms = launchTimed(sample, problem->queue, kernel, 2, globalDim, localDim);
  const cl_int* c = clEnqueueMapBuffer(problem->queue, bufferC, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &status);
  check(status, "clEnqueueMapBuffer");
  // An integer operation counts like a floating-point one here.
  sampleResult(sample, caseName, shapeText(side, side), ms, 2.0 * (double)side * (double)side * (double)side, 0,
               sameInts(sample, c, problem->serial, side, side));
  check(clEnqueueUnmapMemObject(problem->queue, bufferC, (void*)c, 0, NULL, NULL), "clEnqueueUnmapMemObject");
  check(clFinish(problem->queue), "clFinish");

  clReleaseMemObject(bufferA);
  clReleaseMemObject(bufferB);
  clReleaseMemObject(bufferC);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

int main(int argc, char** argv) {
  Sample sample;
  size_t globalLocal = 1, block = 16;
  Problem problem = {.side = 1024};
  const SampleOption options[] = {
      {"--size", "rows and columns of the matrices", SAMPLE_COUNT, &problem.side, 1, 8192},
      {"--global-local", "side of a work-group of the global version", SAMPLE_COUNT, &globalLocal, 1, 64},
      {"--block", "side of a block and work-group of the local version", SAMPLE_COUNT, &block, 1, 64},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "multiply two int matrices, from global and from local memory", options);
  if (problem.side % block || problem.side % globalLocal)
    sampleFail("--size %zu is not a multiple of --block %zu and --global-local %zu", problem.side, block, globalLocal);

  const size_t elements = problem.side * problem.side;
  problem.a = sampleAllocate(elements, sizeof(cl_int));
  problem.b = sampleAllocate(elements, sizeof(cl_int));
  problem.c = sampleAllocate(elements, sizeof(cl_int));
  problem.serial = sampleAllocate(elements, sizeof(cl_int));
  fillWholeInts(problem.a, elements, 1, -100, 100);  // 8192 x 100 x 100 fits into an int
  fillWholeInts(problem.b, elements, 2, -100, 100);

  cl_int status;
  problem.device = sampleDevice(&sample);
  problem.context = clCreateContext(NULL, 1, &problem.device, NULL, NULL, &status);
  check(status, "clCreateContext");
  problem.queue = clCreateCommandQueue(problem.context, problem.device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  const double startMs = wallMs();
  multiplyInts(problem.a, problem.b, problem.serial, problem.side);
  say(&sample, "  serial on the host: %.1f ms\n", wallMs() - startMs);

  multiply(&sample, &problem, "mul_kernel.cl", "mul (global)", globalLocal);
  for (size_t i = 0; i < elements; ++i) problem.c[i] = -1;
  multiply(&sample, &problem, "mul_local_kernel.cl", "mul (local)", block);

  clReleaseCommandQueue(problem.queue);
  clReleaseContext(problem.context);
  free(problem.a);
  free(problem.b);
  free(problem.c);
  free(problem.serial);
  return sampleEnd(&sample);
}
