// SPDX-License-Identifier: Apache-2.0
// This file implements the helpers of the samples that have to do with OpenCL: device, program, time.
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#define NAME(code) \
  case code: return #code;

const char* errorName(cl_int status) {
  switch (status) {
    NAME(CL_SUCCESS)
  NAME(CL_DEVICE_NOT_FOUND)
  NAME(CL_DEVICE_NOT_AVAILABLE) NAME(CL_COMPILER_NOT_AVAILABLE) NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE) NAME(
      CL_OUT_OF_RESOURCES) NAME(CL_OUT_OF_HOST_MEMORY) NAME(CL_PROFILING_INFO_NOT_AVAILABLE) NAME(CL_MEM_COPY_OVERLAP)
      NAME(CL_IMAGE_FORMAT_MISMATCH) NAME(CL_IMAGE_FORMAT_NOT_SUPPORTED) NAME(CL_BUILD_PROGRAM_FAILURE)
          NAME(CL_MAP_FAILURE) NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET) NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
              NAME(CL_COMPILE_PROGRAM_FAILURE) NAME(CL_LINKER_NOT_AVAILABLE) NAME(CL_LINK_PROGRAM_FAILURE)
                  NAME(CL_DEVICE_PARTITION_FAILED) NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) NAME(CL_INVALID_VALUE) NAME(
                      CL_INVALID_DEVICE_TYPE) NAME(CL_INVALID_PLATFORM) NAME(CL_INVALID_DEVICE) NAME(CL_INVALID_CONTEXT)
                      NAME(CL_INVALID_QUEUE_PROPERTIES) NAME(CL_INVALID_COMMAND_QUEUE) NAME(CL_INVALID_HOST_PTR) NAME(
                          CL_INVALID_MEM_OBJECT) NAME(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) NAME(CL_INVALID_IMAGE_SIZE)
                          NAME(CL_INVALID_SAMPLER) NAME(CL_INVALID_BINARY) NAME(CL_INVALID_BUILD_OPTIONS)
                              NAME(CL_INVALID_PROGRAM) NAME(CL_INVALID_PROGRAM_EXECUTABLE) NAME(CL_INVALID_KERNEL_NAME)
                                  NAME(CL_INVALID_KERNEL_DEFINITION) NAME(CL_INVALID_KERNEL) NAME(CL_INVALID_ARG_INDEX)
                                      NAME(CL_INVALID_ARG_VALUE) NAME(CL_INVALID_ARG_SIZE) NAME(CL_INVALID_KERNEL_ARGS)
                                          NAME(CL_INVALID_WORK_DIMENSION) NAME(CL_INVALID_WORK_GROUP_SIZE)
                                              NAME(CL_INVALID_WORK_ITEM_SIZE) NAME(CL_INVALID_GLOBAL_OFFSET)
                                                  NAME(CL_INVALID_EVENT_WAIT_LIST) NAME(CL_INVALID_EVENT)
                                                      NAME(CL_INVALID_OPERATION) NAME(CL_INVALID_GL_OBJECT)
                                                          NAME(CL_INVALID_BUFFER_SIZE) NAME(CL_INVALID_MIP_LEVEL) NAME(
                                                              CL_INVALID_GLOBAL_WORK_SIZE) NAME(CL_INVALID_PROPERTY)
                                                              NAME(CL_INVALID_IMAGE_DESCRIPTOR)
                                                                  NAME(CL_INVALID_COMPILER_OPTIONS)
                                                                      NAME(CL_INVALID_LINKER_OPTIONS) NAME(
                                                                          CL_INVALID_DEVICE_PARTITION_COUNT) case -1001:
    return "CL_PLATFORM_NOT_FOUND_KHR";
    default : return "unknown error";
  }
}

void check(cl_int status, const char* call) {
  if (status != CL_SUCCESS) sampleFail("%s: %s (%d)", call, errorName(status), status);
}

