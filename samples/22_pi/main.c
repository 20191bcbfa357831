// SPDX-License-Identifier: Apache-2.0
// This file computes pi on a device by adding up rectangles, in float and in double.
#include "sample.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  cl_context context;
  cl_device_id device;
  cl_command_queue queue;
  size_t rectangles, groups, local;
  double serial;
} Problem;

static void integrate(Sample* sample, const Problem* problem, int useDouble) {
  cl_int status;
  cl_program program = buildProgram(sample, problem->context, problem->device, "pi.cl",
                                    useDouble ? "-D REAL=double -D NEEDS_DOUBLE" : "-D REAL=float");
  cl_kernel kernel = clCreateKernel(program, "pi", &status);
  check(status, "clCreateKernel");
  const size_t local = workGroupSizeFor(problem->device, &kernel, 1, problem->local);
  const size_t global = problem->groups * local;
  const size_t realSize = useDouble ? sizeof(cl_double) : sizeof(cl_float);
  cl_mem sums = clCreateBuffer(problem->context, CL_MEM_WRITE_ONLY, problem->groups * realSize, NULL, &status);
  check(status, "clCreateBuffer");

  const cl_uint rectangles = (cl_uint)problem->rectangles;
  const double width = 1.0 / (double)problem->rectangles;
  const cl_float floatWidth = (cl_float)width;
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &sums), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, local * realSize, NULL), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof rectangles, &rectangles), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, realSize, useDouble ? (const void*)&width : (const void*)&floatWidth),
        "clSetKernelArg");
  const double ms = launchTimed(sample, problem->queue, kernel, 1, &global, &local);

  void* host = sampleAllocate(problem->groups, realSize);
  check(clEnqueueReadBuffer(problem->queue, sums, CL_TRUE, 0, problem->groups * realSize, host, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  double sum = 0;
  for (size_t i = 0; i < problem->groups; ++i)
    sum += useDouble ? ((const cl_double*)host)[i] : ((const cl_float*)host)[i];
  const double pi = sum * width, tolerance = useDouble ? 1e-12 : 1e-5;
  say(sample, "  %-6s: pi is about %.*f, off the serial result by %.1e\n", useDouble ? "double" : "float",
      useDouble ? 15 : 7, pi, fabs(pi - problem->serial));
  sampleResult(sample, useDouble ? "pi (double)" : "pi (float)", countText(problem->rectangles), ms,
               6.0 * (double)problem->rectangles, 0, fabs(pi - problem->serial) <= tolerance);
  free(host);
  clReleaseMemObject(sums);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

int main(int argc, char** argv) {
  Sample sample;
  Problem problem = {.rectangles = 1 << 24, .groups = 512, .local = 256};
  const SampleOption options[] = {
      {"--size", "rectangles", SAMPLE_COUNT, &problem.rectangles, 1, 1u << 31},
      {"--groups", "work-groups", SAMPLE_COUNT, &problem.groups, 1, 1u << 20},
      {"--local", "work-items per work-group, at most", SAMPLE_COUNT, &problem.local, 1, 1u << 16},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "compute pi by adding up rectangles", options);

  for (size_t i = 0; i < problem.rectangles; ++i) {
    const double x = ((double)i + 0.5) / (double)problem.rectangles;
    problem.serial += 4.0 / (1.0 + x * x);
  }
  problem.serial /= (double)problem.rectangles;

  cl_int status;
  problem.device = sampleDevice(&sample);
  problem.context = clCreateContext(NULL, 1, &problem.device, NULL, NULL, &status);
  check(status, "clCreateContext");
  problem.queue = clCreateCommandQueue(problem.context, problem.device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  say(&sample, "  serial: pi is about %.15f, off by %.1e\n", problem.serial, fabs(problem.serial - acos(-1.0)));
  integrate(&sample, &problem, 0);
  if (deviceHasDouble(problem.device))
    integrate(&sample, &problem, 1);
  else
    say(&sample, "  this device has no double precision\n");

  clReleaseCommandQueue(problem.queue);
  clReleaseContext(problem.context);
  return sampleEnd(&sample);
}
