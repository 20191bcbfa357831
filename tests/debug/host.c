// SPDX-License-Identifier: Apache-2.0
// This program runs a kernel as programs do that know nothing of Clarity: debug_host builds one from a string that is
// in no file, debug_host structure another one, which gets a structure; debug_host FILE builds the text of a file,
// whose name the driver is not told, and runs its kernel `picture`.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const kernels =
    "kernel void twice(global int* out, int by) {\n"
    "  int i = get_global_id(0);\n"
    "  int value = i * by;\n"
    "  out[i] = value;\n"
    "}\n"
    "typedef struct { float scale; int offsets[3]; } Move;\n"
    "int moved(Move by, int i) { return (int)(i * by.scale) + by.offsets[1]; }\n"
    "kernel void move(global int* out, Move by) {\n"
    "  int i = get_global_id(0);\n"
    "  out[i] = moved(by, i);\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  out[i] += by.offsets[2];\n"
    "}\n";

enum { items = 8, side = 4 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void check(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "%s: %d\n", what, error);
  exit(1);
}

static cl_kernel build(const char* source, const char* options, const char* name) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, options, NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, name, &error);
  check(error, "clCreateKernel");
  clReleaseProgram(program);
  return kernel;
}

/// A kernel of the string, with what it is given behind its result.
static void runOfString(const char* name, size_t bytes, const void* by) {
  const size_t global = items;
  cl_int result[items];
  cl_kernel kernel = build(kernels, "", name);
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof result, NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof out, &out);
  check(clSetKernelArg(kernel, 1, bytes, by), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL), "clEnqueueReadBuffer");
  for (int i = 0; i < items; ++i) printf("%d ", result[i]);
  printf("\n");
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
}

/// Each texel of a picture is its place.
static void runPicture(const char* file) {
  static char text[65536];
  FILE* stream = fopen(file, "r");
  if (!stream) exit(1);
  text[fread(text, 1, sizeof text - 1, stream)] = 0;
  fclose(stream);
  cl_float texels[side * side * 4], result[side * side * 4];
  for (int i = 0; i < side * side; ++i)
    for (int c = 0; c < 4; ++c) texels[4 * i + c] = (cl_float)(10 * i + c);
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  const cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = side, .image_height = side};
  const size_t global[2] = {side, side}, local[2] = {2, 2};
  cl_int error;
  cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &description, texels, &error);
  check(error, "clCreateImage");
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof result, NULL, NULL);
  cl_kernel kernel = build(text, "-cl-std=CL3.0", "picture");
  clSetKernelArg(kernel, 0, sizeof image, &image);
  clSetKernelArg(kernel, 1, sizeof out, &out);
  check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL), "clEnqueueReadBuffer");
  printf("%g\n", result[4 * side * side - 1]);
  clReleaseMemObject(image);
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
}

int main(int count, char** words) {
  cl_platform_id platform;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueue(context, device, 0, NULL);
  const cl_int two = 2;
  const struct {
    cl_float scale;
    cl_int offsets[3];
  } move = {1.5f, {7, 8, 9}};
  if (count == 1)
    runOfString("twice", sizeof two, &two);
  else if (!strcmp(words[1], "structure"))
    runOfString("move", sizeof move, &move);
  else
    runPicture(words[1]);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
