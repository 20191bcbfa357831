// SPDX-License-Identifier: Apache-2.0
// This file divides work between the devices of a platform, or between the sub-devices of one: one context, a
// command-queue and a part of the buffer for each.
#include "sample.h"

#include <stdlib.h>

enum { MOST_DEVICES = 16 };

typedef struct {
  Sample* sample;
  cl_device_id devices[MOST_DEVICES];
  cl_command_queue queues[MOST_DEVICES];
  cl_uint units[MOST_DEVICES];
  cl_uint deviceCount;
  cl_context context;
  cl_kernel kernel;
  cl_mem buffer;
  size_t count;
  size_t rounds;
  cl_uint* data;
} Problem;

static cl_uint unitsOf(cl_device_id device) {
  cl_uint units = 1;
  check(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), "clGetDeviceInfo");
  return units;
}

// Two sub-devices of one device; 0 where it cannot be divided.
static cl_uint divide(const Sample* sample, cl_device_id device, cl_device_id* parts) {
  cl_uint most = 0, count = 0;
  check(clGetDeviceInfo(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof most, &most, NULL), "clGetDeviceInfo");
  const cl_uint units = unitsOf(device);
  if (most < 2 || units < 2) return 0;
  const cl_device_partition_property halves[] = {
      CL_DEVICE_PARTITION_BY_COUNTS, (cl_device_partition_property)(units / 2),
      (cl_device_partition_property)(units - units / 2), CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  const cl_int status = clCreateSubDevices(device, halves, 2, parts, &count);
  if (status == CL_SUCCESS) return count;
  say(sample, "  clCreateSubDevices: %s\n", errorName(status));
  return 0;
}

// All devices of the platform; if there is only one, its sub-devices.
static void chooseDevices(Problem* problem, int wantSubDevices) {
  cl_device_id first = sampleDevice(problem->sample);
  cl_uint there = 0;
  check(clGetDeviceIDs(samplePlatformOf(first), CL_DEVICE_TYPE_ALL, MOST_DEVICES, problem->devices, &there),
        "clGetDeviceIDs");
  problem->deviceCount = there < MOST_DEVICES ? there : MOST_DEVICES;
  if (problem->deviceCount > 1 && !wantSubDevices) return;
  problem->deviceCount = divide(problem->sample, first, problem->devices);
  if (problem->deviceCount > 0) return;
  say(problem->sample, "  one device, which cannot be divided\n");
  problem->devices[0] = first;
  problem->deviceCount = 1;
}

// Computes the first `deviceCount` devices' parts of the buffer, as large as their compute units are many, and waits
// for all; gives the milliseconds. The parts are sub-buffers, because two devices may not write the same buffer at
// once.
static double compute(const Problem* problem, cl_uint deviceCount) {
  cl_uint allUnits = 0, alignmentBits = 8;
  for (cl_uint i = 0; i < deviceCount; ++i) {
    cl_uint bits = 8;
    check(clGetDeviceInfo(problem->devices[i], CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL),
          "clGetDeviceInfo");
    if (bits > alignmentBits) alignmentBits = bits;
    allUnits += problem->units[i];
  }
  const size_t step = roundUp(alignmentBits / 8, sizeof(cl_uint)) / sizeof(cl_uint);
  cl_mem parts[MOST_DEVICES];
  cl_event events[MOST_DEVICES];
  cl_uint eventCount = 0, unitsBefore = 0;
  const double begin = wallMs();
  for (cl_uint i = 0; i < deviceCount; ++i) {
    const size_t first = problem->count * unitsBefore / allUnits / step * step;
    unitsBefore += problem->units[i];
    const size_t end = i + 1 == deviceCount ? problem->count : problem->count * unitsBefore / allUnits / step * step;
    parts[i] = NULL;
    if (end == first) continue;
    cl_int status;
    const cl_buffer_region region = {first * sizeof(cl_uint), (end - first) * sizeof(cl_uint)};
    const cl_uint rounds = (cl_uint)problem->rounds;
    const size_t items = end - first;
    parts[i] = clCreateSubBuffer(problem->buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    check(status, "clCreateSubBuffer");
    check(clSetKernelArg(problem->kernel, 0, sizeof(cl_mem), &parts[i]), "clSetKernelArg");
    check(clSetKernelArg(problem->kernel, 1, sizeof rounds, &rounds), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(problem->queues[i], problem->kernel, 1, NULL, &items, NULL, 0, NULL,
                                 &events[eventCount++]),
          "clEnqueueNDRangeKernel");
    check(clFlush(problem->queues[i]), "clFlush");  // begins while the next one is enqueued
  }
  check(clWaitForEvents(eventCount, events), "clWaitForEvents");
  const double ms = wallMs() - begin;
  for (cl_uint i = 0; i < eventCount; ++i) clReleaseEvent(events[i]);
  for (cl_uint i = 0; i < deviceCount; ++i)
    if (parts[i]) clReleaseMemObject(parts[i]);
  return ms;
}

static int isRight(const Problem* problem, size_t times) {
  for (size_t i = 0; i < problem->count; i += i < 4096 ? 1 : 997) {
    cl_uint should = (cl_uint)i;
    for (size_t round = 0; round < times * problem->rounds; ++round) should = should * 1664525u + 1013904223u;
    if (problem->data[i] != should) {
      say(problem->sample, "  element %zu is %u, should be %u\n", i, problem->data[i], should);
      return 0;
    }
  }
  return 1;
}

static void measure(const Problem* problem, cl_uint deviceCount, const char* name) {
  const size_t bytes = problem->count * sizeof(cl_uint), launches = problem->sample->repeat + 1;
  double* times = sampleAllocate(launches, sizeof *times);
  for (size_t i = 0; i < problem->count; ++i) problem->data[i] = (cl_uint)i;
  check(clEnqueueWriteBuffer(problem->queues[0], problem->buffer, CL_TRUE, 0, bytes, problem->data, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
  for (size_t i = 0; i < launches; ++i) times[i] = compute(problem, deviceCount);
  const double ms = median(times + 1, launches - 1);  // the first launches may include compiling
  free(times);
  // The kernels have ended, so that the whole may be read, by any queue.
  check(clEnqueueReadBuffer(problem->queues[0], problem->buffer, CL_TRUE, 0, bytes, problem->data, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  sampleResult(problem->sample, name, countText(problem->count), ms,
               2.0 * (double)problem->rounds * (double)problem->count, 2.0 * (double)bytes, isRight(problem, launches));
}

int main(int argc, char** argv) {
  Sample sample;
  Problem problem = {.sample = &sample, .count = 1 << 22, .rounds = 256};
  int wantSubDevices = 0;
  const SampleOption options[] = {
      {"--size", "elements of the buffer", SAMPLE_COUNT, &problem.count, 1, 1u << 28},
      {"--rounds", "steps to compute for each", SAMPLE_COUNT, &problem.rounds, 1, 1u << 16},
      {"--sub-devices", "divide the device that --device names, although there are several", SAMPLE_FLAG,
       &wantSubDevices, 0, 0},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "divide work between devices", options);

  cl_int status;
  chooseDevices(&problem, wantSubDevices);
  problem.context = clCreateContext(NULL, problem.deviceCount, problem.devices, NULL, NULL, &status);
  check(status, "clCreateContext");
  for (cl_uint i = 0; i < problem.deviceCount; ++i) {
    char name[256];
    check(clGetDeviceInfo(problem.devices[i], CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    problem.units[i] = unitsOf(problem.devices[i]);
    say(&sample, "  device %u: %s, compute units: %u\n", i, name, problem.units[i]);
    problem.queues[i] = clCreateCommandQueue(problem.context, problem.devices[i], 0, &status);
    check(status, "clCreateCommandQueue");
  }
  // Built for all devices of the context.
  char* path = samplePath(&sample, "iterate.cl");
  size_t length;
  char* source = readFile(path, &length);
  cl_program program = clCreateProgramWithSource(problem.context, 1, (const char**)&source, &length, &status);
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program, problem.deviceCount, problem.devices, "", NULL, NULL), "clBuildProgram");
  problem.kernel = clCreateKernel(program, "iterate", &status);
  check(status, "clCreateKernel");
  problem.data = sampleAllocate(problem.count, sizeof(cl_uint));
  problem.buffer = clCreateBuffer(problem.context, CL_MEM_READ_WRITE, problem.count * sizeof(cl_uint), NULL, &status);
  check(status, "clCreateBuffer");

  measure(&problem, 1, "first device");
  if (problem.deviceCount > 1) measure(&problem, problem.deviceCount, "all devices");

  clReleaseMemObject(problem.buffer);
  clReleaseKernel(problem.kernel);
  clReleaseProgram(program);
  for (cl_uint i = 0; i < problem.deviceCount; ++i) clReleaseCommandQueue(problem.queues[i]);
  clReleaseContext(problem.context);
  for (cl_uint i = 0; i < problem.deviceCount; ++i) clReleaseDevice(problem.devices[i]);  // root devices have no count
  free(problem.data);
  free(source);
  free(path);
  return sampleEnd(&sample);
}
