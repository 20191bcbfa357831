/* SPDX-License-Identifier: Apache-2.0 */
/* Host programs with one planted cause of slowness each, and their mended twins: pairs CASE slow|mended. run.py
 * profiles them and looks at the advice. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const source =
    "kernel void add(global float* y, global const float* x, float a) {\n"
    "  size_t i = get_global_id(0);\n"
    "  y[i] = a * x[i] + y[i];\n"
    "}\n"
    "kernel void steps(global float* y, int count) {\n"
    "  size_t i = get_global_id(0);\n"
    "  float v = y[i];\n"
    "  for (int k = 0; k < count; ++k) v = v * 0.999f + 0.5f;\n"
    "  y[i] = v;\n"
    "}\n"
    "kernel void sums(global float* y, local float* part) {\n"
    "  size_t i = get_local_id(0);\n"
    "  part[i] = y[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  float v = part[get_local_size(0) - 1 - i];\n"
    "  for (int k = 0; k < 20000; ++k) v = v * 0.999f + 0.5f;\n"
    "  y[get_global_id(0)] = v;\n"
    "}\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static int slow;

static cl_program build(const char* options) {
  cl_program program = clCreateProgramWithSource(context, 1, (const char**)&source, NULL, NULL);
  if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) exit(2);
  return program;
}

static cl_mem buffer(size_t bytes) { return clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL); }

static void set(cl_kernel kernel, cl_mem y, cl_mem x, float a) {
  clSetKernelArg(kernel, 0, sizeof y, &y);
  clSetKernelArg(kernel, 1, sizeof x, &x);
  clSetKernelArg(kernel, 2, sizeof a, &a);
}

static void launch(cl_kernel kernel, size_t global, size_t local) {
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL);
}

/* Builds in a loop: a number that changes is a macro. */
static void builds(void) {
  const size_t n = 4096;
  cl_mem y = buffer(4 * n), x = buffer(4 * n);
  cl_program program = build("");
  cl_kernel kernel = clCreateKernel(program, "add", NULL);
  for (int i = 0; i < 40; ++i) {
    if (slow) {
      char options[32];
      snprintf(options, sizeof options, "-D N=%d", i);
      clReleaseKernel(kernel);
      clReleaseProgram(program);
      program = build(options);
      kernel = clCreateKernel(program, "add", NULL);
    }
    set(kernel, y, x, (float)i);
    launch(kernel, n, 0);
    clFinish(queue);
  }
}

/* A buffer of its own for every launch. */
static void objects(void) {
  const size_t n = 1 << 18;
  float* host = calloc(n, 4);
  cl_mem y = buffer(4 * n), x = NULL;
  cl_kernel kernel = clCreateKernel(build(""), "add", NULL);
  for (int i = 0; i < 100; ++i) {
    if (slow || !x) x = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4 * n, host, NULL);
    set(kernel, y, x, (float)i);
    launch(kernel, 4096, 0);
    if (slow) clReleaseMemObject(x);
  }
  clFinish(queue);
}

/* Large buffers copied to and from a device that shares the host's memory. */
static void copies(void) {
  const size_t n = 1 << 22;
  float* host = calloc(n, 4);
  cl_mem y = buffer(4 * n), x = buffer(4 * n);
  cl_kernel kernel = clCreateKernel(build(""), "add", NULL);
  set(kernel, y, x, 2);
  for (int i = 0; i < 12; ++i) {
    if (slow) {
      clEnqueueWriteBuffer(queue, x, CL_TRUE, 0, 4 * n, host, 0, NULL, NULL);
    } else {
      float* mapped =
          clEnqueueMapBuffer(queue, x, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 4 * n, 0, NULL, NULL, NULL);
      mapped[0] = host[0];
      clEnqueueUnmapMemObject(queue, x, mapped, 0, NULL, NULL);
    }
    launch(kernel, n, 0);
    if (slow) clEnqueueReadBuffer(queue, y, CL_TRUE, 0, 4 * n, host, 0, NULL, NULL);
  }
  clFinish(queue);
  free(host);
}

/* Numbers that are written one by one. */
static void small_transfers(void) {
  const int count = 4000;
  float* host = calloc(count, 4);
  cl_mem y = buffer(4 * count);
  for (int i = 0; i < (slow ? count : 1); ++i)
    clEnqueueWriteBuffer(queue, y, CL_FALSE, slow ? 4 * i : 0, slow ? 4 : 4 * count, host + i, 0, NULL, NULL);
  clFinish(queue);
}

/* Launches of a few work-items, of which there could be one. */
static void short_launches(void) {
  enum { shortLaunches = 100000 };
  const size_t n = 64;
  cl_mem y = buffer(4 * n);
  cl_kernel kernel = clCreateKernel(build(""), "steps", NULL);
  int count = slow ? 1 : shortLaunches;
  clSetKernelArg(kernel, 0, sizeof y, &y);
  clSetKernelArg(kernel, 1, sizeof count, &count);
  for (int i = 0; i < (slow ? shortLaunches : 1); ++i) launch(kernel, n, 0);
  clFinish(queue);
}

/* One work-group for all processors. */
static void few_groups(void) {
  const size_t n = 4096;
  cl_mem y = buffer(4 * n);
  cl_kernel kernel = clCreateKernel(build(""), "sums", NULL);
  const size_t local = slow ? n : 64;
  clSetKernelArg(kernel, 0, sizeof y, &y);
  clSetKernelArg(kernel, 1, 4 * local, NULL);
  for (int i = 0; i < 10; ++i) launch(kernel, n, local);
  clFinish(queue);
}

/* A work-group size of its own for every launch. */
static void many_sizes(void) {
  cl_mem y = buffer(4 * 4096);
  cl_kernel kernel = clCreateKernel(build(""), "sums", NULL);
  clSetKernelArg(kernel, 0, sizeof y, &y);
  for (size_t i = 2; i < 26; ++i) {
    const size_t local = slow ? i : 26;
    clSetKernelArg(kernel, 1, 4 * local, NULL);
    launch(kernel, 4 * local, local);
    clFinish(queue);
  }
}

int main(int count, char** words) {
  static const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"builds", builds},
               {"objects", objects},
               {"copies", copies},
               {"small-transfers", small_transfers},
               {"short-launches", short_launches},
               {"few-groups", few_groups},
               {"many-sizes", many_sizes}};
  cl_platform_id platform;
  if (count != 3 || clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS) return 2;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) return 2;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
  slow = !strcmp(words[2], "slow");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    if (!strcmp(cases[i].name, words[1])) {
      cases[i].run();
      return 0;
    }
  return 2;
}
