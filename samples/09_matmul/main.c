// SPDX-License-Identifier: Apache-2.0
// This file multiplies two square float matrices on a device, naively and by tiles.
#include "matrix.h"
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAIVE, TILED, KERNELS };
static const char* const kernelNames[KERNELS] = {"matrixmulNaive", "matrixmulTiled"};

// Builds for tiles of the given width; halves it until both kernels can have work-groups of that many work-items.
static cl_program buildForTile(const Sample* sample, cl_context context, cl_device_id device, size_t* tile,
                               cl_kernel* kernels) {
  for (;; *tile /= 2) {
    char options[64];
    snprintf(options, sizeof options, "-D TILE_WIDTH=%zu", *tile);
    cl_program program = buildProgram(sample, context, device, "matmul.cl", options);
    size_t limit = SIZE_MAX;
    for (int i = 0; i < KERNELS; ++i) {
      cl_int status;
      size_t kernelLimit;
      kernels[i] = clCreateKernel(program, kernelNames[i], &status);
      check(status, "clCreateKernel");
      check(clGetKernelWorkGroupInfo(kernels[i], device, CL_KERNEL_WORK_GROUP_SIZE, sizeof kernelLimit, &kernelLimit,
                                     NULL),
            "clGetKernelWorkGroupInfo");
      limit = kernelLimit < limit ? kernelLimit : limit;
    }
    if (*tile * *tile <= limit || *tile == 1) return program;
    clReleaseKernel(kernels[NAIVE]);
    clReleaseKernel(kernels[TILED]);
    clReleaseProgram(program);
  }
}

int main(int argc, char** argv) {
  Sample sample;
  size_t side = 1024, tile = 16;
  const SampleOption options[] = {
      {"--size", "rows and columns of the matrices", SAMPLE_COUNT, &side, 1, 16384},
      {"--tile", "side of a tile and of a work-group, at most", SAMPLE_COUNT, &tile, 1, 64},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "multiply two float matrices, naively and by tiles in local memory", options);
  if (side % tile) sampleFail("--size %zu is not a multiple of --tile %zu", side, tile);

  const size_t elements = side * side, bytes = elements * sizeof(cl_float);
  cl_float *matrixA = sampleAllocate(elements, sizeof *matrixA), *matrixB = sampleAllocate(elements, sizeof *matrixB);
  cl_float *matrixC = sampleAllocate(elements, sizeof *matrixC), *serial = sampleAllocate(elements, sizeof *serial);
  fillWholeFloats(matrixA, elements, 1, -8, 8);  // small integers: the products are exact
  fillWholeFloats(matrixB, elements, 2, -8, 8);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_kernel kernels[KERNELS];
  cl_program program = buildForTile(&sample, context, device, &tile, kernels);
  if (side % tile) sampleFail("--size %zu is not a multiple of %zu, the largest tile of this device", side, tile);

  cl_mem bufferA = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, matrixA, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferB = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, matrixB, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferC = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");

  const double startMs = wallMs();
  multiplyFloats(matrixA, matrixB, serial, side);
  say(&sample, "  serial on the host: %.1f ms; work-groups of %zux%zu on the device\n", wallMs() - startMs, tile, tile);

  const cl_int iRows = (cl_int)side;
  const size_t szLocalWorkSize[2] = {tile, tile}, szGlobalWorkSize[2] = {side, side};
  for (int i = 0; i < KERNELS; ++i) {
    check(clSetKernelArg(kernels[i], 0, sizeof(cl_mem), &bufferA), "clSetKernelArg");
    check(clSetKernelArg(kernels[i], 1, sizeof(cl_mem), &bufferB), "clSetKernelArg");
    check(clSetKernelArg(kernels[i], 2, sizeof(cl_mem), &bufferC), "clSetKernelArg");
    check(clSetKernelArg(kernels[i], 3, sizeof(cl_int), &iRows), "clSetKernelArg");
    const cl_float nothing = -1;  // detects a kernel that writes nothing
    check(clEnqueueFillBuffer(queue, bufferC, &nothing, sizeof nothing, 0, bytes, 0, NULL, NULL),
          "clEnqueueFillBuffer");
    const double ms = launchTimed(&sample, queue, kernels[i], 2, szGlobalWorkSize, szLocalWorkSize);
    check(clEnqueueReadBuffer(queue, bufferC, CL_TRUE, 0, bytes, matrixC, 0, NULL, NULL), "clEnqueueReadBuffer");
    sampleResult(&sample, kernelNames[i], shapeText(side, side), ms, 2.0 * (double)side * (double)elements, 0,
                 sameFloats(&sample, matrixC, serial, side, side));
    clReleaseKernel(kernels[i]);
  }

  clReleaseMemObject(bufferA);
  clReleaseMemObject(bufferB);
  clReleaseMemObject(bufferC);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(matrixA);
  free(matrixB);
  free(matrixC);
  free(serial);
  return sampleEnd(&sample);
}
