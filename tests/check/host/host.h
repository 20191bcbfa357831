// SPDX-License-Identifier: Apache-2.0
// What the planted host programs share. Each is a function program() of a file of its own, compiled twice: as it
// stands, with its mistake, and with -D RIGHT.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4096, BYTES = COUNT * sizeof(float) };

// Ends the program if a call that is expected to work does not.
static inline void check(cl_int error) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "error %d\n", error);
  exit(3);
}

typedef struct {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
} Host;

static inline cl_command_queue makeQueue(const Host* host, cl_command_queue_properties properties) {
  cl_int error;
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(host->context, host->device, list, &error);
  check(error);
  return queue;
}

static inline Host openHost(void) {
  Host host;
  cl_int error;
  check(clGetPlatformIDs(1, &host.platform, NULL));
  check(clGetDeviceIDs(host.platform, CL_DEVICE_TYPE_ALL, 1, &host.device, NULL));
  host.context = clCreateContext(NULL, 1, &host.device, NULL, NULL, &error);
  check(error);
  host.queue = makeQueue(&host, 0);
  return host;
}

static inline void closeHost(const Host* host) {
  check(clReleaseCommandQueue(host->queue));
  check(clReleaseContext(host->context));
}

static const char* const kernelSource =
    "kernel void scale(global float* data, float factor) { data[get_global_id(0)] *= factor; }\n"
    "kernel void copy(global const float* from, global float* to) {\n"
    "  to[get_global_id(0)] = from[get_global_id(0)];\n"
    "}\n"
    "kernel void fill(global float* data, int value) { data[get_global_id(0)] = value; }\n";

static inline cl_program buildProgram(const Host* host, const char* source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(host->context, 1, &source, NULL, &error);
  check(error);
  check(clBuildProgram(program, 1, &host->device, "", NULL, NULL));
  return program;
}

static inline cl_kernel makeKernel(cl_program program, const char* name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  check(error);
  return kernel;
}

static inline cl_mem makeBuffer(const Host* host, size_t bytes) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(host->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  check(error);
  return buffer;
}

static inline void fillBuffer(const Host* host, cl_mem buffer, size_t bytes) {
  const float zero = 0;
  check(clEnqueueFillBuffer(host->queue, buffer, &zero, sizeof zero, 0, bytes, 0, NULL, NULL));
}

int program(void);
