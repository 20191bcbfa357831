// SPDX-License-Identifier: Apache-2.0
// This file adds four vectors on a device.
#include "sample.h"

#include <stdlib.h>

int main(int argc, char** argv) {
  enum { INPUTS = 4 };
  Sample sample;
  size_t count = 1 << 24, wantedLocal = 256;
  const SampleOption options[] = {
      {"--size", "elements per vector", SAMPLE_COUNT, &count, 1, 1u << 30},
      {"--local", "work-items per work-group, at most", SAMPLE_COUNT, &wantedLocal, 1, 1u << 16},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "add four vectors", options);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, context, device, "add_four.cl", "");
  cl_kernel kernel = clCreateKernel(program, "VectorAddFour", &status);
  check(status, "clCreateKernel");

  // Four inputs: arguments 0 to 3.
  const size_t bytes = count * sizeof(cl_float);
  cl_float* inputs[INPUTS];
  cl_mem buffers[INPUTS + 1];
  for (cl_uint i = 0; i < INPUTS; ++i) {
    inputs[i] = sampleAllocate(count, sizeof(cl_float));
    fillWholeFloats(inputs[i], count, i + 1, -1000, 1000);
    buffers[i] = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
    check(status, "clCreateBuffer");
    check(clEnqueueWriteBuffer(queue, buffers[i], CL_FALSE, 0, bytes, inputs[i], 0, NULL, NULL),
          "clEnqueueWriteBuffer");
    check(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]), "clSetKernelArg");
  }
  // The result: argument 4. The length: argument 5.
  buffers[INPUTS] = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  const cl_int elements = (cl_int)count;
  check(clSetKernelArg(kernel, 4, sizeof(cl_mem), &buffers[INPUTS]), "clSetKernelArg");
  check(clSetKernelArg(kernel, 5, sizeof(cl_int), &elements), "clSetKernelArg");

  const size_t local = workGroupSizeFor(device, &kernel, 1, wantedLocal), global = roundUp(count, local);
  const double ms = launchTimed(&sample, queue, kernel, 1, &global, &local);
  cl_float* e = sampleAllocate(count, sizeof *e);
  check(clEnqueueReadBuffer(queue, buffers[INPUTS], CL_TRUE, 0, bytes, e, 0, NULL, NULL), "clEnqueueReadBuffer");

  int right = 1;
  for (size_t i = 0; i < count && right; ++i) {
    const cl_float sum = inputs[0][i] + inputs[1][i] + inputs[2][i] + inputs[3][i];
    if (e[i] != sum) {
      say(&sample, "  e[%zu] is %g, should be %g\n", i, e[i], sum);
      right = 0;
    }
  }
  sampleResult(&sample, "VectorAddFour", countText(count), ms, 0, 5.0 * (double)bytes, right);

  for (int i = 0; i <= INPUTS; ++i) clReleaseMemObject(buffers[i]);
  for (int i = 0; i < INPUTS; ++i) free(inputs[i]);
  free(e);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return sampleEnd(&sample);
}
