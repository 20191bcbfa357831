// SPDX-License-Identifier: Apache-2.0
// This file checks what expressions with vector types, conversions and reinterpretations give on a device.
#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char* text;
  cl_int values[4];
} Expression;
static const Expression expressions[] = {
    {"(int4)(1, 2, 3, 4)", {1, 2, 3, 4}},
    {"(int4)200", {200, 200, 200, 200}},
    {"(int4)(a.xy, 70, b.w)", {1, 2, 70, 8}},
    {"a.wzxy", {4, 3, 1, 2}},
    {"a.xxyy", {1, 1, 2, 2}},
    {"((int8)(a, b)).hi", {5, 6, 7, 8}},
    {"((int8)(a, b)).even", {1, 3, 5, 7}},
    {"((int8)(a, b)).odd", {2, 4, 6, 8}},
    {"(int4)(ab.s7, ab.s0, a.lo)", {8, 1, 1, 2}},
    {"convert_int4(1.5, 2.5, -1.5, -2.5)", {1, 2, -1, -2}},
    {"convert_int4_rte", {2, 2, -2, -2}},
    {"convert_int4_rtp", {2, 3, -1, -2}},
    {"convert_int4_rtn", {1, 2, -2, -3}},
    {"convert_uchar4_sat(-5, 0, 255, 300)", {0, 0, 255, 255}},
    {"convert_char4_sat(-500, -128, 127, 128)", {-128, -128, 127, 127}},
    {"as_int: 1.0f, -0.0f, -2.0f, char4", {0x3f800000, (cl_int)0x80000000, (cl_int)0xc0000000, 0x04030201}},
    {"a < (int4)(2, 2, 4, 4)", {-1, 0, -1, 0}},
    {"select(a, b, a > 2)", {1, 2, 7, 8}},
};
enum { EXPRESSIONS = sizeof expressions / sizeof expressions[0] };

static cl_kernel kernelOf(cl_program program, const char* name) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(program, name, &status);
  check(status, "clCreateKernel");
  return kernel;
}

static void checkExpressions(Sample* sample, cl_context context, cl_command_queue queue, cl_program program) {
  cl_int status, values[EXPRESSIONS][4];
  cl_kernel kernel = kernelOf(program, "expressions");
  cl_mem buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof values, NULL, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), "clSetKernelArg");
  const size_t one = 1;
  const double ms = launchTimed(sample, queue, kernel, 1, &one, NULL);
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL), "clEnqueueReadBuffer");
  int right = 1;
  for (int i = 0; i < EXPRESSIONS; ++i) {
    const cl_int *is = values[i], *should = expressions[i].values;
    const int same = memcmp(is, should, sizeof values[i]) == 0;
    say(sample, "  %-42s %d, %d, %d, %d\n", expressions[i].text, is[0], is[1], is[2], is[3]);
    if (!same) say(sample, "  %42s %d, %d, %d, %d\n", "should be", should[0], should[1], should[2], should[3]);
    right &= same;
  }
  sampleResult(sample, "expressions", "1", ms, 0, 0, right);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
}

// Rounds to the nearest byte, ties to even, and stays within a byte.
static cl_uchar toByte(float value) {
  const float rounded = rintf(value);
  return rounded < 0 ? 0 : rounded > 255 ? 255 : (cl_uchar)rounded;
}

static void checkConversions(Sample* sample, cl_context context, cl_command_queue queue, cl_program program,
                             size_t count) {
  cl_int status;
  const size_t vectors = count / 4;
  cl_float* in = sampleAllocate(count, sizeof *in);
  cl_uchar* bytes = sampleAllocate(count, 1);
  cl_uint* bits = sampleAllocate(count, sizeof *bits);
  uint32_t seed = 1;
  for (size_t i = 0; i < count; ++i)
    in[i] = (cl_float)wholeNumber(&seed, -400, 1400) * 0.25f;  // halves, which show the rounding, and far outside
  cl_mem bufferIn = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, count * sizeof *in, in, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferBytes = clCreateBuffer(context, CL_MEM_WRITE_ONLY, count, NULL, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferBits = clCreateBuffer(context, CL_MEM_WRITE_ONLY, count * sizeof *bits, NULL, &status);
  check(status, "clCreateBuffer");
  cl_kernel kernel = kernelOf(program, "convertFloats");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bufferIn), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &bufferBytes), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof(cl_mem), &bufferBits), "clSetKernelArg");
  const double ms = launchTimed(sample, queue, kernel, 1, &vectors, NULL);
  check(clEnqueueReadBuffer(queue, bufferBytes, CL_TRUE, 0, count, bytes, 0, NULL, NULL), "clEnqueueReadBuffer");
  check(clEnqueueReadBuffer(queue, bufferBits, CL_TRUE, 0, count * sizeof *bits, bits, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  int right = memcmp(bits, in, count * sizeof *bits) == 0;
  for (size_t i = 0; i < count && right; ++i)
    if (bytes[i] != toByte(in[i])) {
      say(sample, "  convert_uchar_sat_rte(%g) is %d, should be %d\n", in[i], bytes[i], toByte(in[i]));
      right = 0;
    }
  sampleResult(sample, "convertFloats", countText(count), ms, 0, 9.0 * (double)count, right);
  clReleaseMemObject(bufferIn);
  clReleaseMemObject(bufferBytes);
  clReleaseMemObject(bufferBits);
  clReleaseKernel(kernel);
  free(in);
  free(bytes);
  free(bits);
}

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 24;
  const SampleOption options[] = {{"--size", "floats to convert, a multiple of 4", SAMPLE_COUNT, &count, 4, 1u << 30}};
  SAMPLE_BEGIN(&sample, argc, argv, "vector literals, components, conversions and reinterpretation", options);
  if (count % 4) sampleFail("--size %zu is not a multiple of 4", count);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, context, device, "vectors.cl", "");
  checkExpressions(&sample, context, queue, program);
  checkConversions(&sample, context, queue, program, count);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return sampleEnd(&sample);
}
