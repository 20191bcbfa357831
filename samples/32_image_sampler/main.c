// SPDX-License-Identifier: Apache-2.0
// This file enlarges a picture: by images with samplers, and by the same arithmetic in buffers.
#include "picture.h"
#include "sample.h"

#include <math.h>
#include <stdlib.h>

enum { CHANNELS = 4 };  // RGBA of bytes, which every device with images has

typedef struct {
  Sample* sample;
  cl_context context;
  cl_device_id device;
  cl_command_queue queue;
  cl_program program;
  size_t width, zoom, wide;  // of the source, a square, and of the result
  uint8_t *source, *result, *linear, *nearest;
} Problem;

// Rings and a slope, so that neighbouring pixels differ and every channel is another.
static void draw(uint8_t* pixels, size_t width) {
  for (size_t y = 0; y < width; ++y)
    for (size_t x = 0; x < width; ++x) {
      const double dx = (double)x - (double)width / 2, dy = (double)y - (double)width / 3;
      uint8_t* pixel = pixels + (y * width + x) * CHANNELS;
      pixel[0] = (uint8_t)(127.5 + 127.5 * sin((dx * dx + dy * dy) / (double)width));
      pixel[1] = (uint8_t)(255 * x / width);
      pixel[2] = (uint8_t)(255 * y / width);
      pixel[3] = 255;
    }
}

static double mixed(double a, double b, double weight) { return a + (b - a) * weight; }

static size_t clamped(double place, size_t width) {
  return place < 0 ? 0 : place > (double)width - 1 ? width - 1 : (size_t)place;
}

// The result of both kinds of filter.
static void zoomSerial(const Problem* problem) {
  const size_t width = problem->width, wide = problem->wide;
  for (size_t y = 0; y < wide; ++y)
    for (size_t x = 0; x < wide; ++x) {
      const double px = ((double)x + 0.5) / (double)problem->zoom, py = ((double)y + 0.5) / (double)problem->zoom;
      const double fx = floor(px - 0.5), fy = floor(py - 0.5), wx = px - 0.5 - fx, wy = py - 0.5 - fy;
      const size_t x0 = clamped(fx, width), x1 = clamped(fx + 1, width), y0 = clamped(fy, width);
      const size_t y1 = clamped(fy + 1, width), nx = clamped(floor(px), width), ny = clamped(floor(py), width);
      for (size_t c = 0; c < CHANNELS; ++c) {
        const uint8_t* in = problem->source + c;
        const double above = mixed(in[(y0 * width + x0) * CHANNELS], in[(y0 * width + x1) * CHANNELS], wx);
        const double below = mixed(in[(y1 * width + x0) * CHANNELS], in[(y1 * width + x1) * CHANNELS], wx);
        problem->linear[(y * wide + x) * CHANNELS + c] = (uint8_t)rint(mixed(above, below, wy));
        problem->nearest[(y * wide + x) * CHANNELS + c] = in[(ny * width + nx) * CHANNELS];
      }
    }
}

// GPUs interpolate with weights of a few bits: `tolerance` is in steps of a colour.
static int matches(const Problem* problem, const uint8_t* expected, int tolerance) {
  for (size_t i = 0; i < problem->wide * problem->wide * CHANNELS; ++i)
    if (abs(problem->result[i] - expected[i]) > tolerance) {
      const size_t pixel = i / CHANNELS;
      say(problem->sample, "  channel %zu of the pixel at (%zu, %zu) is %d, should be %d\n", i % CHANNELS,
          pixel % problem->wide, pixel / problem->wide, problem->result[i], expected[i]);
      return 0;
    }
  return 1;
}

static void report(const Problem* problem, const char* name, double ms, const uint8_t* expected, int tolerance) {
  const double bytes =
      CHANNELS * ((double)problem->width * (double)problem->width + (double)problem->wide * (double)problem->wide);
  sampleResult(problem->sample, name, shapeText(problem->wide, problem->wide), ms, 0, bytes,
               matches(problem, expected, tolerance));
}

static cl_mem createImage(const Problem* problem, cl_mem_flags flags, size_t width, uint8_t* pixels) {
  cl_int status;
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = width};
  cl_mem image = clCreateImage(problem->context, flags, &format, &description, pixels, &status);
  check(status, "clCreateImage");
  return image;
}

