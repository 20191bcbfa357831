/* SPDX-License-Identifier: Apache-2.0 */
/* More host programs with one planted cause of slowness each, and their mended twins (pairs.c):
 * host_pairs CASE slow|mended. */
#define _POSIX_C_SOURCE 199309L /* nanosleep */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char* const source =
    "__kernel void relax(__global float* v, int rounds) {\n"
    "  size_t i = get_global_id(0);\n"
    "  float x = v[i];\n"
    "  for (int k = 0; k < rounds; k++) x = x * 0.999f + 0.5f;\n"
    "  v[i] = x;\n"
    "}\n"
    "__kernel void residual(__global const float* v, __global float* result) {\n"
    "  result[0] = v[0] * 0.5f;\n"
    "}\n"
    "__kernel void smooth(__global const float* from, __global float* to) {\n"
    "  to[get_global_id(0)] = from[get_global_id(0)] * 0.5f;\n"
    "}\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static int slow;

static cl_program programOf(const char* options) {
  cl_program program = clCreateProgramWithSource(context, 1, (const char**)&source, NULL, NULL);
  if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) exit(2);
  return program;
}

static cl_mem bufferOf(size_t bytes) { return clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL); }

static void setRelax(cl_kernel kernel, cl_mem values, cl_int rounds) {
  clSetKernelArg(kernel, 0, sizeof values, &values);
  clSetKernelArg(kernel, 1, sizeof rounds, &rounds);
}

static cl_kernel relaxOf(cl_mem values, cl_int rounds) {
  cl_kernel kernel = clCreateKernel(programOf(""), "relax", NULL);
  setRelax(kernel, values, rounds);
  return kernel;
}

static void enqueue(cl_kernel kernel, size_t items, cl_event* event) {
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, event);
}

/* The host asks for the state of an event until the launch has ended. */
static void polling(void) {
  const size_t n = 1 << 16;
  cl_kernel kernel = relaxOf(bufferOf(4 * n), 3000);
  for (int step = 0; step < 30; ++step) {
    cl_event done;
    cl_int state = CL_QUEUED;
    enqueue(kernel, n, &done);
    clFlush(queue);
    while (slow && state != CL_COMPLETE)
      clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    clWaitForEvents(1, &done);
    clReleaseEvent(done);
  }
}

/* A solver that reads its residual after every step, which it could do after some. */
static void residuals(void) {
  const size_t n = 1 << 12;
  cl_mem values = bufferOf(4 * n), result = bufferOf(4);
  cl_kernel step = relaxOf(values, 10), check = clCreateKernel(programOf(""), "residual", NULL);
  float residual = 0;
  clSetKernelArg(check, 0, sizeof values, &values);
  clSetKernelArg(check, 1, sizeof result, &result);
  for (int k = 0; k < 4000; ++k) {
    enqueue(step, n, NULL);
    if (!slow && k % 100 != 99) continue;
    enqueue(check, 1, NULL);
    clEnqueueReadBuffer(queue, result, CL_TRUE, 0, 4, &residual, 0, NULL, NULL);
  }
  clFinish(queue);
}

/* The host computes with each result before it starts the next step. */
static void host_work(void) {
  enum { n = 1 << 16 };
  static float host[n];
  volatile float sum = 0;
  cl_mem values = bufferOf(sizeof host);
  cl_kernel kernel = relaxOf(values, 4000);
  for (int step = 0; step < 20; ++step) {
    enqueue(kernel, n, NULL);
    clEnqueueReadBuffer(queue, values, CL_TRUE, 0, sizeof host, host, 0, NULL, NULL);
    for (int round = 0; slow && round < 100; ++round)
      for (int i = 0; i < n; ++i) sum += host[i] * (float)round;
  }
}

