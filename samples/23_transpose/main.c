// SPDX-License-Identifier: Apache-2.0
// This file transposes a matrix on a device, directly and through tiles in local memory.
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

static int isTranspose(const Sample* sample, const cl_float* in, const cl_float* out, size_t rows, size_t columns) {
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column)
      if (out[column * rows + row] != in[row * columns + column]) {
        say(sample, "  row %zu, column %zu of the result is %g, should be %g\n", column, row, out[column * rows + row],
            in[row * columns + column]);
        return 0;
      }
  return 1;
}

int main(int argc, char** argv) {
  Sample sample;
  size_t rows = 4096, columns = 4096, tile = 16;
  const SampleOption options[] = {
      {"--rows", "rows of the matrix", SAMPLE_COUNT, &rows, 1, 1u << 15},
      {"--columns", "columns of the matrix", SAMPLE_COUNT, &columns, 1, 1u << 15},
      {"--tile", "side of a tile and of a work-group", SAMPLE_COUNT, &tile, 1, 64},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "transpose a matrix, directly and through tiles in local memory", options);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  char buildOptions[32];
  snprintf(buildOptions, sizeof buildOptions, "-D TILE=%zu", tile);
  cl_program program = buildProgram(&sample, context, device, "transpose.cl", buildOptions);

  const size_t elements = rows * columns, bytes = elements * sizeof(cl_float);
  cl_float *in = sampleAllocate(elements, sizeof *in), *out = sampleAllocate(elements, sizeof *out);
  for (size_t i = 0; i < elements; ++i) in[i] = (cl_float)(i % 16777213);  // neighbours in a row and in a column differ
  cl_mem bufferIn = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, in, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferOut = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");

  static const char* const names[] = {"transposeNaive", "transposeTiled"};
  const cl_uint shape[2] = {(cl_uint)rows, (cl_uint)columns};
  for (int i = 0; i < 2; ++i) {
    cl_kernel kernel = clCreateKernel(program, names[i], &status);
    check(status, "clCreateKernel");
    size_t limit;
    check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL),
          "clGetKernelWorkGroupInfo");
    if (tile * tile > limit)
      sampleFail("--tile %zu: work-groups of %zu work-items, and %s allows %zu", tile, tile * tile, names[i], limit);
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bufferIn), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &bufferOut), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof(cl_uint), &shape[0]), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof(cl_uint), &shape[1]), "clSetKernelArg");
    const cl_float nothing = -1;  // detects a kernel that writes nothing
    check(clEnqueueFillBuffer(queue, bufferOut, &nothing, sizeof nothing, 0, bytes, 0, NULL, NULL),
          "clEnqueueFillBuffer");
    const size_t local[2] = {tile, tile}, global[2] = {roundUp(columns, tile), roundUp(rows, tile)};
    const double ms = launchTimed(&sample, queue, kernel, 2, global, local);
    check(clEnqueueReadBuffer(queue, bufferOut, CL_TRUE, 0, bytes, out, 0, NULL, NULL), "clEnqueueReadBuffer");
    sampleResult(&sample, names[i], shapeText(columns, rows), ms, 0, 2.0 * (double)bytes,
                 isTranspose(&sample, in, out, rows, columns));
    clReleaseKernel(kernel);
  }

  clReleaseMemObject(bufferIn);
  clReleaseMemObject(bufferOut);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(in);
  free(out);
  return sampleEnd(&sample);
}
