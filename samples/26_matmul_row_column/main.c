// SPDX-License-Identifier: Apache-2.0
// This file multiplies matrices with each work-item's row of A in local or private memory, and columns of B in local
// memory.
#include "matrix.h"
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  const char* name;
  int localRows, localColumn;  // which local memory the kernel takes as arguments
} Variant;
static const Variant variants[] = {
    {"rowLocal", 1, 0}, {"rowPrivate", 0, 0}, {"rowLocalColumn", 1, 1}, {"rowPrivateColumn", 0, 1}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

// Local memory in bytes that a work-group of `local` work-items needs.
static size_t localMemoryOf(const Variant* variant, size_t side, size_t local) {
  return sizeof(cl_float) * side * ((variant->localRows ? local : 0) + (variant->localColumn ? 1 : 0));
}

// The largest work-group, up to `wanted`, that divides the rows and finds enough local memory.
static size_t chooseLocal(cl_device_id device, cl_kernel kernel, const Variant* variant, size_t side, size_t wanted) {
  cl_ulong available;
  check(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof available, &available, NULL), "clGetDeviceInfo");
  size_t local = workGroupSizeFor(device, &kernel, 1, wanted);
  while (local > 1 && (side % local || localMemoryOf(variant, side, local) > available)) local /= 2;
  if (localMemoryOf(variant, side, local) > available)
    sampleFail("%s needs %zu bytes of local memory for rows of %zu, the device has %llu", variant->name,
               localMemoryOf(variant, side, local), side, (unsigned long long)available);
  return local;
}

int main(int argc, char** argv) {
  Sample sample;
  size_t side = 512, wantedLocal = 16;
  const SampleOption options[] = {
      {"--size", "rows and columns of the matrices", SAMPLE_COUNT, &side, 1, 4096},
      {"--local", "work-items (rows) per work-group, at most", SAMPLE_COUNT, &wantedLocal, 1, 1024},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "multiply matrices with rows of A and columns of B kept close", options);

  const size_t elements = side * side, bytes = elements * sizeof(cl_float);
  cl_float *a = sampleAllocate(elements, sizeof *a), *b = sampleAllocate(elements, sizeof *b);
  cl_float *c = sampleAllocate(elements, sizeof *c), *serial = sampleAllocate(elements, sizeof *serial);
  fillWholeFloats(a, elements, 1, -8, 8);  // small integers: the products are exact
  fillWholeFloats(b, elements, 2, -8, 8);
  multiplyFloats(a, b, serial, side);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  char buildOptions[32];
  snprintf(buildOptions, sizeof buildOptions, "-D N=%zu", side);
  cl_program program = buildProgram(&sample, context, device, "matmul_row_column.cl", buildOptions);
  cl_mem bufferA = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferB = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, b, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferC = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");

  for (int i = 0; i < VARIANTS; ++i) {
    const Variant* variant = &variants[i];
    cl_kernel kernel = clCreateKernel(program, variant->name, &status);
    check(status, "clCreateKernel");
    const size_t local = chooseLocal(device, kernel, variant, side, wantedLocal);
    cl_uint argument = 0;
    check(clSetKernelArg(kernel, argument++, sizeof(cl_mem), &bufferA), "clSetKernelArg");
    check(clSetKernelArg(kernel, argument++, sizeof(cl_mem), &bufferB), "clSetKernelArg");
    check(clSetKernelArg(kernel, argument++, sizeof(cl_mem), &bufferC), "clSetKernelArg");
    if (variant->localRows)
      check(clSetKernelArg(kernel, argument++, local * side * sizeof(cl_float), NULL), "clSetKernelArg");
    if (variant->localColumn)
      check(clSetKernelArg(kernel, argument++, side * sizeof(cl_float), NULL), "clSetKernelArg");
    const cl_float nothing = -1e9f;  // detects a kernel that writes nothing
    check(clEnqueueFillBuffer(queue, bufferC, &nothing, sizeof nothing, 0, bytes, 0, NULL, NULL),
          "clEnqueueFillBuffer");
    const double ms = launchTimed(&sample, queue, kernel, 1, &side, &local);
    check(clEnqueueReadBuffer(queue, bufferC, CL_TRUE, 0, bytes, c, 0, NULL, NULL), "clEnqueueReadBuffer");
    say(&sample, "  %s: work-groups of %zu, %zu bytes of local memory each\n", variant->name, local,
        localMemoryOf(variant, side, local));
    sampleResult(&sample, variant->name, shapeText(side, side), ms, 2.0 * (double)side * (double)elements, 0,
                 sameFloats(&sample, c, serial, side, side));
    clReleaseKernel(kernel);
  }

  clReleaseMemObject(bufferA);
  clReleaseMemObject(bufferB);
  clReleaseMemObject(bufferC);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(a);
  free(b);
  free(c);
  free(serial);
  return sampleEnd(&sample);
}
