// SPDX-License-Identifier: Apache-2.0
// This file computes the Mandelbrot set on a device and writes it as a picture.
#include "picture.h"
#include "sample.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  size_t width, height;
  cl_float left, top, step;
  cl_uint limit;
} View;

// The whole set, centred, whatever the shape of the picture.
static View viewOf(size_t width, size_t height, size_t limit) {
  const double across = 3.2, down = 2.5;  // of the complex plane
  const double step = fmax(across / (double)width, down / (double)height);
  const View view = {
      width,          height,        (cl_float)(-0.7 - step * (double)width / 2), (cl_float)(step * (double)height / 2),
      (cl_float)step, (cl_uint)limit};
  return view;
}

static cl_uint countSteps(const View* view, size_t column, size_t row) {
  const float x0 = view->left + view->step * (float)column, y0 = view->top - view->step * (float)row;
  float x = 0, y = 0;
  cl_uint count = 0;
  while (count < view->limit && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + x0;
    y = 2.0f * x * y + y0;
    x = next;
    ++count;
  }
  return count;
}

// Compares all pixels, and gives the number of steps in the picture for the floating-point rate.
static int verify(const Sample* sample, const View* view, const cl_uint* counts, double* steps) {
  size_t different = 0;
  *steps = 0;
  for (size_t row = 0; row < view->height; ++row)
    for (size_t column = 0; column < view->width; ++column) {
      const cl_uint should = countSteps(view, column, row);
      different += counts[row * view->width + column] != should;
      *steps += should;
    }
  const size_t pixels = view->width * view->height;
  say(sample, "  %.1f steps per pixel; %zu of %zu pixels differ from the serial result\n", *steps / (double)pixels,
      different, pixels);
  return different == 0;
}

static uint8_t channel(double value) { return (uint8_t)(fmin(1, value) * 255 + 0.5); }

static void writePicture(const View* view, const cl_uint* counts, const char* path) {
  Picture picture = {view->width, view->height, 3, sampleAllocate(view->width * view->height, 3)};
  for (size_t i = 0; i < view->width * view->height; ++i) {
    uint8_t* pixel = picture.pixels + 3 * i;
    // From dark blue over white to orange; counts grow fast near the border of the set, colours slowly.
    const double t = log(1.0 + counts[i]) / log(1.0 + view->limit), rest = 1 - t;
    const int inside = counts[i] == view->limit;
    pixel[0] = inside ? 0 : channel(9 * rest * t * t * t);
    pixel[1] = inside ? 0 : channel(15 * rest * rest * t * t);
    pixel[2] = inside ? 0 : channel(8.5 * rest * rest * rest * t);
  }
  writePng(path, &picture);
  free(picture.pixels);
}

int main(int argc, char** argv) {
  Sample sample;
  size_t width = 1024, height = 1024, limit = 256;
  const char* output = NULL;
  const SampleOption options[] = {
      {"--width", "pixels across", SAMPLE_COUNT, &width, 1, 1u << 14},
      {"--height", "pixels down", SAMPLE_COUNT, &height, 1, 1u << 14},
      {"--iterations", "steps after which a point counts as inside", SAMPLE_COUNT, &limit, 1, 1u << 20},
      {"--output", "the picture to write (default mandelbrot.png, none under --report json)", SAMPLE_TEXT, &output, 0,
       0},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "compute the Mandelbrot set and write it as a PNG", options);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, context, device, "mandelbrot.cl", "");
  cl_kernel kernel = clCreateKernel(program, "mandelbrot", &status);
  check(status, "clCreateKernel");

  const View view = viewOf(width, height, limit);
  const size_t pixels = width * height, bytes = pixels * sizeof(cl_uint);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_float), &view.left), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof(cl_float), &view.top), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof(cl_float), &view.step), "clSetKernelArg");
  check(clSetKernelArg(kernel, 4, sizeof(cl_uint), &view.limit), "clSetKernelArg");

  const size_t global[2] = {width, height};
  const double ms = launchTimed(&sample, queue, kernel, 2, global, NULL);
  cl_uint* counts = sampleAllocate(pixels, sizeof *counts);
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, counts, 0, NULL, NULL), "clEnqueueReadBuffer");

  double steps;
  const int right = verify(&sample, &view, counts, &steps);
  sampleResult(&sample, "mandelbrot", shapeText(width, height), ms, 8.0 * steps, 0, right);  // 8 operations a step
  if (!output && !sample.json) output = "mandelbrot.png";
  if (output) {
    writePicture(&view, counts, output);
    say(&sample, "  picture written to %s\n", output);
  }

  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(counts);
  return sampleEnd(&sample);
}
