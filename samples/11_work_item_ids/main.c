// SPDX-License-Identifier: Apache-2.0
// This file prints the ids of the work-items of a two-dimensional range.
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

enum { GLOBAL0, GLOBAL1, LOCAL0, LOCAL1, TABLES };
static const char* const titles[TABLES] = {"get_global_id(0)", "get_global_id(1)", "get_local_id(0)",
                                           "get_local_id(1)"};

// The id that a work-item in this place must have.
static cl_uint expected(int table, size_t row, size_t column, const size_t* group) {
  switch (table) {
    case GLOBAL0: return (cl_uint)row;
    case GLOBAL1: return (cl_uint)column;
    case LOCAL0: return (cl_uint)(row % group[0]);
    default: return (cl_uint)(column % group[1]);
  }
}

static int checkTable(const Sample* sample, int table, const cl_uint* ids, const size_t* range, const size_t* group) {
  for (size_t row = 0; row < range[0]; ++row)
    for (size_t column = 0; column < range[1]; ++column) {
      const cl_uint should = expected(table, row, column, group), is = ids[row * range[1] + column];
      if (is != should) {
        say(sample, "  %s of the work-item at (%zu, %zu) is %u, should be %u\n", titles[table], row, column, is,
            should);
        return 0;
      }
    }
  return 1;
}

static void printTable(const Sample* sample, int table, const cl_uint* ids, const size_t* range) {
  enum { MOST = 32 };
  say(sample, "%s\n", titles[table]);
  for (size_t row = 0; row < range[0] && row < MOST; ++row) {
    for (size_t column = 0; column < range[1] && column < MOST; ++column)
      say(sample, "%4u", ids[row * range[1] + column]);
    say(sample, range[1] > MOST ? " ...\n" : "\n");
  }
  if (range[0] > MOST) say(sample, "...\n");
}

int main(int argc, char** argv) {
  Sample sample;
  size_t range[2] = {16, 16}, group[2] = {4, 4};
  const SampleOption options[] = {
      {"--rows", "work-items in dimension 0", SAMPLE_COUNT, &range[0], 1, 4096},
      {"--columns", "work-items in dimension 1", SAMPLE_COUNT, &range[1], 1, 4096},
      {"--group-rows", "of them in a work-group", SAMPLE_COUNT, &group[0], 1, 4096},
      {"--group-columns", "of them in a work-group", SAMPLE_COUNT, &group[1], 1, 4096},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "print the global and local numbers of the work-items of a range", options);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");

  // Work-groups that do not divide the range exist from OpenCL C 2.0 on.
  const int uniform = range[0] % group[0] == 0 && range[1] % group[1] == 0;
  const char* standard = uniform || !deviceVersionAtLeast(device, 2, 0) ? ""
                         : deviceVersionAtLeast(device, 3, 0)           ? "-cl-std=CL3.0"
                                                                        : "-cl-std=CL2.0";
  char buildOptions[96];
  snprintf(buildOptions, sizeof buildOptions, "-D ROWS=%zu -D COLUMNS=%zu %s", range[0], range[1], standard);
  cl_program program = buildProgram(&sample, context, device, "get_global_local_id.cl", buildOptions);
  cl_kernel kernel = clCreateKernel(program, "getGlobalId", &status);
  check(status, "clCreateKernel");

  const size_t cells = range[0] * range[1], bytes = 2 * cells * sizeof(cl_uint);
  cl_uint *globalId = sampleAllocate(2 * cells, sizeof *globalId),
          *localId = sampleAllocate(2 * cells, sizeof *localId);
  for (size_t i = 0; i < 2 * cells; ++i) globalId[i] = localId[i] = ~0u;  // no work-item has this id
  cl_mem bufferGlobalId = clCreateBuffer(context, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR, bytes, globalId, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferLocalId = clCreateBuffer(context, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR, bytes, localId, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bufferGlobalId), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &bufferLocalId), "clSetKernelArg");

  // The first launch shows whether the device supports the shape; the others are timed.
  status = clEnqueueNDRangeKernel(queue, kernel, 2, NULL, range, group, 0, NULL, NULL);
  if (status == CL_INVALID_WORK_GROUP_SIZE && !uniform)
    sampleFail(
        "work-groups of %zux%zu do not divide %zux%zu work-items, and this device has no non-uniform "
        "work-groups: CL_INVALID_WORK_GROUP_SIZE (%d)",
        group[0], group[1], range[0], range[1], status);
  check(status, "clEnqueueNDRangeKernel");
  const double ms = launchTimed(&sample, queue, kernel, 2, range, group);

  const cl_uint* tables[TABLES];
  tables[GLOBAL0] = clEnqueueMapBuffer(queue, bufferGlobalId, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &status);
  check(status, "clEnqueueMapBuffer");
  tables[LOCAL0] = clEnqueueMapBuffer(queue, bufferLocalId, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &status);
  check(status, "clEnqueueMapBuffer");
  tables[GLOBAL1] = tables[GLOBAL0] + cells;
  tables[LOCAL1] = tables[LOCAL0] + cells;
  int right = 1;
  for (int i = 0; i < TABLES; ++i) {
    printTable(&sample, i, tables[i], range);
    right &= checkTable(&sample, i, tables[i], range, group);
  }
  char name[64];
  snprintf(name, sizeof name, "getGlobalId %zux%zu", group[0], group[1]);
  sampleResult(&sample, name, shapeText(range[0], range[1]), ms, 0, 2.0 * (double)bytes, right);

  check(clEnqueueUnmapMemObject(queue, bufferGlobalId, (void*)tables[GLOBAL0], 0, NULL, NULL),
        "clEnqueueUnmapMemObject");
  check(clEnqueueUnmapMemObject(queue, bufferLocalId, (void*)tables[LOCAL0], 0, NULL, NULL), "clEnqueueUnmapMemObject");
  check(clFinish(queue), "clFinish");
  clReleaseMemObject(bufferGlobalId);
  clReleaseMemObject(bufferLocalId);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(globalId);
  free(localId);
  return sampleEnd(&sample);
}
