// SPDX-License-Identifier: Apache-2.0
// This file fills and reads a buffer through maps and compares that with writing and reading.
#include "sample.h"

#include <stdlib.h>

typedef struct {
  cl_command_queue queue;
  cl_kernel kernel;
  cl_mem buffer;
  size_t count, bytes;
} Problem;

// Both add the milliseconds that the host waits to *ms, if that is wanted. The events of the commands tell less: where
// host and device share memory there is nothing to do between their beginning and their end.
static cl_uint* mapRange(const Problem* problem, cl_map_flags flags, size_t first, size_t count, double* ms) {
  cl_int status;
  const double begin = wallMs();
  cl_uint* memory = clEnqueueMapBuffer(problem->queue, problem->buffer, CL_TRUE, flags, first * sizeof(cl_uint),
                                       count * sizeof(cl_uint), 0, NULL, NULL, &status);
  check(status, "clEnqueueMapBuffer");
  if (ms) *ms += wallMs() - begin;
  return memory;
}

static void unmap(const Problem* problem, cl_uint* memory, double* ms) {
  const double begin = wallMs();
  check(clEnqueueUnmapMemObject(problem->queue, problem->buffer, memory, 0, NULL, NULL), "clEnqueueUnmapMemObject");
  check(clFinish(problem->queue), "clFinish");
  if (ms) *ms += wallMs() - begin;
}

static cl_uint mapCount(const Problem* problem) {
  cl_uint count = 0;
  check(clGetMemObjectInfo(problem->buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL), "clGetMemObjectInfo");
  return count;
}

static int allTripled(const cl_uint* data, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (data[i] != 3 * (cl_uint)i) return 0;
  return 1;
}

// The kernel, to its end, so that what comes after it does not wait for it.
static void triple(const Problem* problem) {
  check(clEnqueueNDRangeKernel(problem->queue, problem->kernel, 1, NULL, &problem->count, NULL, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
  check(clFinish(problem->queue), "clFinish");
}

// Fills by a write and fetches by a read; the data exists twice.
static double withWriteAndRead(const Problem* problem, cl_uint* array, int* right) {
  for (size_t i = 0; i < problem->count; ++i) array[i] = (cl_uint)i;
  double begin = wallMs();
  check(clEnqueueWriteBuffer(problem->queue, problem->buffer, CL_TRUE, 0, problem->bytes, array, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
  double ms = wallMs() - begin;
  triple(problem);
  begin = wallMs();
  check(clEnqueueReadBuffer(problem->queue, problem->buffer, CL_TRUE, 0, problem->bytes, array, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  ms += wallMs() - begin;
  *right &= allTripled(array, problem->count);
  return ms;
}

// The times of the four commands, in their order.
enum { MAP_TO_WRITE, UNMAP_WRITTEN, MAP_TO_READ, UNMAP_READ, MAP_TIMES };

// Fills and reads the buffer's memory through maps.
static double withMaps(const Problem* problem, double* times, int* right) {
  for (int i = 0; i < MAP_TIMES; ++i) times[i] = 0;
  cl_uint* memory = mapRange(problem, CL_MAP_WRITE_INVALIDATE_REGION, 0, problem->count, &times[MAP_TO_WRITE]);
  for (size_t i = 0; i < problem->count; ++i) memory[i] = (cl_uint)i;
  unmap(problem, memory, &times[UNMAP_WRITTEN]);
  triple(problem);
  memory = mapRange(problem, CL_MAP_READ, 0, problem->count, &times[MAP_TO_READ]);
  *right &= allTripled(memory, problem->count);
  unmap(problem, memory, &times[UNMAP_READ]);
  return times[MAP_TO_WRITE] + times[UNMAP_WRITTEN] + times[MAP_TO_READ] + times[UNMAP_READ];
}

// Two parts that do not overlap are mapped at once, the second one at an offset, and their first elements swapped.
static int swapInTwoMaps(const Sample* sample, const Problem* problem, const cl_uint* array) {
  const size_t half = problem->count / 2;
  cl_uint* low = mapRange(problem, CL_MAP_READ | CL_MAP_WRITE, 0, half, NULL);
  cl_uint* high = mapRange(problem, CL_MAP_READ | CL_MAP_WRITE, half, problem->count - half, NULL);
  const cl_uint maps = mapCount(problem);
  const cl_uint kept = low[0];
  low[0] = high[0];
  high[0] = kept;
  unmap(problem, low, NULL);
  unmap(problem, high, NULL);
  cl_uint first, middle;
  check(clEnqueueReadBuffer(problem->queue, problem->buffer, CL_TRUE, 0, sizeof first, &first, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  check(clEnqueueReadBuffer(problem->queue, problem->buffer, CL_TRUE, half * sizeof middle, sizeof middle, &middle, 0,
                            NULL, NULL),
        "clEnqueueReadBuffer");
  say(sample, "  two maps at once (CL_MEM_MAP_COUNT %u, %u after unmapping): swapped %u and %u\n", maps,
      mapCount(problem), first, middle);
  return maps == 2 && mapCount(problem) == 0 && first == array[half] && middle == array[0];
}

int main(int argc, char** argv) {
  Sample sample;
  Problem problem = {.count = 1 << 24};
  const SampleOption options[] = {{"--size", "elements of the buffer", SAMPLE_COUNT, &problem.count, 2, 1u << 30}};
  SAMPLE_BEGIN(&sample, argc, argv, "fill and read a buffer through maps", options);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  problem.queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, context, device, "triple.cl", "");
  problem.kernel = clCreateKernel(program, "triple", &status);
  check(status, "clCreateKernel");
  problem.bytes = problem.count * sizeof(cl_uint);
  problem.buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, problem.bytes, NULL, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(problem.kernel, 0, sizeof(cl_mem), &problem.buffer), "clSetKernelArg");

  cl_uint* array = sampleAllocate(problem.count, sizeof *array);
  double* times = sampleAllocate(sample.repeat, sizeof *times);
  int right = 1;
  double ofMaps[MAP_TIMES];
  withMaps(&problem, ofMaps, &right);  // warm up
  for (size_t i = 0; i < sample.repeat; ++i) times[i] = withWriteAndRead(&problem, array, &right);
  sampleResult(&sample, "write + read", countText(problem.count), median(times, sample.repeat), 0,
               2.0 * (double)problem.bytes, right);

  right = 1;
  for (size_t i = 0; i < sample.repeat; ++i) times[i] = withMaps(&problem, ofMaps, &right);
  right &= swapInTwoMaps(&sample, &problem, array);
  sampleResult(&sample, "maps + unmaps", countText(problem.count), median(times, sample.repeat), 0, 0, right);
  say(&sample, "    map to write %.4f ms, unmap %.4f ms, map to read %.4f ms, unmap %.4f ms\n", ofMaps[MAP_TO_WRITE],
      ofMaps[UNMAP_WRITTEN], ofMaps[MAP_TO_READ], ofMaps[UNMAP_READ]);

  const double ms = launchTimed(&sample, problem.queue, problem.kernel, 1, &problem.count, NULL);
  sampleResult(&sample, "triple", countText(problem.count), ms, 0, 2.0 * (double)problem.bytes, right);

  clReleaseMemObject(problem.buffer);
  clReleaseKernel(problem.kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(problem.queue);
  clReleaseContext(context);
  free(array);
  free(times);
  return sampleEnd(&sample);
}
