// SPDX-License-Identifier: Apache-2.0
// This file adds two vectors on a device, with every step of a host program written out.
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

// Milliseconds that the command of the event ran on the device.
static double elapsedMs(cl_event event) {
  cl_ulong start = 0, end = 0;
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(cl_ulong), &start, NULL),
        "clGetEventProfilingInfo");
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(cl_ulong), &end, NULL),
        "clGetEventProfilingInfo");
  return (double)(end - start) * 1e-6;
}

static int verify(const Sample* sample, const cl_float* a, const cl_float* b, const cl_float* c, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (c[i] != a[i] + b[i]) {
      say(sample, "  c[%zu] is %g, should be %g\n", i, c[i], a[i] + b[i]);
      return 0;
    }
  return 1;
}

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 24, wantedLocal = 512;
  const SampleOption options[] = {
      {"--size", "elements per vector", SAMPLE_COUNT, &count, 1, 1u << 30},
      {"--local", "work-items per work-group, at most", SAMPLE_COUNT, &wantedLocal, 1, 1u << 16},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "add two vectors, one element per work-item", options);

  // Prepare the data on the host.
  const size_t bytes = count * sizeof(cl_float);
  cl_float *a = sampleAllocate(count, sizeof *a), *b = sampleAllocate(count, sizeof *b);
  cl_float* c = sampleAllocate(count, sizeof *c);
  fillWholeFloats(a, count, 1, -1000, 1000);
  fillWholeFloats(b, count, 2, -1000, 1000);

  // Step 1: choose a device (clGetPlatformIDs and clGetDeviceIDs, see 01_device_query).
  cl_device_id device = sampleDevice(&sample);

  // Step 2: create a context for it.
  cl_int status;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");

  // Step 3: create a command-queue with profiling.
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");

  // Step 4: create the program object from the source file.
  size_t length;
  char* path = samplePath(&sample, "vector_add.cl");
  char* source = readFile(path, &length);
  cl_program program = clCreateProgramWithSource(context, 1, (const char**)&source, &length, &status);
  check(status, "clCreateProgramWithSource");

  // Step 5: build it; if that fails, print the build log.
  status = clBuildProgram(program, 1, &device, "", NULL, NULL);
  if (status != CL_SUCCESS) {
    size_t logSize = 0;
    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &logSize), "clGetProgramBuildInfo");
    char* log = sampleAllocate(logSize, 1);
    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, logSize, log, NULL), "clGetProgramBuildInfo");
    sampleFail("clBuildProgram of %s: %s (%d)\n%s", path, errorName(status), status, log);
  }

  // Step 6: create the device buffers.
  cl_mem bufferA = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferB = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferC = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");

  // Step 7: write the host's data to them. Not blocking: a and b must stay as they are until the queue is finished.
  check(clEnqueueWriteBuffer(queue, bufferA, CL_FALSE, 0, bytes, a, 0, NULL, NULL), "clEnqueueWriteBuffer");
  check(clEnqueueWriteBuffer(queue, bufferB, CL_FALSE, 0, bytes, b, 0, NULL, NULL), "clEnqueueWriteBuffer");

  // Step 8: create the kernel.
  cl_kernel kernel = clCreateKernel(program, "VectorAdd", &status);
  check(status, "clCreateKernel");

  // Step 9: set its arguments.
  const cl_int elements = (cl_int)count;
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bufferA), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &bufferB), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof(cl_mem), &bufferC), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof(cl_int), &elements), "clSetKernelArg");

  // Step 10: enqueue it, once to warm up and then `repeat` times. The work-groups must fill the global size.
  const size_t local = workGroupSizeFor(device, &kernel, 1, wantedLocal);
  const size_t global = roundUp(count, local);
  double* times = sampleAllocate(sample.repeat + 1, sizeof *times);
  for (size_t i = 0; i <= sample.repeat; ++i) {
    cl_event event;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event), "clEnqueueNDRangeKernel");
    check(clWaitForEvents(1, &event), "clWaitForEvents");
    times[i] = elapsedMs(event);
    check(clReleaseEvent(event), "clReleaseEvent");
  }

  // Step 11: read the result back; CL_TRUE waits for it.
  check(clEnqueueReadBuffer(queue, bufferC, CL_TRUE, 0, bytes, c, 0, NULL, NULL), "clEnqueueReadBuffer");

  // Step 12: check it against the serial computation.
  say(&sample, "  %zu work-groups of %zu work-items\n", global / local, local);
  sampleResult(&sample, "VectorAdd", countText(count), median(times + 1, sample.repeat), 0, 3.0 * (double)bytes,
               verify(&sample, a, b, c, count));

  clReleaseKernel(kernel);
  clReleaseMemObject(bufferA);
  clReleaseMemObject(bufferB);
  clReleaseMemObject(bufferC);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(times);
  free(source);
  free(path);
  free(a);
  free(b);
  free(c);
  return sampleEnd(&sample);
}