/* Compiles and links for every step. */
static void links(void) {
  cl_mem values = bufferOf(4 << 12);
  cl_kernel kernel = NULL;
  for (int step = 0; step < 30; ++step) {
    if (slow || !kernel) {
      char options[32];
      snprintf(options, sizeof options, "-DSTEP=%d", step);
      cl_program compiled = clCreateProgramWithSource(context, 1, (const char**)&source, NULL, NULL);
      clCompileProgram(compiled, 1, &device, options, 0, NULL, NULL, NULL, NULL);
      kernel = clCreateKernel(clLinkProgram(context, 1, &device, "", 1, &compiled, NULL, NULL, NULL), "relax", NULL);
      setRelax(kernel, values, 10);
    }
    enqueue(kernel, 1 << 12, NULL);
    clFinish(queue);
  }
}

/* An image is sent row by row. */
static void rows(void) {
  const size_t width = 1024, height = 8192;
  char* const image = calloc(width, height);
  cl_mem copy = bufferOf(width * height);
  for (size_t y = 0; slow && y < height; ++y)
    clEnqueueWriteBuffer(queue, copy, CL_TRUE, y * width, width, image + y * width, 0, NULL, NULL);
  if (!slow) clEnqueueWriteBuffer(queue, copy, CL_TRUE, 0, width * height, image, 0, NULL, NULL);
  free(image);
}

/* Numbers are looked at one by one, each by a map of its own. */
static void maps(void) {
  const int count = 20000;
  cl_mem values = bufferOf(4 << 12);
  float sum = 0;
  float* mapped = NULL;
  for (int i = 0; i < count; ++i) {
    if (slow || !mapped)
      mapped = clEnqueueMapBuffer(queue, values, CL_TRUE, CL_MAP_READ, 0, 4 << 12, 0, NULL, NULL, NULL);
    sum += mapped[i & 4095];
    if (slow) clEnqueueUnmapMemObject(queue, values, mapped, 0, NULL, NULL);
  }
  if (sum > 1e30f) exit(2);
  clFinish(queue);
}

/* A kernel object for every launch, as wrappers make them that look kernels up by name. */
static void kernels(void) {
  cl_mem values = bufferOf(4 << 6);
  cl_program program = programOf("");
  cl_kernel kernel = NULL;
  for (int step = 0; step < 20000; ++step) {
    if (slow || !kernel) kernel = clCreateKernel(program, "relax", NULL);
    setRelax(kernel, values, 1);
    enqueue(kernel, 64, NULL);
    if (slow) clReleaseKernel(kernel);
    if (step % 256 == 255) clFinish(queue);
  }
}

/* The result of a launch is copied to be the input of the next one. */
static void copied_back(void) {
  const size_t n = 1 << 22;
  cl_mem from = bufferOf(4 * n), to = bufferOf(4 * n);
  cl_kernel kernel = clCreateKernel(programOf(""), "smooth", NULL);
  for (int step = 0; step < 30; ++step) {
    clSetKernelArg(kernel, 0, sizeof from, &from);
    clSetKernelArg(kernel, 1, sizeof to, &to);
    enqueue(kernel, n, NULL);
    if (slow) {
      clEnqueueCopyBuffer(queue, to, from, 0, 0, 4 * n, 0, NULL, NULL);
    } else {
      cl_mem last = from;
      from = to;
      to = last;
    }
  }
  clFinish(queue);
}

/* Zeros that the kernel overwrites. */
static void zeros(void) {
  const size_t n = 1 << 22;
  const float zero = 0;
  cl_mem from = bufferOf(4 * n), to = bufferOf(4 * n);
  cl_kernel kernel = clCreateKernel(programOf(""), "smooth", NULL);
  clSetKernelArg(kernel, 0, sizeof from, &from);
  clSetKernelArg(kernel, 1, sizeof to, &to);
  for (int step = 0; step < 30; ++step) {
    if (slow) clEnqueueFillBuffer(queue, to, &zero, sizeof zero, 0, 4 * n, 0, NULL, NULL);
    enqueue(kernel, n, NULL);
  }
  clFinish(queue);
}

