// SPDX-License-Identifier: Apache-2.0
// This file compares ways to access memory and to branch, in pairs of kernels that compute the same.
#include "sample.h"

#include <stdlib.h>

enum { TABLE = 256 };

static float twice(float x, const float* table) {
  (void)table;
  return 2 * x;
}
static float looked(float x, const float* table) { return x * table[(int)x & (TABLE - 1)]; }
static float decided(float x, const float* table) {
  (void)table;
  return x < 0 ? x + 3 : x - 5;
}

typedef struct {
  const char* name;
  float (*serial)(float, const float*);
} Variant;
static const Variant variants[] = {
    {"copyCoalesced", twice}, {"copyStretches", twice}, {"copyFloat4", twice},      {"tableConstant", looked},
    {"tableGlobal", looked},  {"withBranch", decided},  {"withSelection", decided},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 24, perItem = 16;
  const SampleOption options[] = {
      {"--size", "elements", SAMPLE_COUNT, &count, 4, 1u << 30},
      {"--per-item", "elements per work-item, a multiple of 4", SAMPLE_COUNT, &perItem, 4, 1u << 20},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "compare ways to reach memory and to decide", options);
  if (perItem % 4 || count % perItem)
    sampleFail("--size %zu is not a multiple of --per-item %zu, or that not of 4", count, perItem);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, context, device, "access.cl", "");

  // The elements, and the table behind them; the table alone in constant memory.
  const size_t bytes = count * sizeof(cl_float);
  cl_float *in = sampleAllocate(count + TABLE, sizeof *in), *out = sampleAllocate(count, sizeof *out);
  cl_float* table = in + count;
  fillWholeFloats(in, count, 1, -1000, 1000);
  fillWholeFloats(table, TABLE, 2, -8, 8);
  cl_mem bufferIn =
      clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes + TABLE * sizeof(cl_float), in, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferTable =
      clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, TABLE * sizeof(cl_float), table, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferOut = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");

  const size_t items = count / perItem;
  const cl_uint perItemArgument = (cl_uint)perItem;
  for (int i = 0; i < VARIANTS; ++i) {
    cl_kernel kernel = clCreateKernel(program, variants[i].name, &status);
    check(status, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bufferIn), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &bufferOut), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof(cl_mem), &bufferTable), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof(cl_uint), &perItemArgument), "clSetKernelArg");
    const cl_float nothing = 1e9f;  // no result has this value
    check(clEnqueueFillBuffer(queue, bufferOut, &nothing, sizeof nothing, 0, bytes, 0, NULL, NULL),
          "clEnqueueFillBuffer");
    const double ms = launchTimed(&sample, queue, kernel, 1, &items, NULL);
    check(clEnqueueReadBuffer(queue, bufferOut, CL_TRUE, 0, bytes, out, 0, NULL, NULL), "clEnqueueReadBuffer");
    int right = 1;
    for (size_t k = 0; k < count && right; ++k) {
      const float should = variants[i].serial(in[k], table);
      if (out[k] != should) {
        say(&sample, "  %s: element %zu is %g, should be %g\n", variants[i].name, k, out[k], should);
        right = 0;
      }
    }
    sampleResult(&sample, variants[i].name, countText(count), ms, 0, 2.0 * (double)bytes, right);
    clReleaseKernel(kernel);
  }

  clReleaseMemObject(bufferIn);
  clReleaseMemObject(bufferTable);
  clReleaseMemObject(bufferOut);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(in);
  free(out);
  return sampleEnd(&sample);
}
