// SPDX-License-Identifier: Apache-2.0
// This file prints platforms and devices and checks their properties against the minimums of the specification.
#include "sample.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// clGetDeviceInfo in two calls: first the size, then the value. The caller frees the result.
static void* deviceInfo(cl_device_id device, cl_device_info field, size_t* size) {
  size_t bytes = 0;
  check(clGetDeviceInfo(device, field, 0, NULL, &bytes), "clGetDeviceInfo");
  char* value = sampleAllocate(bytes + 1, 1);
  check(clGetDeviceInfo(device, field, bytes, value, NULL), "clGetDeviceInfo");
  value[bytes] = '\0';
  if (size) *size = bytes;
  return value;
}

static void printText(const Sample* sample, cl_device_id device, const char* label, cl_device_info field) {
  char* text = deviceInfo(device, field, NULL);
  say(sample, "    %-38s %s\n", label, text);
  free(text);
}

// Fields of type cl_uint, cl_ulong and size_t differ in their sizes only.
static uint64_t number(cl_device_id device, cl_device_info field) {
  size_t size;
  void* value = deviceInfo(device, field, &size);
  uint64_t result = 0;
  memcpy(&result, value, size < sizeof result ? size : sizeof result);  // little-endian hosts
  free(value);
  return result;
}

static uint64_t printNumber(const Sample* sample, cl_device_id device, const char* label, cl_device_info field,
                            const char* unit) {
  const uint64_t value = number(device, field);
  say(sample, "    %-38s %" PRIu64 "%s\n", label, value, unit);
  return value;
}

static void printType(const Sample* sample, cl_device_id device) {
  const uint64_t type = number(device, CL_DEVICE_TYPE);
  say(sample, "    %-38s%s%s%s%s%s\n", "CL_DEVICE_TYPE", type & CL_DEVICE_TYPE_CPU ? " CPU" : "",
      type & CL_DEVICE_TYPE_GPU ? " GPU" : "", type & CL_DEVICE_TYPE_ACCELERATOR ? " accelerator" : "",
      type & CL_DEVICE_TYPE_CUSTOM ? " custom" : "", type & CL_DEVICE_TYPE_DEFAULT ? " (default)" : "");
}

static int expectAtLeast(const Sample* sample, const char* what, uint64_t value, uint64_t minimum) {
  if (value >= minimum) return 1;
  say(sample, "    !! %s is %" PRIu64 ", the specification demands at least %" PRIu64 "\n", what, value, minimum);
  return 0;
}

static int printWorkGroups(const Sample* sample, cl_device_id device) {
  printNumber(sample, device, "CL_DEVICE_MAX_COMPUTE_UNITS", CL_DEVICE_MAX_COMPUTE_UNITS, "");
  const uint64_t groupSize =
      printNumber(sample, device, "CL_DEVICE_MAX_WORK_GROUP_SIZE", CL_DEVICE_MAX_WORK_GROUP_SIZE, "");
  const uint64_t dimensions =
      printNumber(sample, device, "CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS", CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, "");
  size_t bytes;
  size_t* sizes = deviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, &bytes);
  int ok = expectAtLeast(sample, "CL_DEVICE_MAX_WORK_GROUP_SIZE", groupSize, 1) &
           expectAtLeast(sample, "CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS", dimensions, 3) &
           expectAtLeast(sample, "the number of CL_DEVICE_MAX_WORK_ITEM_SIZES", bytes / sizeof *sizes, dimensions);
  say(sample, "    %-38s", "CL_DEVICE_MAX_WORK_ITEM_SIZES");
  for (size_t i = 0; i < bytes / sizeof *sizes; ++i) {
    say(sample, "%s %zu", i ? "," : "", sizes[i]);
    ok &= expectAtLeast(sample, "a work-item size", sizes[i], 1);
  }
  say(sample, "\n");
  free(sizes);
  return ok;
}

static int printMemory(const Sample* sample, cl_device_id device) {
  const uint64_t bits = printNumber(sample, device, "CL_DEVICE_ADDRESS_BITS", CL_DEVICE_ADDRESS_BITS, "");
  const uint64_t global = printNumber(sample, device, "CL_DEVICE_GLOBAL_MEM_SIZE", CL_DEVICE_GLOBAL_MEM_SIZE, " bytes");
  const uint64_t alloc =
      printNumber(sample, device, "CL_DEVICE_MAX_MEM_ALLOC_SIZE", CL_DEVICE_MAX_MEM_ALLOC_SIZE, " bytes");
  printNumber(sample, device, "CL_DEVICE_GLOBAL_MEM_CACHE_SIZE", CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, " bytes");
  const uint64_t local = printNumber(sample, device, "CL_DEVICE_LOCAL_MEM_SIZE", CL_DEVICE_LOCAL_MEM_SIZE, " bytes");
  const uint64_t kind = number(device, CL_DEVICE_LOCAL_MEM_TYPE);
  say(sample, "    %-38s %s\n", "CL_DEVICE_LOCAL_MEM_TYPE", kind == CL_LOCAL ? "dedicated" : "global memory");
  const uint64_t constant =
      printNumber(sample, device, "CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE", CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, " bytes");
  printNumber(sample, device, "CL_DEVICE_MEM_BASE_ADDR_ALIGN", CL_DEVICE_MEM_BASE_ADDR_ALIGN, " bits");
  const uint64_t quarter = global / 4, gigabyte = 1u << 30, least = 32u << 20;
  const uint64_t demanded = quarter < gigabyte ? quarter : gigabyte;
  int ok = expectAtLeast(sample, "CL_DEVICE_MAX_MEM_ALLOC_SIZE", alloc, demanded > least ? demanded : least);
  ok &= expectAtLeast(sample, "CL_DEVICE_LOCAL_MEM_SIZE", local, 32u << 10);
  ok &= expectAtLeast(sample, "CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE", constant, 64u << 10);
  if (bits != 32 && bits != 64) {
    say(sample, "    !! CL_DEVICE_ADDRESS_BITS is %" PRIu64 ", neither 32 nor 64\n", bits);
    ok = 0;
  }
  return ok;
}

