// SPDX-License-Identifier: Apache-2.0
// This file works on the parts of a buffer through sub-buffers, each with its own command-queue.
#include "sample.h"

#include <stdlib.h>

enum { MOST_PARTS = 64 };

typedef struct {
  cl_command_queue queue;
  cl_mem buffer;
  size_t first, count;  // elements of the parent
} Part;

// clGetMemObjectInfo must return the arguments of clCreateSubBuffer.
static int describedRight(const Part* part, cl_mem parent) {
  cl_mem owner;
  size_t offset, size;
  check(clGetMemObjectInfo(part->buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof owner, &owner, NULL),
        "clGetMemObjectInfo");
  check(clGetMemObjectInfo(part->buffer, CL_MEM_OFFSET, sizeof offset, &offset, NULL), "clGetMemObjectInfo");
  check(clGetMemObjectInfo(part->buffer, CL_MEM_SIZE, sizeof size, &size, NULL), "clGetMemObjectInfo");
  return owner == parent && offset == part->first * sizeof(cl_uint) && size == part->count * sizeof(cl_uint);
}

static int refusesCrookedOrigin(const Sample* sample, cl_mem parent, size_t alignment) {
  if (alignment <= sizeof(cl_uint)) return 1;
  cl_int status;
  const cl_buffer_region crooked = {sizeof(cl_uint), alignment};
  cl_mem part = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &crooked, &status);
  say(sample, "  a part that starts at byte %zu: %s\n", crooked.origin, errorName(status));
  if (part) clReleaseMemObject(part);
  return status == CL_MISALIGNED_SUB_BUFFER_OFFSET;
}

// One launch per part, each on its own queue; the arguments are copied when the kernel is enqueued. Gives the sum of
// the times and waits for all, since the parent must not be used while a part is.
static double launchParts(cl_kernel kernel, const Part* parts, size_t partCount) {
  cl_event events[MOST_PARTS];
  for (size_t i = 0; i < partCount; ++i) {
    const cl_uint factor = (cl_uint)i + 2;
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &parts[i].buffer), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof factor, &factor), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(parts[i].queue, kernel, 1, NULL, &parts[i].count, NULL, 0, NULL, &events[i]),
          "clEnqueueNDRangeKernel");
    check(clFlush(parts[i].queue), "clFlush");
  }
  double ms = 0;
  for (size_t i = 0; i < partCount; ++i) {
    check(clFinish(parts[i].queue), "clFinish");
    ms += eventMs(events[i]);
    clReleaseEvent(events[i]);
  }
  return ms;
}

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 24, partCount = 4;
  const SampleOption options[] = {
      {"--size", "elements of the buffer", SAMPLE_COUNT, &count, 1024, 1u << 30},
      {"--parts", "sub-buffers to divide it into", SAMPLE_COUNT, &partCount, 1, MOST_PARTS},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "work on the parts of a buffer through sub-buffers", options);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_uint alignmentBits;
  check(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof alignmentBits, &alignmentBits, NULL),
        "clGetDeviceInfo");
  const size_t alignment = alignmentBits / 8;
  const size_t perPart = roundUp((count + partCount - 1) / partCount * sizeof(cl_uint), alignment) / sizeof(cl_uint);
  if (perPart * (partCount - 1) >= count)
    sampleFail("%zu elements are too few for %zu parts that start at multiples of %zu bytes", count, partCount,
               alignment);

  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_program program = buildProgram(&sample, context, device, "scale.cl", "");
  cl_kernel kernel = clCreateKernel(program, "scale", &status);
  check(status, "clCreateKernel");
  const size_t bytes = count * sizeof(cl_uint);
  cl_uint* data = sampleAllocate(count, sizeof *data);
  for (size_t i = 0; i < count; ++i) data[i] = (cl_uint)i;
  cl_mem parent = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, data, &status);
  check(status, "clCreateBuffer");

  Part parts[MOST_PARTS];
  int right = refusesCrookedOrigin(&sample, parent, alignment);
  for (size_t i = 0; i < partCount; ++i) {
    Part* part = &parts[i];
    part->first = i * perPart;
    part->count = i + 1 == partCount ? count - part->first : perPart;
    const cl_buffer_region region = {part->first * sizeof(cl_uint), part->count * sizeof(cl_uint)};
    part->buffer = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    check(status, "clCreateSubBuffer");
    part->queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    check(status, "clCreateCommandQueue");
    say(&sample, "  part %zu: %zu elements from byte %zu\n", i, part->count, region.origin);
    right &= describedRight(part, parent);
  }

  double* times = sampleAllocate(sample.repeat + 1, sizeof *times);
  for (size_t i = 0; i <= sample.repeat; ++i) {
    check(clEnqueueWriteBuffer(parts[0].queue, parent, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "clEnqueueWriteBuffer");
    times[i] = launchParts(kernel, parts, partCount);
  }
  const double ms = median(times + 1, sample.repeat);  // the first launches may include compiling
  free(times);

  check(clEnqueueReadBuffer(parts[0].queue, parent, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "clEnqueueReadBuffer");
  for (size_t i = 0; i < count && right; ++i) {
    const cl_uint part = (cl_uint)(i / perPart), should = (cl_uint)i * (part + 2) + (cl_uint)(i - part * perPart);
    if (data[i] != should) {
      say(&sample, "  element %zu is %u, should be %u\n", i, data[i], should);
      right = 0;
    }
  }
  sampleResult(&sample, "scale in parts", countText(count), ms, 0, 2.0 * (double)bytes, right);

  for (size_t i = 0; i < partCount; ++i) {
    clReleaseMemObject(parts[i].buffer);
    clReleaseCommandQueue(parts[i].queue);
  }
  clReleaseMemObject(parent);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseContext(context);
  free(data);
  return sampleEnd(&sample);
}