/* The same 256 KiB go to the device ahead of every launch. */
static void uploads(void) {
  const size_t n = 1 << 16;
  float* const weights = calloc(n, sizeof *weights);
  cl_mem from = bufferOf(4 * n), to = bufferOf(4 * n);
  cl_kernel kernel = clCreateKernel(programOf(""), "smooth", NULL);
  clSetKernelArg(kernel, 0, sizeof from, &from);
  clSetKernelArg(kernel, 1, sizeof to, &to);
  for (int step = 0; step < 1000; ++step) {
    if (slow || step == 0) clEnqueueWriteBuffer(queue, from, CL_TRUE, 0, 4 * n, weights, 0, NULL, NULL);
    enqueue(kernel, n, NULL);
  }
  clFinish(queue);
  free(weights);
}

/* The host looks after a launch every two milliseconds. */
static void sleeping(void) {
  const struct timespec pause = {0, 2000000};
  const size_t n = 1 << 16;
  cl_kernel kernel = relaxOf(bufferOf(4 * n), 300);
  for (int step = 0; step < 40; ++step) {
    cl_event done;
    cl_int state = CL_QUEUED;
    enqueue(kernel, n, &done);
    clFlush(queue);
    while (slow) {
      clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
      if (state == CL_COMPLETE) break;
      nanosleep(&pause, NULL);
    }
    clReleaseEvent(done);
  }
  clFinish(queue);
}

/* A launch for each row of a picture, with its place as an offset, in place of one for all. */
static void bands(void) {
  const size_t rows = 1024, n = 1024;
  cl_mem values = bufferOf(4 * rows * n);
  cl_kernel kernel = relaxOf(values, 1);
  for (int picture = 0; picture < 20; ++picture)
    for (size_t row = 0; row < (slow ? rows : 1); ++row) {
      setRelax(kernel, values, 1);
      const size_t begin = row * n, count = slow ? n : rows * n;
      clEnqueueNDRangeKernel(queue, kernel, 1, &begin, &count, NULL, 0, NULL, NULL);
    }
  clFinish(queue);
}

/* The host asks for limits of kernel and device ahead of every launch. */
static void questions(void) {
  const size_t n = 1 << 12;
  cl_kernel kernel = relaxOf(bufferOf(4 * n), 2);
  static char text[1 << 15];
  size_t most = 0;
  for (int step = 0; step < 2000; ++step) {
    for (int i = 0; i < (slow ? 4 : 0); ++i) {
      clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
      clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL);
    }
    enqueue(kernel, n, NULL);
  }
  clFinish(queue);
}

/* The first launch of each of many kernels, with a wait behind it, in place of one kernel. */
static void first_launches(void) {
  enum { kernels = 24, statements = 8 };
  static char text[kernels * (statements + 1) * 80];
  const size_t n = 1 << 12;
  size_t end = 0;
  for (int k = 0; k < kernels; ++k) {
    end += (size_t)sprintf(text + end, "__kernel void k%d(__global float* v) { float x = v[get_global_id(0)];\n", k);
    for (int i = 0; i < statements; ++i)
      end += (size_t)sprintf(text + end, "x = sin(x) * %d.5f + exp(x * %d.0f);\n", i, k);
    end += (size_t)sprintf(text + end, "v[get_global_id(0)] = x; }\n");
  }
  const char* const all = text;
  cl_program program = clCreateProgramWithSource(context, 1, (const char**)&all, NULL, NULL);
  if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) exit(2);
  cl_mem values = bufferOf(4 * n);
  for (int k = 0; k < kernels; ++k) {
    char name[16];
    snprintf(name, sizeof name, "k%d", slow ? k : 0);
    cl_kernel kernel = clCreateKernel(program, name, NULL);
    clSetKernelArg(kernel, 0, sizeof values, &values);
    enqueue(kernel, n, NULL);
    clFinish(queue);
    clReleaseKernel(kernel);
  }
}

int main(int count, char** words) {
  static const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"polling", polling},     {"residuals", residuals},
               {"host-work", host_work}, {"links", links},
               {"rows", rows},           {"maps", maps},
               {"kernels", kernels},     {"copied-back", copied_back},
               {"zeros", zeros},         {"uploads", uploads},
               {"sleeping", sleeping},   {"questions", questions},
               {"bands", bands},         {"first-launches", first_launches}};
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
