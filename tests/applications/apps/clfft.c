// SPDX-License-Identifier: Apache-2.0
// This file transforms signals whose spectra are known with clFFT, and back: run by clfft.sh.
#define CL_TARGET_OPENCL_VERSION 120
#include <clFFT.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void require(int good, const char* what, long value) {
  if (good) return;
  printf("wrong: %s (%ld)\n", what, value);
  exit(1);
}

static void transform(cl_context context, cl_command_queue queue, size_t length) {
  const double pi = 3.14159265358979323846;
  const size_t frequencies[3] = {0, 1, length / 3};
  float* signal = calloc(2 * length, sizeof(float));
  float* result = calloc(2 * length, sizeof(float));
  float* wanted = calloc(2 * length, sizeof(float));
  for (int f = 0; f < 3; ++f) {
    wanted[2 * frequencies[f]] += (float)(f + 1);
    for (size_t i = 0; i < length; ++i) {
      const double angle = 2 * pi * (double)(frequencies[f] * i % length) / (double)length;
      signal[2 * i] += (float)((f + 1) * cos(angle));
      signal[2 * i + 1] += (float)((f + 1) * sin(angle));
    }
  }
  const size_t bytes = 2 * length * sizeof(float);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  require(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, signal, 0, NULL, NULL) == 0, "write", (long)length);
  clfftPlanHandle plan;
  require(clfftCreateDefaultPlan(&plan, context, CLFFT_1D, &length) == 0, "plan", (long)length);
  clfftSetLayout(plan, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED);
  clfftSetResultLocation(plan, CLFFT_INPLACE);
  const clfftStatus baked = clfftBakePlan(plan, 1, &queue, NULL, NULL);
  require(baked == 0, "bake", baked);
  for (int back = 0; back < 2; ++back) {
    const clfftStatus status = clfftEnqueueTransform(plan, back ? CLFFT_BACKWARD : CLFFT_FORWARD, 1, &queue, 0, NULL,
                                                     NULL, &buffer, NULL, NULL);
    require(status == 0, "transform", status);
    require(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, result, 0, NULL, NULL) == 0, "read", (long)length);
    for (size_t i = 0; i < 2 * length; ++i) {
      const double difference = back ? fabs(result[i] - signal[i]) : fabs(result[i] / (double)length - wanted[i]);
      require(difference < 1e-4, back ? "back, of length" : "spectrum of length", (long)length);
    }
  }
  clfftDestroyPlan(&plan);
  clReleaseMemObject(buffer);
  free(signal);
  free(result);
  free(wanted);
}

int main(void) {
  static const size_t lengths[] = {8, 105, 256, 1000, 4096, 6561, 16384, 65536};
  cl_platform_id platform;
  cl_device_id device;
  require(clGetPlatformIDs(1, &platform, NULL) == 0, "platform", 0);
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == 0, "device", 0);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  clfftSetupData setup;
  clfftInitSetupData(&setup);
  require(clfftSetup(&setup) == 0, "setup", 0);
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) transform(context, queue, lengths[i]);
  clfftTeardown();
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  puts("all right");
  return 0;
}
