// SPDX-License-Identifier: Apache-2.0
// This file transforms signals whose spectra are known with VkFFT's OpenCL back end, and back: run by vkfft.sh.
#define CL_TARGET_OPENCL_VERSION 120
#include <vkFFT.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void require(int good, const char* what, long value) {
  if (good) return;
  printf("wrong: %s (%ld)\n", what, value);
  exit(1);
}

struct Place {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
};

// Values of a buffer of float or double as doubles.
static double at(const void* values, int is_double, size_t i) {
  return is_double ? ((const double*)values)[i] : ((const float*)values)[i];
}

static void transform(struct Place* place, size_t length, int is_double) {
  const double pi = 3.14159265358979323846;
  const size_t frequencies[3] = {0, 1, length / 3};
  double* signal = calloc(2 * length, sizeof(double));
  double* wanted = calloc(2 * length, sizeof(double));
  for (int f = 0; f < 3; ++f) {
    wanted[2 * frequencies[f]] += f + 1;
    for (size_t i = 0; i < length; ++i) {
      const double angle = 2 * pi * (double)(frequencies[f] * i % length) / (double)length;
      signal[2 * i] += (f + 1) * cos(angle);
      signal[2 * i + 1] += (f + 1) * sin(angle);
    }
  }
  uint64_t bytes = 2 * length * (is_double ? sizeof(double) : sizeof(float));
  void* values = malloc(bytes);
  for (size_t i = 0; i < 2 * length; ++i) {
    if (is_double) ((double*)values)[i] = signal[i];
    else ((float*)values)[i] = (float)signal[i];
  }
  cl_mem buffer = clCreateBuffer(place->context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  require(clEnqueueWriteBuffer(place->queue, buffer, CL_TRUE, 0, bytes, values, 0, NULL, NULL) == 0, "write", 0);
  VkFFTConfiguration configuration = {0};
  configuration.FFTdim = 1;
  configuration.size[0] = length;
  configuration.platform = &place->platform;
  configuration.device = &place->device;
  configuration.context = &place->context;
  configuration.buffer = &buffer;
  configuration.bufferSize = &bytes;
  configuration.normalize = 1;
  configuration.doublePrecision = (uint64_t)is_double;
  VkFFTApplication application = {0};
  const VkFFTResult made = initializeVkFFT(&application, configuration);
  require(made == VKFFT_SUCCESS, "plan", made);
  VkFFTLaunchParams parameters = {0};
  parameters.commandQueue = &place->queue;
  parameters.buffer = &buffer;
  for (int back = 0; back < 2; ++back) {
    const VkFFTResult status = VkFFTAppend(&application, back ? 1 : -1, &parameters);
    require(status == VKFFT_SUCCESS, "transform", status);
    require(clEnqueueReadBuffer(place->queue, buffer, CL_TRUE, 0, bytes, values, 0, NULL, NULL) == 0, "read", 0);
    for (size_t i = 0; i < 2 * length; ++i) {
      const double value = at(values, is_double, i);
      const double difference = back ? fabs(value - signal[i]) : fabs(value / (double)length - wanted[i]);
      require(difference < (is_double ? 1e-11 : 1e-4), back ? "back, of length" : "spectrum of length", (long)length);
    }
  }
  deleteVkFFT(&application);
  clReleaseMemObject(buffer);
  free(values);
  free(signal);
  free(wanted);
}

int main(void) {
  // Powers of two; products of small primes; 1009, a prime, which takes Bluestein's algorithm.
  static const size_t lengths[] = {8, 105, 1000, 1009, 4096, 6561, 65536};
  struct Place place;
  require(clGetPlatformIDs(1, &place.platform, NULL) == 0, "platform", 0);
  require(clGetDeviceIDs(place.platform, CL_DEVICE_TYPE_ALL, 1, &place.device, NULL) == 0, "device", 0);
  place.context = clCreateContext(NULL, 1, &place.device, NULL, NULL, NULL);
  place.queue = clCreateCommandQueue(place.context, place.device, 0, NULL);
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    for (int is_double = 0; is_double < 2; ++is_double) transform(&place, lengths[i], is_double);
  }
  clReleaseCommandQueue(place.queue);
  clReleaseContext(place.context);
  puts("all right");
  return 0;
}
