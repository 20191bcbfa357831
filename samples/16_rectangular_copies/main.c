// SPDX-License-Identifier: Apache-2.0
// This file copies a box between volumes of different shapes and checks every cell.
#include "sample.h"

#include <stdlib.h>
#include <string.h>

// A volume of cl_uint, x fastest. A target is filled with FILLER first, so that cells outside of the box can be
// checked.
typedef struct {
  size_t width, height, depth;
} Shape;
typedef struct {
  size_t x, y, z;
} Place;
static const cl_uint FILLER = 0xffffffffu;

static size_t cells(Shape shape) { return shape.width * shape.height * shape.depth; }
static size_t rowPitch(Shape shape) { return shape.width * sizeof(cl_uint); }
static size_t slicePitch(Shape shape) { return rowPitch(shape) * shape.height; }
static size_t cellAt(Shape shape, size_t x, size_t y, size_t z) { return (z * shape.height + y) * shape.width + x; }

// Origins and regions in the form that OpenCL wants: bytes, rows, slices.
static void toOrigin(Place place, size_t* origin) {
  origin[0] = place.x * sizeof(cl_uint);
  origin[1] = place.y;
  origin[2] = place.z;
}

// True when the target holds the box of the source at its place and FILLER everywhere else.
static int checkBox(const Sample* sample, const char* what, const cl_uint* target, Shape targetShape, Place targetPlace,
                    Shape sourceShape, Place sourcePlace, Shape box) {
  for (size_t z = 0; z < targetShape.depth; ++z)
    for (size_t y = 0; y < targetShape.height; ++y)
      for (size_t x = 0; x < targetShape.width; ++x) {
        const size_t bx = x - targetPlace.x, by = y - targetPlace.y, bz = z - targetPlace.z;  // wrap below the box
        const int inside = bx < box.width && by < box.height && bz < box.depth;
        const cl_uint should =
            inside ? (cl_uint)cellAt(sourceShape, sourcePlace.x + bx, sourcePlace.y + by, sourcePlace.z + bz) : FILLER;
        const cl_uint is = target[cellAt(targetShape, x, y, z)];
        if (is != should) {
          say(sample, "  %s: the cell at (%zu, %zu, %zu) is %u, should be %u\n", what, x, y, z, is, should);
          return 0;
        }
      }
  return 1;
}

static double finish(cl_event event) {
  check(clWaitForEvents(1, &event), "clWaitForEvents");
  const double ms = eventMs(event);
  clReleaseEvent(event);
  return ms;
}

// A copy from the volume at `fromOrigin`, with its pitches, to a target at `toOrigin`, with its own.
typedef struct {
  cl_command_queue queue;
  cl_mem volume, target;
  cl_uint* host;
  size_t fromOrigin[3], toOrigin[3], region[3];
  size_t fromRow, fromSlice, toRow, toSlice, bytes;
} Copy;

static cl_event readRect(const Copy* c) {
  cl_event event;
  check(clEnqueueReadBufferRect(c->queue, c->volume, CL_FALSE, c->fromOrigin, c->toOrigin, c->region, c->fromRow,
                                c->fromSlice, c->toRow, c->toSlice, c->host, 0, NULL, &event),
        "clEnqueueReadBufferRect");
  return event;
}

static cl_event copyRect(const Copy* c) {
  cl_event event;
  check(clEnqueueCopyBufferRect(c->queue, c->volume, c->target, c->fromOrigin, c->toOrigin, c->region, c->fromRow,
                                c->fromSlice, c->toRow, c->toSlice, 0, NULL, &event),
        "clEnqueueCopyBufferRect");
  return event;
}

// The other way round: from the host array, where the box is at `toOrigin`, to where it came from.
static cl_event writeRect(const Copy* c) {
  cl_event event;
  check(clEnqueueWriteBufferRect(c->queue, c->target, CL_FALSE, c->fromOrigin, c->toOrigin, c->region, c->fromRow,
                                 c->fromSlice, c->toRow, c->toSlice, c->host, 0, NULL, &event),
        "clEnqueueWriteBufferRect");
  return event;
}

static cl_event copyAll(const Copy* c) {
  cl_event event;
  check(clEnqueueCopyBuffer(c->queue, c->volume, c->target, 0, 0, c->bytes, 0, NULL, &event), "clEnqueueCopyBuffer");
  return event;
}

// Copies once to warm up and then `repeat` times; returns the median time.
static double copyTimed(const Sample* sample, cl_event (*copy)(const Copy*), const Copy* c) {
  double* times = sampleAllocate(sample->repeat, sizeof *times);
  finish(copy(c));
  for (size_t i = 0; i < sample->repeat; ++i) times[i] = finish(copy(c));
  const double ms = median(times, sample->repeat);
  free(times);
  return ms;
}