static void withImages(Problem* problem) {
  cl_int status;
  cl_mem in = createImage(problem, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, problem->width, problem->source);
  cl_mem out = createImage(problem, CL_MEM_WRITE_ONLY, problem->wide, NULL);
  cl_sampler nearest = clCreateSampler(problem->context, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &status);
  check(status, "clCreateSampler");
  const size_t origin[3] = {0, 0, 0}, region[3] = {problem->wide, problem->wide, 1};
  const size_t global[2] = {problem->wide, problem->wide};
  for (int isNearest = 0; isNearest < 2; ++isNearest) {
    cl_kernel kernel = clCreateKernel(problem->program, isNearest ? "zoomWith" : "zoomLinear", &status);
    check(status, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &in), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &out), "clSetKernelArg");
    if (isNearest) check(clSetKernelArg(kernel, 2, sizeof(cl_sampler), &nearest), "clSetKernelArg");
    const cl_float4 nothing = {{0.5f, 0.5f, 0.5f, 0.5f}};  // detects a kernel that writes nothing
    check(clEnqueueFillImage(problem->queue, out, &nothing, origin, region, 0, NULL, NULL), "clEnqueueFillImage");
    const double ms = launchTimed(problem->sample, problem->queue, kernel, 2, global, NULL);
    check(clEnqueueReadImage(problem->queue, out, CL_TRUE, origin, region, 0, 0, problem->result, 0, NULL, NULL),
          "clEnqueueReadImage");
    report(problem, isNearest ? "image, nearest" : "image, linear", ms, isNearest ? problem->nearest : problem->linear,
           isNearest ? 0 : 2);
    clReleaseKernel(kernel);
  }
  clReleaseSampler(nearest);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
}

static void withBuffers(Problem* problem) {
  cl_int status;
  const size_t inBytes = problem->width * problem->width * CHANNELS,
               outBytes = problem->wide * problem->wide * CHANNELS;
  cl_mem in =
      clCreateBuffer(problem->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, inBytes, problem->source, &status);
  check(status, "clCreateBuffer");
  cl_mem out = clCreateBuffer(problem->context, CL_MEM_WRITE_ONLY, outBytes, NULL, &status);
  check(status, "clCreateBuffer");
  cl_kernel kernel = clCreateKernel(problem->program, "zoomBuffer", &status);
  check(status, "clCreateKernel");
  const cl_int width = (cl_int)problem->width;
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &in), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &out), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof width, &width), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof width, &width), "clSetKernelArg");
  const size_t global[2] = {problem->wide, problem->wide};
  const double ms = launchTimed(problem->sample, problem->queue, kernel, 2, global, NULL);
  check(clEnqueueReadBuffer(problem->queue, out, CL_TRUE, 0, outBytes, problem->result, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  report(problem, "buffer, linear", ms, problem->linear, 1);
  clReleaseKernel(kernel);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
}

int main(int argc, char** argv) {
  Sample sample;
  Problem problem = {.sample = &sample, .width = 512, .zoom = 4};
  const char* output = NULL;
  const SampleOption options[] = {
      {"--size", "pixels along each side of the picture", SAMPLE_COUNT, &problem.width, 2, 4096},
      {"--zoom", "how often its sides become longer", SAMPLE_COUNT, &problem.zoom, 1, 16},
      {"--output", "write the enlarged picture to this PNG", SAMPLE_TEXT, &output, 0, 0},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "enlarge a picture by images with samplers", options);

  problem.wide = problem.width * problem.zoom;
  const size_t pixels = problem.wide * problem.wide;
  problem.source = sampleAllocate(problem.width * problem.width, CHANNELS);
  problem.result = sampleAllocate(pixels, CHANNELS);
  problem.linear = sampleAllocate(pixels, CHANNELS);
  problem.nearest = sampleAllocate(pixels, CHANNELS);
  draw(problem.source, problem.width);
  zoomSerial(&problem);

  cl_int status;
  problem.device = sampleDevice(&sample);
  problem.context = clCreateContext(NULL, 1, &problem.device, NULL, NULL, &status);
  check(status, "clCreateContext");
  problem.queue = clCreateCommandQueue(problem.context, problem.device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  problem.program = buildProgram(&sample, problem.context, problem.device, "zoom.cl", "");
  cl_bool hasImages = CL_FALSE;
  size_t widest = 0;
  check(clGetDeviceInfo(problem.device, CL_DEVICE_IMAGE_SUPPORT, sizeof hasImages, &hasImages, NULL),
        "clGetDeviceInfo");
  check(clGetDeviceInfo(problem.device, CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof widest, &widest, NULL), "clGetDeviceInfo");
  if (hasImages && widest < problem.wide)
    sampleFail("--size %zu with --zoom %zu: the device's images have at most %zu pixels along a side", problem.width,
               problem.zoom, widest);
  if (hasImages)
    withImages(&problem);
  else
    say(&sample, "  the device has no images\n");
  withBuffers(&problem);

  if (output) {
    Picture colours = {problem.wide, problem.wide, 3, sampleAllocate(pixels, 3)};
    for (size_t i = 0; i < pixels; ++i)
      for (size_t c = 0; c < 3; ++c) colours.pixels[3 * i + c] = problem.result[CHANNELS * i + c];
    writePng(output, &colours);
    say(&sample, "  written to %s\n", output);
    free(colours.pixels);
  }
  clReleaseProgram(problem.program);
  clReleaseCommandQueue(problem.queue);
  clReleaseContext(problem.context);
  free(problem.source);
  free(problem.result);
  free(problem.linear);
  free(problem.nearest);
  return sampleEnd(&sample);
}
