// SPDX-License-Identifier: Apache-2.0
// This file builds a program that does not compile, prints its build log, and builds it again without the mistakes.
#include "sample.h"

#include <stdlib.h>
#include <string.h>

// The build must fail, report that in every query, and write a log.
static int failsWithLog(const Sample* sample, cl_program program, cl_device_id device, const char* options) {
  const cl_int status = clBuildProgram(program, 1, &device, options, NULL, NULL);
  cl_build_status buildStatus;
  check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof buildStatus, &buildStatus, NULL),
        "clGetProgramBuildInfo");
  char* log = buildLog(program, device);
  say(sample, "  clBuildProgram: %s (%d), CL_PROGRAM_BUILD_STATUS %s\n", errorName(status), status,
      buildStatus == CL_BUILD_ERROR ? "CL_BUILD_ERROR" : "is something else");
  say(sample, "  ---- build log ----\n%s\n  -------------------\n", log);
  say(sample, "  the log names undeclared_offset: %s\n", strstr(log, "undeclared_offset") ? "yes" : "no");
  cl_int kernelStatus;
  cl_kernel kernel = clCreateKernel(program, "shift", &kernelStatus);
  say(sample, "  clCreateKernel of what was not built: %s (%d)\n", errorName(kernelStatus), kernelStatus);
  const int right = status == CL_BUILD_PROGRAM_FAILURE && buildStatus == CL_BUILD_ERROR && strlen(log) > 0 &&
                    kernel == NULL && kernelStatus == CL_INVALID_PROGRAM_EXECUTABLE;
  free(log);
  return right;
}

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 20;
  const char* buildOptions = "-D MENDED -cl-mad-enable -cl-denorms-are-zero";
  const SampleOption options[] = {
      {"--size", "elements for the corrected kernel", SAMPLE_COUNT, &count, 1, 1u << 28},
      {"--options", "build options for the second build", SAMPLE_TEXT, &buildOptions, 0, 0},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "show the log of a build that fails", options);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  size_t length;
  char *path = samplePath(&sample, "broken.cl"), *source = readFile(path, &length);
  cl_program program = clCreateProgramWithSource(context, 1, (const char**)&source, &length, &status);
  check(status, "clCreateProgramWithSource");
  sampleResult(&sample, "broken program refused", "1 program", 0, 0, 0, failsWithLog(&sample, program, device, ""));
  clReleaseProgram(program);

  // The same source with other options.
  program = buildProgram(&sample, context, device, "broken.cl", buildOptions);
  cl_kernel kernel = clCreateKernel(program, "shift", &status);
  check(status, "clCreateKernel");
  const size_t bytes = count * sizeof(cl_int);
  cl_int *in = sampleAllocate(count, sizeof *in), *out = sampleAllocate(count, sizeof *out);
  fillWholeInts(in, count, 1, -1000, 1000);
  cl_mem bufferIn = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, in, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferOut = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bufferIn), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &bufferOut), "clSetKernelArg");
  const double ms = launchTimed(&sample, queue, kernel, 1, &count, NULL);
  check(clEnqueueReadBuffer(queue, bufferOut, CL_TRUE, 0, bytes, out, 0, NULL, NULL), "clEnqueueReadBuffer");
  int right = 1;
  for (size_t i = 0; i < count && right; ++i) right = out[i] == in[i] + 1;
  sampleResult(&sample, "corrected program runs", countText(count), ms, 0, 2.0 * (double)bytes, right);

  clReleaseMemObject(bufferIn);
  clReleaseMemObject(bufferOut);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(in);
  free(out);
  free(source);
  free(path);
  return sampleEnd(&sample);
}