static void printKernelLimits(const Sample* sample, cl_device_id device) {
  cl_int status;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_program program = buildProgram(sample, context, device, "query.cl", "");
  cl_kernel kernel = clCreateKernel(program, "square", &status);
  check(status, "clCreateKernel");
  size_t limit, multiple;
  check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL),
        "clGetKernelWorkGroupInfo");
  check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple,
                                 &multiple, NULL),
        "clGetKernelWorkGroupInfo");
  say(sample, "    %-38s up to %zu, best a multiple of %zu\n", "work-groups of the kernel 'square'", limit, multiple);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseContext(context);
}

static void queryDevice(Sample* sample, cl_device_id device, cl_uint index) {
  char* name = deviceInfo(device, CL_DEVICE_NAME, NULL);
  say(sample, "  -- device %u: %s --\n", index, name);
  printType(sample, device);
  printText(sample, device, "CL_DEVICE_VENDOR", CL_DEVICE_VENDOR);
  printText(sample, device, "CL_DEVICE_VERSION", CL_DEVICE_VERSION);
  printText(sample, device, "CL_DRIVER_VERSION", CL_DRIVER_VERSION);
  printText(sample, device, "CL_DEVICE_OPENCL_C_VERSION", CL_DEVICE_OPENCL_C_VERSION);
  printText(sample, device, "CL_DEVICE_PROFILE", CL_DEVICE_PROFILE);
  printNumber(sample, device, "CL_DEVICE_MAX_CLOCK_FREQUENCY", CL_DEVICE_MAX_CLOCK_FREQUENCY, " MHz");
  int ok = printWorkGroups(sample, device);
  ok &= printMemory(sample, device);
  printNumber(sample, device, "CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT", CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, "");
  say(sample, "    %-38s %s\n", "double precision", deviceHasDouble(device) ? "yes" : "no");
  say(sample, "    %-38s %s\n", "images", number(device, CL_DEVICE_IMAGE_SUPPORT) ? "yes" : "no");
  const uint64_t queue = number(device, CL_DEVICE_QUEUE_PROPERTIES);
  say(sample, "    %-38s profiling: %s, out of order: %s\n", "command-queues",
      queue & CL_QUEUE_PROFILING_ENABLE ? "yes" : "no", queue & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE ? "yes" : "no");
  ok &= (queue & CL_QUEUE_PROFILING_ENABLE) != 0;  // every device must profile
  printText(sample, device, "CL_DEVICE_EXTENSIONS", CL_DEVICE_EXTENSIONS);
  if (number(device, CL_DEVICE_COMPILER_AVAILABLE)) printKernelLimits(sample, device);
  sampleResult(sample, name, "1 device", 0, 0, 0, ok);
  free(name);
}

static char* platformText(cl_platform_id platform, cl_platform_info field) {
  size_t size = 0;
  check(clGetPlatformInfo(platform, field, 0, NULL, &size), "clGetPlatformInfo");
  char* text = sampleAllocate(size + 1, 1);
  check(clGetPlatformInfo(platform, field, size, text, NULL), "clGetPlatformInfo");
  return text;
}

static void queryPlatform(Sample* sample, cl_platform_id platform, const char* name) {
  char *version = platformText(platform, CL_PLATFORM_VERSION), *vendor = platformText(platform, CL_PLATFORM_VENDOR);
  cl_uint count = 0;
  cl_int status = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
  if (status == CL_DEVICE_NOT_FOUND)
    count = 0;
  else
    check(status, "clGetDeviceIDs");
  say(sample, "=== platform %s, %s, by %s: %u device%s ===\n", name, version, vendor, count, count == 1 ? "" : "s");
  cl_device_id* devices = sampleAllocate(count, sizeof *devices);
  if (count) check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices, NULL), "clGetDeviceIDs");
  for (cl_uint i = 0; i < count; ++i) queryDevice(sample, devices[i], i);
  free(devices);
  free(version);
  free(vendor);
}

int main(int argc, char** argv) {
  Sample sample;
  int all = 0;
  const SampleOption options[] = {
      {"--all", "list every platform, not only the first that --platform matches", SAMPLE_FLAG, &all, 0, 0},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "list the OpenCL platforms and devices and check their limits", options);
  cl_device_id chosen = sampleDevice(&sample);  // prints what is missing if there is none

  cl_uint count = 0;
  const cl_int status = clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
  say(&sample, "clGetDeviceIDs with a NULL platform: %s, %u device%s\n", errorName(status),
      status == CL_SUCCESS ? count : 0, count == 1 ? "" : "s");

  cl_platform_id platforms[32], chosenPlatform = samplePlatformOf(chosen);
  check(clGetPlatformIDs(32, platforms, &count), "clGetPlatformIDs");
  for (cl_uint i = 0; i < count && i < 32; ++i) {
    char* name = platformText(platforms[i], CL_PLATFORM_NAME);
    if (all || platforms[i] == chosenPlatform) queryPlatform(&sample, platforms[i], name);
    free(name);
  }
  return sampleEnd(&sample);
}
