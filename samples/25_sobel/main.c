// SPDX-License-Identifier: Apache-2.0
// This file finds the edges of a picture on a device.
#include "picture.h"
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16 };

// The picture K times in both directions; every other one is mirrored, so that there are no seams.
static Picture repeated(const Picture* picture, size_t times) {
  Picture result = {picture->width * times, picture->height * times, 1, NULL};
  result.pixels = sampleAllocate(result.width * result.height, 1);
  for (size_t y = 0; y < result.height; ++y)
    for (size_t x = 0; x < result.width; ++x) {
      size_t sx = x % picture->width, sy = y % picture->height;
      if (x / picture->width % 2) sx = picture->width - 1 - sx;
      if (y / picture->height % 2) sy = picture->height - 1 - sy;
      result.pixels[y * result.width + x] = picture->pixels[sy * picture->width + sx];
    }
  return result;
}

static int pixelAt(const Picture* picture, long x, long y) {
  const long right = (long)picture->width - 1, bottom = (long)picture->height - 1;
  x = x < 0 ? 0 : x > right ? right : x;
  y = y < 0 ? 0 : y > bottom ? bottom : y;
  return picture->pixels[(size_t)y * picture->width + (size_t)x];
}

static void sobelSerial(const Picture* in, uint8_t* out) {
  for (long y = 0; y < (long)in->height; ++y)
    for (long x = 0; x < (long)in->width; ++x) {
      const int left = pixelAt(in, x - 1, y - 1) + 2 * pixelAt(in, x - 1, y) + pixelAt(in, x - 1, y + 1);
      const int right = pixelAt(in, x + 1, y - 1) + 2 * pixelAt(in, x + 1, y) + pixelAt(in, x + 1, y + 1);
      const int above = pixelAt(in, x - 1, y - 1) + 2 * pixelAt(in, x, y - 1) + pixelAt(in, x + 1, y - 1);
      const int below = pixelAt(in, x - 1, y + 1) + 2 * pixelAt(in, x, y + 1) + pixelAt(in, x + 1, y + 1);
      const int gx = right - left, gy = below - above;
      const float strength = rintf(sqrtf((float)(gx * gx + gy * gy)));
      out[(size_t)y * in->width + (size_t)x] = strength > 255 ? 255 : (uint8_t)strength;
    }
}

// sqrt may be off by 3 units in the last place (OpenCL C, relative error as ULPs), so a rounded value may be off by
// one.
static int close(const Sample* sample, const uint8_t* got, const uint8_t* expected, size_t width, size_t pixels) {
  for (size_t i = 0; i < pixels; ++i)
    if (abs(got[i] - expected[i]) > 1) {
      say(sample, "  the pixel at (%zu, %zu) is %d, should be %d\n", i % width, i / width, got[i], expected[i]);
      return 0;
    }
  return 1;
}

int main(int argc, char** argv) {
  Sample sample;
  const char *input = NULL, *output = NULL;
  size_t times = 4;
  const SampleOption options[] = {
      {"--input", "the PNG to read (default: the landscape of this sample)", SAMPLE_TEXT, &input, 0, 0},
      {"--output", "the picture to write (default sobel.png, none under --report json)", SAMPLE_TEXT, &output, 0, 0},
      {"--tiles", "repeat the picture so often in both directions", SAMPLE_COUNT, &times, 1, 64},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "detect the edges of a picture", options);

  char* ownPicture = samplePath(&sample, "landscape.png");
  Picture read = readPng(input ? input : ownPicture, 1);
  free(ownPicture);
  Picture in = repeated(&read, times);
  const size_t pixels = in.width * in.height;
  uint8_t *serial = sampleAllocate(pixels, 1), *edges = sampleAllocate(pixels, 1);
  sobelSerial(&in, serial);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  size_t maxGroup;
  check(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof maxGroup, &maxGroup, NULL), "clGetDeviceInfo");
  size_t tile = TILE;
  while (tile * tile > maxGroup) tile /= 2;
  char buildOptions[32];
  snprintf(buildOptions, sizeof buildOptions, "-D TILE=%zu", tile);
  cl_program program = buildProgram(&sample, context, device, "sobel.cl", buildOptions);
  cl_mem bufferIn = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, pixels, in.pixels, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferOut = clCreateBuffer(context, CL_MEM_WRITE_ONLY, pixels, NULL, &status);
  check(status, "clCreateBuffer");

  static const char* const names[] = {"sobelGlobal", "sobelLocal"};
  const cl_int shape[2] = {(cl_int)in.width, (cl_int)in.height};
  for (int i = 0; i < 2; ++i) {
    cl_kernel kernel = clCreateKernel(program, names[i], &status);
    check(status, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bufferIn), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &bufferOut), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof(cl_int), &shape[0]), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof(cl_int), &shape[1]), "clSetKernelArg");
    const cl_uchar nothing = 128;  // detects a kernel that writes nothing
    check(clEnqueueFillBuffer(queue, bufferOut, &nothing, 1, 0, pixels, 0, NULL, NULL), "clEnqueueFillBuffer");
    const size_t local[2] = {tile, tile}, global[2] = {roundUp(in.width, tile), roundUp(in.height, tile)};
    const double ms = launchTimed(&sample, queue, kernel, 2, global, local);
    check(clEnqueueReadBuffer(queue, bufferOut, CL_TRUE, 0, pixels, edges, 0, NULL, NULL), "clEnqueueReadBuffer");
    sampleResult(&sample, names[i], shapeText(in.width, in.height), ms, 0, 2.0 * (double)pixels,
                 close(&sample, edges, serial, in.width, pixels));
    clReleaseKernel(kernel);
  }

  if (!output && !sample.json) output = "sobel.png";
  if (output) {
    const Picture result = {in.width, in.height, 1, edges};
    writePng(output, &result);
    say(&sample, "  edges written to %s\n", output);
  }
  clReleaseMemObject(bufferIn);
  clReleaseMemObject(bufferOut);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(read.pixels);
  free(in.pixels);
  free(serial);
  free(edges);
  return sampleEnd(&sample);
}
