// SPDX-License-Identifier: Apache-2.0
// This file saves the binary of a program, reloads it, and runs the program made from it.
#include "sample.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  cl_context context;
  cl_device_id device;
  cl_command_queue queue;
  cl_mem x, y;
  size_t count;
  cl_float *xs, *ys;
} Problem;

// The binary for our device. A program has one per device of its context, in the order of CL_PROGRAM_DEVICES.
static unsigned char* binaryOf(cl_program program, cl_device_id device, size_t* size) {
  cl_uint deviceCount;
  check(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof deviceCount, &deviceCount, NULL), "clGetProgramInfo");
  cl_device_id* devices = sampleAllocate(deviceCount, sizeof *devices);
  size_t* sizes = sampleAllocate(deviceCount, sizeof *sizes);
  unsigned char** binaries = sampleAllocate(deviceCount, sizeof *binaries);
  check(clGetProgramInfo(program, CL_PROGRAM_DEVICES, deviceCount * sizeof *devices, devices, NULL),
        "clGetProgramInfo");
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, deviceCount * sizeof *sizes, sizes, NULL),
        "clGetProgramInfo");
  unsigned char* found = NULL;
  for (cl_uint i = 0; i < deviceCount; ++i) {
    binaries[i] = NULL;  // OpenCL skips the devices whose pointer is NULL
    if (devices[i] == device && sizes[i] > 0) {
      binaries[i] = found = sampleAllocate(sizes[i], 1);
      *size = sizes[i];
    }
  }
  if (!found) sampleFail("the program has no binary for this device");
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, deviceCount * sizeof *binaries, binaries, NULL),
        "clGetProgramInfo");
  free(devices);
  free(sizes);
  free(binaries);
  return found;
}

static void save(const char* path, const unsigned char* data, size_t size) {
  FILE* file = fopen(path, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
    sampleFail("cannot write '%s': %s", path, strerror(errno));
}

// A program from the file's binary, built.
static cl_program load(const Problem* problem, const char* path) {
  size_t size;
  char* binary = readFile(path, &size);
  cl_int status, binaryStatus;
  cl_program program = clCreateProgramWithBinary(problem->context, 1, &problem->device, &size,
                                                 (const unsigned char**)&binary, &binaryStatus, &status);
  check(status, "clCreateProgramWithBinary");
  check(binaryStatus, "clCreateProgramWithBinary, status of the binary");
  check(clBuildProgram(program, 1, &problem->device, NULL, NULL, NULL), "clBuildProgram of a binary");
  free(binary);
  return program;
}

static void run(Sample* sample, const Problem* problem, cl_program program, const char* name) {
  cl_int status;
  const size_t bytes = problem->count * sizeof(cl_float);
  const cl_float nothing = -1e30f;
  cl_kernel kernel = clCreateKernel(program, "polynomial", &status);
  check(status, "clCreateKernel");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &problem->x), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &problem->y), "clSetKernelArg");
  check(clEnqueueFillBuffer(problem->queue, problem->y, &nothing, sizeof nothing, 0, bytes, 0, NULL, NULL),
        "clEnqueueFillBuffer");
  const double ms = launchTimed(sample, problem->queue, kernel, 1, &problem->count, NULL);
  check(clEnqueueReadBuffer(problem->queue, problem->y, CL_TRUE, 0, bytes, problem->ys, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  int right = 1;
  for (size_t i = 0; i < problem->count && right; ++i) {
    const cl_float x = problem->xs[i], should = ((0.25f * x + 0.5f) * x - 2.0f) * x + 1.0f;
    if (problem->ys[i] != should) {  // whole numbers: exact, with or without fused operations
      say(sample, "  y[%zu] is %g, should be %g\n", i, problem->ys[i], should);
      right = 0;
    }
  }
  sampleResult(sample, name, countText(problem->count), ms, 0, 2.0 * (double)bytes, right);
  clReleaseKernel(kernel);
}

int main(int argc, char** argv) {
  Sample sample;
  Problem problem = {.count = 1 << 22};
  const char* path = NULL;
  const SampleOption options[] = {
      {"--size", "points to evaluate", SAMPLE_COUNT, &problem.count, 1, 1u << 28},
      {"--file", "where to save the binary, and leave it (default: a temporary file)", SAMPLE_TEXT, &path, 0, 0},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "save the binary of a program and reload it", options);

  cl_int status;
  problem.device = sampleDevice(&sample);
  problem.context = clCreateContext(NULL, 1, &problem.device, NULL, NULL, &status);
  check(status, "clCreateContext");
  problem.queue = clCreateCommandQueue(problem.context, problem.device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  problem.xs = sampleAllocate(problem.count, sizeof(cl_float));
  problem.ys = sampleAllocate(problem.count, sizeof(cl_float));
  fillWholeFloats(problem.xs, problem.count, 1, -100, 100);
  const size_t bytes = problem.count * sizeof(cl_float);
  problem.x = clCreateBuffer(problem.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, problem.xs, &status);
  check(status, "clCreateBuffer");
  problem.y = clCreateBuffer(problem.context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");

  double before = wallMs();
  cl_program fromSource = buildProgram(&sample, problem.context, problem.device, "polynomial.cl", "");
  say(&sample, "  built from source in %.2f ms\n", wallMs() - before);
  run(&sample, &problem, fromSource, "from source");

  size_t size;
  unsigned char* binary = binaryOf(fromSource, problem.device, &size);
  char temporary[64];
  snprintf(temporary, sizeof temporary, "/tmp/program_binary_%ld.bin", (long)getpid());
  const char* file = path ? path : temporary;
  save(file, binary, size);
  clReleaseProgram(fromSource);  // nothing of the first program is needed any more

  before = wallMs();
  cl_program fromBinary = load(&problem, file);
  say(&sample, "  built from a binary of %zu bytes in %.2f ms\n", size, wallMs() - before);
  say(&sample,
      "  (A driver that keeps compiled programs on disk, as most do, compiles a source once: from the second run\n"
      "  on, both are as quick. Without that cache, with Clarity CLARITY_CACHE=0, the difference shows.)\n");
  if (!path) remove(file);
  run(&sample, &problem, fromBinary, "from its binary");

  clReleaseProgram(fromBinary);
  clReleaseMemObject(problem.x);
  clReleaseMemObject(problem.y);
  clReleaseCommandQueue(problem.queue);
  clReleaseContext(problem.context);
  free(binary);
  free(problem.xs);
  free(problem.ys);
  return sampleEnd(&sample);
}