static int containsIgnoringCase(const char* text, const char* part) {
  const size_t length = strlen(part);
  for (; *text; ++text)
    if (strncasecmp(text, part, length) == 0) return 1;
  return length == 0;
}

static cl_platform_id choosePlatform(const char* filter, char* name, size_t nameSize) {
  cl_platform_id platforms[32];
  cl_uint count = 0;
  cl_int status = clGetPlatformIDs(32, platforms, &count);
  if (status == -1001 || (status == CL_SUCCESS && count == 0))
    sampleFail(
        "no OpenCL platform is installed (the loader reads /etc/OpenCL/vendors, or the file or folder that "
        "OCL_ICD_VENDORS names)");
  check(status, "clGetPlatformIDs");
  for (cl_uint i = 0; i < count && i < 32; ++i) {
    check(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, nameSize, name, NULL), "clGetPlatformInfo");
    if (!filter || containsIgnoringCase(name, filter)) return platforms[i];
  }
  sampleFail("--platform: none of the %u platforms has '%s' in its name", count, filter);
}

cl_device_id sampleDevice(const Sample* sample) {
  char platformName[256], deviceName[256];
  cl_platform_id platform = choosePlatform(sample->platformFilter, platformName, sizeof platformName);
  cl_uint count = 0;
  cl_int status = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
  if (status == CL_DEVICE_NOT_FOUND)
    count = 0;
  else
    check(status, "clGetDeviceIDs");
  if (sample->deviceIndex >= count)
    sampleFail("--device: there is no device %zu, platform '%s' has %u", sample->deviceIndex, platformName, count);
  cl_device_id* devices = sampleAllocate(count, sizeof *devices);
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices, NULL), "clGetDeviceIDs");
  cl_device_id device = devices[sample->deviceIndex];
  free(devices);
  check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof deviceName, deviceName, NULL), "clGetDeviceInfo");
  say(sample, "%s on %s (%s)\n", sample->name, deviceName, platformName);
  return device;
}

cl_platform_id samplePlatformOf(cl_device_id device) {
  cl_platform_id platform;
  check(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL), "clGetDeviceInfo");
  return platform;
}

int deviceHasDouble(cl_device_id device) {
  cl_device_fp_config config = 0;
  return clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL) == CL_SUCCESS && config != 0;
}

int deviceVersionAtLeast(cl_device_id device, int major, int minor) {
  char version[256];
  int has[2] = {0, 0};
  check(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL), "clGetDeviceInfo");
  sscanf(version, "OpenCL %d.%d", &has[0], &has[1]);
  return has[0] > major || (has[0] == major && has[1] >= minor);
}

size_t workGroupSizeFor(cl_device_id device, const cl_kernel* kernels, size_t kernelCount, size_t wanted) {
  size_t limit = wanted, perDimension[16] = {1};
  check(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof perDimension, perDimension, NULL),
        "clGetDeviceInfo");
  if (perDimension[0] < limit) limit = perDimension[0];
  for (size_t i = 0; i < kernelCount; ++i) {
    size_t kernelLimit;
    check(
        clGetKernelWorkGroupInfo(kernels[i], device, CL_KERNEL_WORK_GROUP_SIZE, sizeof kernelLimit, &kernelLimit, NULL),
        "clGetKernelWorkGroupInfo");
    if (kernelLimit < limit) limit = kernelLimit;
  }
  size_t size = 1;
  while (size * 2 <= limit) size *= 2;
  return size;
}

char* samplePath(const Sample* sample, const char* file) {
  char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length > 0 ? length : 0] = '\0';
  char* slash = strrchr(program, '/');
  if (slash) *slash = '\0';
  const size_t capacity = sizeof program + strlen(sample->name) + strlen(file) + 16;
  char* path = sampleAllocate(capacity, 1);
  snprintf(path, capacity, "%s/files/%s/%s", program, sample->name, file);
  return path;
}