static cl_mem filledBuffer(cl_context context, cl_command_queue queue, size_t bytes) {
  cl_int status;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  check(clEnqueueFillBuffer(queue, buffer, &FILLER, sizeof FILLER, 0, bytes, 0, NULL, NULL), "clEnqueueFillBuffer");
  return buffer;
}

int main(int argc, char** argv) {
  Sample sample;
  Shape source = {512, 256, 64};
  const SampleOption options[] = {
      {"--width", "cells of the volume in x", SAMPLE_COUNT, &source.width, 4, 4096},
      {"--height", "cells of the volume in y", SAMPLE_COUNT, &source.height, 4, 4096},
      {"--depth", "cells of the volume in z", SAMPLE_COUNT, &source.depth, 4, 4096},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "copy a box between volumes of different shapes", options);

  // The box is half as long in each dimension; the target has other pitches, and another place for the box.
  const Shape box = {source.width / 2, source.height / 2, source.depth / 2};
  const Shape target = {source.width + 3, source.height - 1, source.depth};
  const Place from = {source.width / 4, source.height / 4, source.depth / 4}, to = {1, 2, 0};
  const size_t sourceBytes = cells(source) * sizeof(cl_uint), targetBytes = cells(target) * sizeof(cl_uint);
  const double boxBytes = 2.0 * (double)cells(box) * sizeof(cl_uint);  // read and written
  Copy copy = {.region = {box.width * sizeof(cl_uint), box.height, box.depth},
               .fromRow = rowPitch(source),
               .fromSlice = slicePitch(source),
               .toRow = rowPitch(target),
               .toSlice = slicePitch(target),
               .bytes = sourceBytes};
  toOrigin(from, copy.fromOrigin);
  toOrigin(to, copy.toOrigin);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, context, device, "number.cl", "");
  cl_kernel kernel = clCreateKernel(program, "number", &status);
  check(status, "clCreateKernel");
  cl_mem volume = filledBuffer(context, queue, sourceBytes);
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &volume), "clSetKernelArg");
  const size_t global[3] = {source.width, source.height, source.depth};
  check(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");

  cl_uint *host = sampleAllocate(cells(target), sizeof *host), *whole = sampleAllocate(cells(source), sizeof *whole);
  const char* size = shapeText(box.width, box.height * box.depth);
  say(&sample, "  a box of %zux%zux%zu cells out of %zux%zux%zu, into %zux%zux%zu\n", box.width, box.height, box.depth,
      source.width, source.height, source.depth, target.width, target.height, target.depth);
  copy.queue = queue;
  copy.volume = volume;
  copy.host = host;

  // Device to host.
  memset(host, 0xff, targetBytes);
  double ms = copyTimed(&sample, readRect, &copy);
  sampleResult(&sample, "ReadBufferRect", size, ms, 0, boxBytes,
               checkBox(&sample, "read", host, target, to, source, from, box));

  // Device to device.
  cl_mem copied = filledBuffer(context, queue, targetBytes);
  copy.target = copied;
  ms = copyTimed(&sample, copyRect, &copy);
  check(clEnqueueReadBuffer(queue, copied, CL_TRUE, 0, targetBytes, host, 0, NULL, NULL), "clEnqueueReadBuffer");
  sampleResult(&sample, "CopyBufferRect", size, ms, 0, boxBytes,
               checkBox(&sample, "copy", host, target, to, source, from, box));

  // Host to device, from the array that now holds the box at `to`, back to where the box came from.
  cl_mem written = filledBuffer(context, queue, sourceBytes);
  copy.target = written;
  ms = copyTimed(&sample, writeRect, &copy);
  check(clEnqueueReadBuffer(queue, written, CL_TRUE, 0, sourceBytes, whole, 0, NULL, NULL), "clEnqueueReadBuffer");
  sampleResult(&sample, "WriteBufferRect", size, ms, 0, boxBytes,
               checkBox(&sample, "write", whole, source, from, source, from, box));

  // The whole buffer: the box is everything.
  const Place start = {0, 0, 0};
  ms = copyTimed(&sample, copyAll, &copy);
  check(clEnqueueReadBuffer(queue, written, CL_TRUE, 0, sourceBytes, whole, 0, NULL, NULL), "clEnqueueReadBuffer");
  sampleResult(&sample, "CopyBuffer", countText(cells(source)), ms, 0, 2.0 * (double)sourceBytes,
               checkBox(&sample, "copy", whole, source, start, source, start, source));

  clReleaseMemObject(volume);
  clReleaseMemObject(copied);
  clReleaseMemObject(written);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(host);
  free(whole);
  return sampleEnd(&sample);
}
