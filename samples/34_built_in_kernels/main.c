// SPDX-License-Identifier: Apache-2.0
// This file searches: which of many vectors are the most similar to a given one, by three built-in kernels. gemv
// computes the similarities, sort.pairs puts the numbers of the vectors in their order, gather fetches the best.
#include "sample.h"

#include <stdlib.h>
#include <string.h>

enum { KERNELS = 3 };
static const char* const names[KERNELS] = {"clarity.gemv.f32", "clarity.sort.pairs.f32", "clarity.gather.f32"};

typedef struct {
  Sample* sample;
  cl_command_queue queue;
  cl_kernel kernels[KERNELS];
  size_t vectors, width, best;
  float *table, *query, *found;
  cl_uint* order;
} Problem;

// One argument after the other: a size and where the value is.
static void setArgs(cl_kernel kernel, const size_t* sizes, const void* const* values, cl_uint count) {
  for (cl_uint i = 0; i < count; ++i) check(clSetKernelArg(kernel, i, sizes[i], values[i]), "clSetKernelArg");
}

// Whether the device has all of them: other platforms have not.
static int hasKernels(cl_device_id device) {
  size_t bytes = 0;
  check(clGetDeviceInfo(device, CL_DEVICE_BUILT_IN_KERNELS, 0, NULL, &bytes), "clGetDeviceInfo");
  char* all = sampleAllocate(bytes + 1, 1);
  check(clGetDeviceInfo(device, CL_DEVICE_BUILT_IN_KERNELS, bytes, all, NULL), "clGetDeviceInfo");
  all[bytes] = '\0';
  int has = 1;
  for (int i = 0; i < KERNELS; ++i) has = has && strstr(all, names[i]) != NULL;
  free(all);
  return has;
}

// The vectors that were found are those of the table, each no less similar than the next, and none is better.
static int isRight(const Problem* problem) {
  float* similarity = sampleAllocate(problem->vectors, sizeof *similarity);
  for (size_t i = 0; i < problem->vectors; ++i) {
    similarity[i] = 0;
    for (size_t j = 0; j < problem->width; ++j)
      similarity[i] += problem->table[i * problem->width + j] * problem->query[j];
  }
  int right = 1;
  for (size_t k = 0; k < problem->best && right; ++k) {
    const cl_uint row = problem->order[k];
    right = row < problem->vectors && memcmp(problem->found + k * problem->width, problem->table + row * problem->width,
                                             problem->width * sizeof(float)) == 0;
    size_t better = 0;
    for (size_t i = 0; right && i < problem->vectors; ++i)
      better += similarity[i] > similarity[row] || (similarity[i] == similarity[row] && i < row);
    if (right && better != k) right = 0;
  }
  free(similarity);
  return right;
}

static double launch(const Problem* problem, int kernel) {
  const size_t any = 1;  // a built-in kernel divides its work itself
  return launchTimed(problem->sample, problem->queue, problem->kernels[kernel], 1, &any, NULL);
}

