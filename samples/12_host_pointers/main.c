// SPDX-License-Identifier: Apache-2.0
// This file multiplies matrices in buffers created with USE, ALLOC and COPY_HOST_PTR and compares the times.
#include "matrix.h"
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  cl_context context;
  cl_command_queue queue;
  cl_kernel kernel;
  size_t side, bytes, local;
  cl_int *a, *b, *c, *serial;
} Problem;

// A buffer with the content of `data`, created as `kind` says.
static cl_mem makeInput(const Problem* problem, cl_mem_flags kind, cl_int* data) {
  cl_int status;
  if (kind != CL_MEM_ALLOC_HOST_PTR) {
    cl_mem buffer = clCreateBuffer(problem->context, CL_MEM_READ_ONLY | kind, problem->bytes, data, &status);
    check(status, "clCreateBuffer");
    return buffer;
  }
  // With ALLOC there is no host pointer: the memory is filled through a map.
  cl_mem buffer = clCreateBuffer(problem->context, CL_MEM_READ_ONLY | kind, problem->bytes, NULL, &status);
  check(status, "clCreateBuffer");
  void* mapped = clEnqueueMapBuffer(problem->queue, buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, problem->bytes,
                                    0, NULL, NULL, &status);
  check(status, "clEnqueueMapBuffer");
  memcpy(mapped, data, problem->bytes);
  check(clEnqueueUnmapMemObject(problem->queue, buffer, mapped, 0, NULL, NULL), "clEnqueueUnmapMemObject");
  check(clFinish(problem->queue), "clFinish");
  return buffer;
}

static void multiplyWith(Sample* sample, Problem* problem, cl_mem_flags kind, const char* name) {
  cl_int status;
  memset(problem->c, 0xff, problem->bytes);
  const double beforeCreate = wallMs();
  cl_mem bufferA = makeInput(problem, kind, problem->a), bufferB = makeInput(problem, kind, problem->b);
  const double createMs = wallMs() - beforeCreate;
  // The result is in the same kind of buffer every time, so that only A and B differ.
  cl_mem bufferC =
      clCreateBuffer(problem->context, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR, problem->bytes, problem->c, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(problem->kernel, 0, sizeof(cl_mem), &bufferA), "clSetKernelArg");
  check(clSetKernelArg(problem->kernel, 1, sizeof(cl_mem), &bufferB), "clSetKernelArg");
  check(clSetKernelArg(problem->kernel, 2, sizeof(cl_mem), &bufferC), "clSetKernelArg");
  const size_t global[] = {problem->side, problem->side}, local[] = {problem->local, problem->local};
  const double kernelMs = launchTimed(sample, problem->queue, problem->kernel, 2, global, local);

  const double beforeMap = wallMs();
  cl_int* c =
      clEnqueueMapBuffer(problem->queue, bufferC, CL_TRUE, CL_MAP_READ, 0, problem->bytes, 0, NULL, NULL, &status);
  check(status, "clEnqueueMapBuffer");
  const double mapMs = wallMs() - beforeMap;
  say(sample, "  %s: A and B made in %.3f ms, kernel %.3f ms, result mapped in %.3f ms\n", name, createMs, kernelMs,
      mapMs);
  const double operations = 2.0 * (double)problem->side * (double)problem->side * (double)problem->side;
  sampleResult(sample, name, shapeText(problem->side, problem->side), kernelMs, operations, 0,
               sameInts(sample, c, problem->serial, problem->side, problem->side));
  check(clEnqueueUnmapMemObject(problem->queue, bufferC, c, 0, NULL, NULL), "clEnqueueUnmapMemObject");
  check(clFinish(problem->queue), "clFinish");
  clReleaseMemObject(bufferA);
  clReleaseMemObject(bufferB);
  clReleaseMemObject(bufferC);
}

// Memory at the start of a page, which a device can use in place.
static cl_int* allocatePages(size_t bytes) {
  void* memory = NULL;
  if (posix_memalign(&memory, 4096, bytes) != 0) sampleFail("cannot allocate %zu bytes of host memory", bytes);
  return memory;
}

int main(int argc, char** argv) {
  Sample sample;
  Problem problem = {.side = 512, .local = 16};
  const SampleOption options[] = {
      {"--size", "rows and columns of the matrices", SAMPLE_COUNT, &problem.side, 1, 8192},
      {"--local", "side of a work-group, at most", SAMPLE_COUNT, &problem.local, 1, 64},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "compare buffers made with USE, ALLOC and COPY_HOST_PTR", options);

  const size_t elements = problem.side * problem.side;
  problem.bytes = elements * sizeof(cl_int);
  problem.a = allocatePages(problem.bytes);
  problem.b = allocatePages(problem.bytes);
  problem.c = allocatePages(problem.bytes);
  problem.serial = sampleAllocate(elements, sizeof(cl_int));
  fillWholeInts(problem.a, elements, 1, -100, 100);
  fillWholeInts(problem.b, elements, 2, -100, 100);
  multiplyInts(problem.a, problem.b, problem.serial, problem.side);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  problem.context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  problem.queue = clCreateCommandQueue(problem.context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  char buildOptions[32];
  snprintf(buildOptions, sizeof buildOptions, "-D N=%zu", problem.side);
  cl_program program = buildProgram(&sample, problem.context, device, "mul_kernel.cl", buildOptions);
  problem.kernel = clCreateKernel(program, "mul", &status);
  check(status, "clCreateKernel");
  const size_t limit = workGroupSizeFor(device, &problem.kernel, 1, problem.local * problem.local);
  while (problem.local > 1 && (problem.side % problem.local || problem.local * problem.local > limit))
    --problem.local;  // the largest side that divides the matrix and fits

  multiplyWith(&sample, &problem, CL_MEM_USE_HOST_PTR, "USE_HOST_PTR");
  multiplyWith(&sample, &problem, CL_MEM_ALLOC_HOST_PTR, "ALLOC_HOST_PTR");
  multiplyWith(&sample, &problem, CL_MEM_COPY_HOST_PTR, "COPY_HOST_PTR");

  clReleaseKernel(problem.kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(problem.queue);
  clReleaseContext(problem.context);
  free(problem.a);
  free(problem.b);
  free(problem.c);
  free(problem.serial);
  return sampleEnd(&sample);
}
