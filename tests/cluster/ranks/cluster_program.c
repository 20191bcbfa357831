// SPDX-License-Identifier: Apache-2.0
// This file is a program that knows nothing of clusters. It uses every device of the platform in one context, and then
// ends as its argument says: return, exit, abort, signal, or wait until a node has gone.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { mostDevices = 16, elements = 3 << 20, commands = 10000 };  // several pieces of content

static void check(cl_int code, const char *what) {
  if (code == CL_SUCCESS) return;
  printf("%s: %d\n", what, code);
  exit(1);
}

static const char *const source =
    "kernel void add(global uint *v, uint n) { v[get_global_id(0)] += n; }\n"
    "kernel void say(uint n) { printf(\"device %u says so\\n\", n); }\n"
    "kernel void stray(global uint *v) {\n"
    "  v[1l << 44] = 1;\n"
    "}\n";

static void CL_CALLBACK notify(const char *text, const void *data, size_t bytes, void *user) {
  (void)data, (void)bytes, (void)user;
  printf("notified: %s\n", text);
  fflush(stdout);
}

struct platform {
  cl_device_id devices[mostDevices];
  cl_command_queue queues[mostDevices];
  cl_uint count;
  cl_context context;
  cl_program program;
};

static void open(struct platform *all) {
  cl_platform_id platform;
  cl_int code;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, mostDevices, all->devices, &all->count), "clGetDeviceIDs");
  all->context = clCreateContext(NULL, all->count, all->devices, notify, NULL, &code);
  check(code, "clCreateContext");
  for (cl_uint i = 0; i < all->count; ++i) {
    char name[256] = "";
    clGetDeviceInfo(all->devices[i], CL_DEVICE_NAME, sizeof name, name, NULL);
    printf("device %u: %s\n", i, name);
    all->queues[i] = clCreateCommandQueueWithProperties(all->context, all->devices[i], NULL, &code);
    check(code, "clCreateCommandQueueWithProperties");
  }
  all->program = clCreateProgramWithSource(all->context, 1, (const char **)&source, NULL, &code);
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(all->program, 0, NULL, "-g", NULL, NULL), "clBuildProgram");
}

static void launch(struct platform *all, cl_uint on, cl_mem memory, cl_uint n, size_t size) {
  cl_int code;
  cl_kernel add = clCreateKernel(all->program, "add", &code);
  check(code, "clCreateKernel");
  clSetKernelArg(add, 0, sizeof memory, &memory);
  clSetKernelArg(add, 1, sizeof n, &n);
  check(clEnqueueNDRangeKernel(all->queues[on], add, 1, NULL, &size, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  clReleaseKernel(add);
}

// Every device adds to one buffer, one after the other, and prints.
static void work(struct platform *all) {
  cl_int code;
  cl_uint *values = calloc(elements, sizeof *values), sum = 0, wrong = 0;
  cl_mem memory = clCreateBuffer(all->context, CL_MEM_COPY_HOST_PTR, elements * sizeof *values, values, &code);
  check(code, "clCreateBuffer");
  for (cl_uint i = 0; i < all->count; ++i) {
    const size_t one = 1;
    launch(all, i, memory, i + 1, elements);
    cl_kernel say = clCreateKernel(all->program, "say", &code);
    clSetKernelArg(say, 0, sizeof i, &i);
    check(clEnqueueNDRangeKernel(all->queues[i], say, 1, NULL, &one, NULL, 0, NULL, NULL), "say");
    check(clFinish(all->queues[i]), "clFinish");
    clReleaseKernel(say);
    sum += i + 1;
  }
  check(clEnqueueReadBuffer(all->queues[0], memory, CL_TRUE, 0, elements * sizeof *values, values, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  for (cl_uint i = 0; i < elements; ++i) wrong += values[i] != sum;
  printf("%u of %u are wrong\n", wrong, (cl_uint)elements);
  // A fault on the last device: its sentence comes from there.
  const size_t one = 1;
  cl_kernel stray = clCreateKernel(all->program, "stray", &code);
  clSetKernelArg(stray, 0, sizeof memory, &memory);
  clEnqueueNDRangeKernel(all->queues[all->count - 1], stray, 1, NULL, &one, NULL, 0, NULL, NULL);
  clFinish(all->queues[all->count - 1]);
  fflush(stdout);
  free(values);
}

// Commands for a node that goes away meanwhile, and then for one that stays.
static void lose(struct platform *all) {
  cl_int code;
  cl_uint zeros[64] = {0}, ended[64] = {0};
  cl_mem ofFirst = clCreateBuffer(all->context, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &code);
  cl_mem ofSecond = clCreateBuffer(all->context, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &code);
  check(code, "clCreateBuffer");
  launch(all, 1, ofFirst, 1, 64);
  check(clFinish(all->queues[1]), "clFinish");
  printf("ready\n");
  fflush(stdout);
  for (cl_uint i = 0; i < commands; ++i) {
    size_t size = 64;
    cl_kernel add = clCreateKernel(all->program, "add", &code);
    cl_uint n = 1;
    clSetKernelArg(add, 0, sizeof ofFirst, &ofFirst);
    clSetKernelArg(add, 1, sizeof n, &n);
    (void)clEnqueueNDRangeKernel(all->queues[1], add, 1, NULL, &size, NULL, 0, NULL, NULL);
    clReleaseKernel(add);
    launch(all, 2, ofSecond, 1, 64);
    clFlush(all->queues[1]);
    nanosleep(&(struct timespec){0, 100000}, NULL);
  }
  printf("first: %d\n", clFinish(all->queues[1]) == CL_SUCCESS);
  check(clFinish(all->queues[2]), "clFinish of the second");
  check(clEnqueueReadBuffer(all->queues[2], ofSecond, CL_TRUE, 0, sizeof ended, ended, 0, NULL, NULL), "read");
  printf("second: %u\n", ended[63]);
  fflush(stdout);
}

int main(int count, char **words) {
  const char *const way = count > 1 ? words[1] : "return";
  struct platform all = {0};
  open(&all);
  if (strcmp(way, "lose") == 0)
    lose(&all);
  else
    work(&all);
  if (strcmp(way, "exit") == 0) exit(3);
  if (strcmp(way, "abort") == 0) abort();
  if (strcmp(way, "signal") == 0) raise(SIGKILL);
  return 0;
}
