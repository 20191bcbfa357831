// SPDX-License-Identifier: Apache-2.0
// This file adds vectors into a buffer over host memory and reads the memory too early, after clFinish, and mapped.
#include "sample.h"

#include <stdlib.h>
#include <string.h>

// How many elements of C are correct when read by the host. The device may be writing them right now.
static size_t countRight(const cl_uint* a, const cl_uint* b, const volatile cl_uint* c, size_t count) {
  size_t right = 0;
  for (size_t i = 0; i < count; ++i) right += c[i] == a[i] + b[i];
  return right;
}

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 24;
  const SampleOption options[] = {{"--size", "elements per vector", SAMPLE_COUNT, &count, 1, 1u << 30}};
  SAMPLE_BEGIN(&sample, argc, argv, "add vectors into host memory, without and with clFinish", options);

  const size_t bytes = count * sizeof(cl_uint);
  cl_uint *A = sampleAllocate(count, sizeof *A), *B = sampleAllocate(count, sizeof *B);
  void* memory = NULL;
  if (posix_memalign(&memory, 4096, bytes) != 0)  // at the start of a page, so that a device can use it in place
    sampleFail("cannot allocate %zu bytes of host memory", bytes);
  cl_uint* C = memory;
  memset(C, 0, bytes);
  for (size_t i = 0; i < count; ++i) {
    A[i] = (cl_uint)i + 1;  // no sum is 0, what C holds at first
    B[i] = (cl_uint)i;
  }

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, context, device, "vector_add.cl", "");
  cl_kernel kernel = clCreateKernel(program, "add", &status);
  check(status, "clCreateKernel");
  cl_mem bufferA = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, A, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferB = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, B, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferC = clCreateBuffer(context, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR, bytes, C, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bufferA), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &bufferB), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof(cl_mem), &bufferC), "clSetKernelArg");

  // 1. Not waiting: clEnqueueNDRangeKernel returns before the kernel has run.
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  size_t right = countRight(A, B, C, count);
  say(&sample, "  right after the launch:  %zu of %zu elements are right\n", right, count);

  // 2. Waiting for the queue.
  check(clFinish(queue), "clFinish");
  right = countRight(A, B, C, count);
  say(&sample, "  after clFinish:          %zu of %zu elements are right%s\n", right, count,
      right == count ? "" : " (this device keeps a copy of its own)");

  // 3. Mapped: now the array is guaranteed to contain the result.
  const cl_uint* mapped = clEnqueueMapBuffer(queue, bufferC, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &status);
  check(status, "clEnqueueMapBuffer");
  right = countRight(A, B, mapped, count);
  say(&sample, "  while mapped:            %zu of %zu elements are right\n", right, count);
  const int verified = right == count && mapped == C;  // a map of such a buffer returns the host's array
  check(clEnqueueUnmapMemObject(queue, bufferC, (void*)mapped, 0, NULL, NULL), "clEnqueueUnmapMemObject");
  check(clFinish(queue), "clFinish");

  const double ms = launchTimed(&sample, queue, kernel, 1, &count, NULL);
  sampleResult(&sample, "add", countText(count), ms, 0, 3.0 * (double)bytes, verified);

  clReleaseMemObject(bufferA);
  clReleaseMemObject(bufferB);
  clReleaseMemObject(bufferC);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(A);
  free(B);
  free(C);
  return sampleEnd(&sample);
}