static void search(Problem* problem, cl_context context) {
  const cl_ulong m = problem->vectors, n = problem->width, best = problem->best, one = 1;
  const size_t tableBytes = m * n * sizeof(float), mem = sizeof(cl_mem);
  const cl_uint no = 0, descending = 1;
  const float alpha = 1, beta = 0;
  cl_int status;
  cl_mem buffers[6];
  const size_t sizes[6] = {tableBytes,          n * sizeof(float),   m * sizeof(float), m * sizeof(float),
                           m * sizeof(cl_uint), best * n * sizeof(float)};
  for (int i = 0; i < 6; ++i) {
    buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, sizes[i], NULL, &status);
    check(status, "clCreateBuffer");
  }
  cl_mem table = buffers[0], query = buffers[1], scores = buffers[2], sorted = buffers[3], order = buffers[4],
         found = buffers[5], none = NULL;
  check(clEnqueueWriteBuffer(problem->queue, table, CL_TRUE, 0, sizes[0], problem->table, 0, NULL, NULL), "write");
  check(clEnqueueWriteBuffer(problem->queue, query, CL_TRUE, 0, sizes[1], problem->query, 0, NULL, NULL), "write");

  setArgs(problem->kernels[0],
          (size_t[]){sizeof no, sizeof m, sizeof n, sizeof alpha, mem, sizeof n, mem, sizeof one, sizeof beta, mem,
                     sizeof one},
          (const void*[]){&no, &m, &n, &alpha, &table, &n, &query, &one, &beta, &scores, &one}, 11);
  setArgs(problem->kernels[1], (size_t[]){sizeof m, mem, mem, sizeof descending, mem, mem},
          (const void*[]){&m, &scores, &none, &descending, &sorted, &order}, 6);
  setArgs(problem->kernels[2], (size_t[]){sizeof best, sizeof n, mem, sizeof m, mem, mem},
          (const void*[]){&best, &n, &table, &m, &order, &found}, 6);
  double ms[KERNELS];
  for (int i = 0; i < KERNELS; ++i) ms[i] = launch(problem, i);
  check(clEnqueueReadBuffer(problem->queue, order, CL_TRUE, 0, sizes[4], problem->order, 0, NULL, NULL), "read");
  check(clEnqueueReadBuffer(problem->queue, found, CL_TRUE, 0, sizes[5], problem->found, 0, NULL, NULL), "read");

  const int right = isRight(problem);
  const char* shape = shapeText(problem->width, problem->vectors);
  sampleResult(problem->sample, names[0], shape, ms[0], 2.0 * (double)m * (double)n, (double)tableBytes, right);
  sampleResult(problem->sample, names[1], countText(problem->vectors), ms[1], 0, 8.0 * (double)m, right);
  sampleResult(problem->sample, names[2], countText(problem->best), ms[2], 0, 2.0 * (double)sizes[5], right);
  for (size_t k = 0; k < problem->best && k < 3; ++k)
    say(problem->sample, "  %zu: vector %u\n", k + 1, problem->order[k]);
  for (int i = 0; i < 6; ++i) clReleaseMemObject(buffers[i]);
}

int main(int argc, char** argv) {
  Sample sample;
  Problem problem = {.sample = &sample, .vectors = 100000, .width = 128, .best = 10};
  const SampleOption options[] = {
      {"--vectors", "vectors to search", SAMPLE_COUNT, &problem.vectors, 1, 1u << 24},
      {"--width", "numbers of a vector", SAMPLE_COUNT, &problem.width, 1, 4096},
      {"--best", "vectors to find", SAMPLE_COUNT, &problem.best, 1, 1u << 16},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "find similar vectors by built-in kernels", options);
  if (problem.best > problem.vectors) problem.best = problem.vectors;
  cl_device_id device = sampleDevice(&sample);
  if (!hasKernels(device)) {
    say(&sample, "  the device does not have these built-in kernels\n");
    return sampleEnd(&sample);
  }
  cl_int status;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  problem.queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  // The program is built already.
  cl_program program = clCreateProgramWithBuiltInKernels(
      context, 1, &device, "clarity.gemv.f32;clarity.sort.pairs.f32;clarity.gather.f32", &status);
  check(status, "clCreateProgramWithBuiltInKernels");
  for (int i = 0; i < KERNELS; ++i) {
    problem.kernels[i] = clCreateKernel(program, names[i], &status);
    check(status, "clCreateKernel");
  }
  const size_t numbers = problem.vectors * problem.width;
  problem.table = sampleAllocate(numbers, sizeof *problem.table);
  problem.query = sampleAllocate(problem.width, sizeof *problem.query);
  problem.found = sampleAllocate(problem.best * problem.width, sizeof *problem.found);
  problem.order = sampleAllocate(problem.vectors, sizeof *problem.order);
  fillWholeFloats(problem.table, numbers, 1, -100, 100);
  fillWholeFloats(problem.query, problem.width, 2, -100, 100);

  search(&problem, context);

  free(problem.table);
  free(problem.query);
  free(problem.found);
  free(problem.order);
  for (int i = 0; i < KERNELS; ++i) clReleaseKernel(problem.kernels[i]);
  clReleaseProgram(program);
  clReleaseCommandQueue(problem.queue);
  clReleaseContext(context);
  return sampleEnd(&sample);
}