char* readFile(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file) sampleFail("cannot open '%s'", path);
  if (fseek(file, 0, SEEK_END) != 0) sampleFail("cannot read '%s'", path);
  const long length = ftell(file);
  if (length < 0) sampleFail("cannot read '%s'", path);
  rewind(file);
  char* text = sampleAllocate((size_t)length + 1, 1);
  if (fread(text, 1, (size_t)length, file) != (size_t)length) sampleFail("cannot read '%s'", path);
  fclose(file);
  text[length] = '\0';
  if (size) *size = (size_t)length;
  return text;
}

char* buildLog(cl_program program, cl_device_id device) {
  size_t size = 0;
  check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size), "clGetProgramBuildInfo");
  char* log = sampleAllocate(size + 1, 1);
  check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL), "clGetProgramBuildInfo");
  log[size] = '\0';
  return log;
}

cl_program buildProgram(const Sample* sample, cl_context context, cl_device_id device, const char* file,
                        const char* options) {
  char* path = samplePath(sample, file);
  size_t length;
  char* source = readFile(path, &length);
  cl_int status;
  cl_program program = clCreateProgramWithSource(context, 1, (const char**)&source, &length, &status);
  check(status, "clCreateProgramWithSource");
  status = clBuildProgram(program, 1, &device, options, NULL, NULL);
  if (status != CL_SUCCESS) {
    char* log = buildLog(program, device);
    sampleFail("clBuildProgram of '%s' with options '%s': %s (%d)\n%s", path, options ? options : "", errorName(status),
               status, log);
  }
  free(source);
  free(path);
  return program;
}

double eventMs(cl_event event) {
  cl_ulong start, end;
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL),
        "clGetEventProfilingInfo");
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "clGetEventProfilingInfo");
  return (double)(end - start) * 1e-6;  // nanoseconds to milliseconds
}

static int compareDoubles(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

double median(double* values, size_t count) {
  qsort(values, count, sizeof *values, compareDoubles);
  return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

double wallMs(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double launchTimed(const Sample* sample, cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                   const size_t* global, const size_t* local) {
  const double enoughMs = 400;  // per kernel; a launch that takes longer is measured once
  double* times = sampleAllocate(sample->repeat + 1, sizeof *times);
  double spent = 0;
  size_t launches = 0;
  while (launches < sample->repeat + 1 && (launches < 2 || spent < enoughMs)) {
    cl_event event;
    check(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 0, NULL, &event),
          "clEnqueueNDRangeKernel");
    check(clWaitForEvents(1, &event), "clWaitForEvents");
    times[launches] = eventMs(event);
    spent += times[launches++];
    check(clReleaseEvent(event), "clReleaseEvent");
  }
  const double result = median(times + 1, launches - 1);  // the first launch may include compiling
  free(times);
  return result;
}

void* sampleAllocate(size_t count, size_t elementSize) {
  if (elementSize && count > SIZE_MAX / elementSize)
    sampleFail("cannot allocate %zu elements of %zu bytes", count, elementSize);
  void* memory = malloc(count * elementSize ? count * elementSize : 1);
  if (!memory) sampleFail("cannot allocate %zu bytes of host memory", count * elementSize);
  return memory;
}

int wholeNumber(uint32_t* seed, int lowest, int highest) {
  *seed = *seed * 1664525u + 1013904223u;
  return lowest + (int)(((uint64_t)(*seed >> 8) * (uint64_t)(highest - lowest + 1)) >> 24);
}

void fillWholeFloats(float* data, size_t count, uint32_t seed, int lowest, int highest) {
  for (size_t i = 0; i < count; ++i) data[i] = (float)wholeNumber(&seed, lowest, highest);
}

void fillWholeInts(cl_int* data, size_t count, uint32_t seed, int lowest, int highest) {
  for (size_t i = 0; i < count; ++i) data[i] = wholeNumber(&seed, lowest, highest);
}

size_t roundUp(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }
