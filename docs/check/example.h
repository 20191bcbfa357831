// SPDX-License-Identifier: Apache-2.0
// Code that the host programs of these pages share: the first device, its context and a command-queue. Calls that are
// no part of an example end the program if they fail.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static inline void require(cl_int error) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "error %d\n", error);
  exit(3);
}

static inline cl_command_queue makeQueue(void) {
  cl_int error;
  cl_command_queue made = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  require(error);
  return made;
}

static inline void begin(void) {
  cl_platform_id platform;
  cl_int error;
  require(clGetPlatformIDs(1, &platform, NULL));
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  require(error);
  queue = makeQueue();
}

static inline void end(void) {
  require(clReleaseCommandQueue(queue));
  require(clReleaseContext(context));
}

static inline cl_mem makeBuffer(cl_mem_flags flags, size_t bytes, void* memory) {
  cl_int error;
  cl_mem made = clCreateBuffer(context, flags, bytes, memory, &error);
  require(error);
  return made;
}

static inline void fill(cl_mem buffer, size_t bytes) {
  const cl_int zero = 0;
  require(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, bytes, 0, NULL, NULL));
  require(clFinish(queue));
}

static inline cl_kernel makeKernel(const char* source, const char* name) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  require(error);
  require(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel made = clCreateKernel(program, name, &error);
  require(error);
  require(clReleaseProgram(program));  // the kernel keeps it
  return made;
}
