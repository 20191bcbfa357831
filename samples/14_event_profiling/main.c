// SPDX-License-Identifier: Apache-2.0
// This file multiplies matrices and prints the four times of every command.
#include "matrix.h"
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

enum { WRITE_A, WRITE_B, MULTIPLY, READ_C, COMMANDS };
static const char* const commandNames[COMMANDS] = {"write A", "write B", "multiply", "read C"};

typedef struct {
  cl_ulong enterQueue, submit, start, end;  // nanoseconds of the device's clock
} Times;

static cl_ulong timeOf(cl_event event, cl_profiling_info which) {
  cl_ulong value = 0;
  check(clGetEventProfilingInfo(event, which, sizeof(cl_ulong), &value, NULL), "clGetEventProfilingInfo");
  return value;
}

static Times timesOf(cl_event event) {
  const Times times = {timeOf(event, CL_PROFILING_COMMAND_QUEUED), timeOf(event, CL_PROFILING_COMMAND_SUBMIT),
                       timeOf(event, CL_PROFILING_COMMAND_START), timeOf(event, CL_PROFILING_COMMAND_END)};
  return times;
}

static int inOrder(const Times* times) {
  return times->enterQueue <= times->submit && times->submit <= times->start && times->start <= times->end;
}

int main(int argc, char** argv) {
  Sample sample;
  size_t side = 512, local = 16;
  const SampleOption options[] = {
      {"--size", "rows and columns of the matrices", SAMPLE_COUNT, &side, 1, 8192},
      {"--local", "side of a work-group, 0 to let the device choose", SAMPLE_COUNT, &local, 0, 64},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "print the four profiling times of every command", options);
  if (local && side % local) sampleFail("--size %zu is not a multiple of --local %zu", side, local);

  const size_t elements = side * side, bytes = elements * sizeof(cl_int);
  cl_int *a = sampleAllocate(elements, sizeof *a), *b = sampleAllocate(elements, sizeof *b);
  cl_int *c = sampleAllocate(elements, sizeof *c), *serial = sampleAllocate(elements, sizeof *serial);
  fillWholeInts(a, elements, 1, -100, 100);
  fillWholeInts(b, elements, 2, -100, 100);
  multiplyInts(a, b, serial, side);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  char buildOptions[32];
  snprintf(buildOptions, sizeof buildOptions, "-D N=%zu", side);
  cl_program program = buildProgram(&sample, context, device, "mul_kernel.cl", buildOptions);
  cl_kernel kernel = clCreateKernel(program, "mul", &status);
  check(status, "clCreateKernel");
  cl_mem bufferA = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferB = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferC = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bufferA), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &bufferB), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof(cl_mem), &bufferC), "clSetKernelArg");

  // Warm up, then enqueue all commands without waiting in between.
  const size_t globalThreads[] = {side, side}, localThreads[] = {local, local};
  const double warmMs = launchTimed(&sample, queue, kernel, 2, globalThreads, local ? localThreads : NULL);
  cl_event events[COMMANDS];
  check(clEnqueueWriteBuffer(queue, bufferA, CL_FALSE, 0, bytes, a, 0, NULL, &events[WRITE_A]), "clEnqueueWriteBuffer");
  check(clEnqueueWriteBuffer(queue, bufferB, CL_FALSE, 0, bytes, b, 0, NULL, &events[WRITE_B]), "clEnqueueWriteBuffer");
  check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, globalThreads, local ? localThreads : NULL, 0, NULL,
                               &events[MULTIPLY]),
        "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, bufferC, CL_FALSE, 0, bytes, c, 0, NULL, &events[READ_C]), "clEnqueueReadBuffer");
  check(clWaitForEvents(COMMANDS, events), "clWaitForEvents");

  say(&sample, "  milliseconds   enqueued   submitted     started    finished |  in queue  in device     running\n");
  int ordered = 1;
  cl_ulong first = 0, previousEnd = 0;
  for (int i = 0; i < COMMANDS; ++i) {
    const Times t = timesOf(events[i]);
    if (i == 0) first = t.enterQueue;
    say(&sample, "  %-10s %12.4f%12.4f%12.4f%12.4f |%10.4f %10.4f%12.4f\n", commandNames[i],
        (double)(t.enterQueue - first) * 1e-6, (double)(t.submit - first) * 1e-6, (double)(t.start - first) * 1e-6,
        (double)(t.end - first) * 1e-6, (double)(t.submit - t.enterQueue) * 1e-6, (double)(t.start - t.submit) * 1e-6,
        (double)(t.end - t.start) * 1e-6);
    // An in-order queue starts a command only when the one before it has finished.
    if (!inOrder(&t) || t.start < previousEnd) {
      say(&sample, "  the times of '%s' are not in order\n", commandNames[i]);
      ordered = 0;
    }
    previousEnd = t.end;
    clReleaseEvent(events[i]);
  }
  const int right = sameInts(&sample, c, serial, side, side);
  sampleResult(&sample, "mul", shapeText(side, side), warmMs, 2.0 * (double)side * (double)elements, 0,
               right && ordered);

  clReleaseMemObject(bufferA);
  clReleaseMemObject(bufferB);
  clReleaseMemObject(bufferC);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(a);
  free(b);
  free(c);
  free(serial);
  return sampleEnd(&sample);
}
