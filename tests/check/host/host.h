// SPDX-License-Identifier: Apache-2.0
// Code that the planted host programs share. Each is a function program() of a file of its own, compiled twice: as it
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

// Ahead of a kernel's source in a string, line by line: findings name the lines of this file.
#define TEXT_OF_VALUE(x) #x
#define TEXT_OF(x) TEXT_OF_VALUE(x)
#define SOURCE_LINE "#line " TEXT_OF(__LINE__) " \"" __FILE__ "\"\n"

typedef struct {
  cl_program program;
  cl_kernel kernel;
} Built;

static inline Built makeBuilt(const Host* host, const char* source, const char* name, const char* options) {
  cl_int error;
  Built built = {clCreateProgramWithSource(host->context, 1, &source, NULL, &error), NULL};
  check(error);
  check(clBuildProgram(built.program, 1, &host->device, options, NULL, NULL));
  built.kernel = makeKernel(built.program, name);
  return built;
}

static inline void releaseBuilt(Built built) {
  check(clReleaseKernel(built.kernel));
  check(clReleaseProgram(built.program));
}

static inline void setMemory(Built built, cl_uint index, cl_mem memory) {
  check(clSetKernelArg(built.kernel, index, sizeof memory, &memory));
}

static inline void launchAndFinish(const Host* host, Built built, cl_uint dimensions, const size_t* global) {
  check(clEnqueueNDRangeKernel(host->queue, built.kernel, dimensions, NULL, global, NULL, 0, NULL, NULL));
  check(clFinish(host->queue));
}
static inline void launch1(const Host* host, Built built, size_t x) { launchAndFinish(host, built, 1, &x); }
static inline void launch2(const Host* host, Built built, size_t x, size_t y) {
  const size_t global[2] = {x, y};
  launchAndFinish(host, built, 2, global);
}
static inline void launch3(const Host* host, Built built, size_t x, size_t y, size_t z) {
  const size_t global[3] = {x, y, z};
  launchAndFinish(host, built, 3, global);
}

// An image with four floats a pixel.
static inline cl_mem makeImage(const Host* host, cl_mem_object_type type, size_t width, size_t height, size_t depth,
                               size_t layers, cl_mem from, cl_mem_flags flags) {
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc description;
  memset(&description, 0, sizeof description);
  description.image_type = type;
  description.image_width = width;
  description.image_height = height;
  description.image_depth = depth;
  description.image_array_size = layers;
  description.mem_object = from;
  cl_int error;
  cl_mem image = clCreateImage(host->context, flags, &format, &description, NULL, &error);
  check(error);
  return image;
}

// An image with four channels of this type, all of them 0.
static inline cl_mem makeImageOf(const Host* host, cl_channel_type type, size_t width, size_t height) {
  const cl_image_format format = {CL_RGBA, type};
  cl_image_desc description;
  memset(&description, 0, sizeof description);
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = width;
  description.image_height = height;
  cl_int error;
  void* zeros = calloc(width * height, 4 * sizeof(cl_int));
  cl_mem image = clCreateImage(host->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &description, zeros,
                               &error);
  check(error);
  free(zeros);
  return image;
}

// Launches a kernel whose arguments are an image of 16 x 8 pixels with such channels, the sampler if there is one, and
// a buffer with four bytes for each pixel.
static inline void lookAtImage(const Host* host, Built built, cl_channel_type type, cl_sampler sampler) {
  cl_mem in = makeImageOf(host, type, 16, 8), out = makeBuffer(host, 16 * 8 * 4);
  setMemory(built, 0, in);
  if (sampler) check(clSetKernelArg(built.kernel, 1, sizeof sampler, &sampler));
  setMemory(built, sampler ? 2 : 1, out);
  launch2(host, built, 16, 8);
  check(clReleaseMemObject(in));
  check(clReleaseMemObject(out));
}

static inline void fillImage(const Host* host, cl_mem image, size_t width, size_t height, size_t depth) {
  const size_t origin[3] = {0, 0, 0}, region[3] = {width, height, depth};
  const float colour[4] = {1, 2, 3, 4};
  check(clEnqueueFillImage(host->queue, image, colour, origin, region, 0, NULL, NULL));
  check(clFinish(host->queue));
}

#ifdef __cplusplus
extern "C"
#endif
int program(void);
