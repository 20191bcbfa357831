// SPDX-License-Identifier: Apache-2.0
// This file creates all kernels of a program and checks the results of queries of them and of the program.
#include "sample.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *type, *name;
  cl_kernel_arg_address_qualifier address;
} Argument;
typedef struct {
  const char* name;
  cl_uint argumentCount;
  Argument arguments[3];
  size_t compiledGroup;  // of reqd_work_group_size, 0 without
} Description;
static const Description descriptions[] = {
    {"scale",
     3,
     {{"float*", "in", CL_KERNEL_ARG_ADDRESS_GLOBAL},
      {"float*", "out", CL_KERNEL_ARG_ADDRESS_GLOBAL},
      {"float", "factor", CL_KERNEL_ARG_ADDRESS_PRIVATE}},
     0},
    {"rotate64",
     3,
     {{"int*", "data", CL_KERNEL_ARG_ADDRESS_GLOBAL},
      {"int*", "scratch", CL_KERNEL_ARG_ADDRESS_LOCAL},
      {"int*", "offset", CL_KERNEL_ARG_ADDRESS_CONSTANT}},
     64},
    {"fibonacci",
     2,
     {{"uint*", "numbers", CL_KERNEL_ARG_ADDRESS_GLOBAL}, {"uint", "count", CL_KERNEL_ARG_ADDRESS_PRIVATE}},
     0},
};
enum { KERNELS = sizeof descriptions / sizeof descriptions[0] };

static const char* addressName(cl_kernel_arg_address_qualifier address) {
  switch (address) {
    case CL_KERNEL_ARG_ADDRESS_GLOBAL: return "global";
    case CL_KERNEL_ARG_ADDRESS_LOCAL: return "local";
    case CL_KERNEL_ARG_ADDRESS_CONSTANT: return "constant";
    default: return "private";
  }
}

static const Description* describe(const char* name) {
  for (int i = 0; i < KERNELS; ++i)
    if (strcmp(descriptions[i].name, name) == 0) return &descriptions[i];
  return NULL;
}

static int checkArgument(const Sample* sample, cl_kernel kernel, cl_uint index, const Argument* expected) {
  char type[64] = "", name[64] = "";
  cl_kernel_arg_address_qualifier address;
  cl_kernel_arg_type_qualifier qualifiers;
  check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL), "clGetKernelArgInfo");
  check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_NAME, sizeof name, name, NULL), "clGetKernelArgInfo");
  check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL),
        "clGetKernelArgInfo");
  check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL),
        "clGetKernelArgInfo");
  say(sample, "    %u: %s%s%s %s%s\n", index, addressName(address),
      qualifiers & CL_KERNEL_ARG_TYPE_CONST ? " const " : " ", type,
      qualifiers & CL_KERNEL_ARG_TYPE_RESTRICT ? "restrict " : "", name);
  return strcmp(type, expected->type) == 0 && strcmp(name, expected->name) == 0 && address == expected->address;
}

static int checkKernel(const Sample* sample, cl_kernel kernel, cl_program program, cl_context context,
                       cl_device_id device) {
  char name[64];
  cl_uint argumentCount, references;
  cl_program ownProgram;
  cl_context ownContext;
  check(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL), "clGetKernelInfo");
  check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof argumentCount, &argumentCount, NULL), "clGetKernelInfo");
  check(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, NULL), "clGetKernelInfo");
  check(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof ownProgram, &ownProgram, NULL), "clGetKernelInfo");
  check(clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof ownContext, &ownContext, NULL), "clGetKernelInfo");
  const Description* expected = describe(name);
  say(sample, "  kernel %s, %u arguments\n", name, argumentCount);
  if (!expected || argumentCount != expected->argumentCount) return 0;
  int right = references == 1 && ownProgram == program && ownContext == context;
  for (cl_uint i = 0; i < argumentCount; ++i) right &= checkArgument(sample, kernel, i, &expected->arguments[i]);

  size_t most, multiple, compiled[3];
  cl_ulong localBytes, privateBytes;
  check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL),
        "clGetKernelWorkGroupInfo");
  check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple,
                                 &multiple, NULL),
        "clGetKernelWorkGroupInfo");
  check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof compiled, compiled, NULL),
        "clGetKernelWorkGroupInfo");
  check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof localBytes, &localBytes, NULL),
        "clGetKernelWorkGroupInfo");
  check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof privateBytes, &privateBytes, NULL),
        "clGetKernelWorkGroupInfo");
  say(sample,
      "    work-groups: up to %zu, best a multiple of %zu, required %zu; memory: local %llu, private %llu bytes\n",
      most, multiple, compiled[0], (unsigned long long)localBytes, (unsigned long long)privateBytes);
  return right && most >= 1 && multiple >= 1 && compiled[0] == expected->compiledGroup;
}

static cl_uint programReferences(cl_program program) {
  cl_uint references;
  check(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof references, &references, NULL),
        "clGetProgramInfo");
  return references;
}

// clRetainProgram and clReleaseProgram count; CL_PROGRAM_KERNEL_NAMES names every kernel.
static int checkProgram(const Sample* sample, cl_program program) {
  const cl_uint before = programReferences(program);
  check(clRetainProgram(program), "clRetainProgram");
  const cl_uint retained = programReferences(program);
  check(clReleaseProgram(program), "clReleaseProgram");
  const cl_uint after = programReferences(program);
  char names[256];
  size_t count;
  check(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL), "clGetProgramInfo");
  check(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL), "clGetProgramInfo");
  say(sample, "  program: %zu kernels, %s; references %u, retained %u, released %u\n", count, names, before, retained,
      after);
  int right = count == KERNELS && retained == before + 1 && after == before;
  for (int i = 0; i < KERNELS; ++i) right &= strstr(names, descriptions[i].name) != NULL;
  return right;
}

static void runTask(Sample* sample, cl_context context, cl_command_queue queue, cl_program program, cl_uint count) {
  cl_int status;
  cl_uint* numbers = sampleAllocate(count, sizeof *numbers);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, count * sizeof *numbers, NULL, &status);
  check(status, "clCreateBuffer");
  cl_kernel kernel = clCreateKernel(program, "fibonacci", &status);
  check(status, "clCreateKernel");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof count, &count), "clSetKernelArg");
  cl_event event;
  check(clEnqueueTask(queue, kernel, 0, NULL, &event), "clEnqueueTask");
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof *numbers, numbers, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  int right = 1;
  cl_uint next = 0, following = 1;
  for (cl_uint i = 0; i < count && right; ++i) {
    right = numbers[i] == next;
    following += next;
    next = following - next;
  }
  sampleResult(sample, "fibonacci (task)", countText(count), eventMs(event), 0, 0, right);
  clReleaseEvent(event);
  clReleaseKernel(kernel);
  clReleaseMemObject(buffer);
  free(numbers);
}

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 40;
  const SampleOption options[] = {{"--size", "numbers that the task computes", SAMPLE_COUNT, &count, 2, 1u << 24}};
  SAMPLE_BEGIN(&sample, argc, argv, "ask kernels and programs about themselves, and run a task", options);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, context, device, "kernels.cl", "-cl-kernel-arg-info");
  int right = checkProgram(&sample, program);

  // In two calls, as always: how many, and then all of them.
  cl_uint kernelCount = 0;
  check(clCreateKernelsInProgram(program, 0, NULL, &kernelCount), "clCreateKernelsInProgram");
  cl_kernel* kernels = sampleAllocate(kernelCount, sizeof *kernels);
  check(clCreateKernelsInProgram(program, kernelCount, kernels, NULL), "clCreateKernelsInProgram");
  right &= kernelCount == KERNELS;
  for (cl_uint i = 0; i < kernelCount; ++i) {
    right &= checkKernel(&sample, kernels[i], program, context, device);
    clReleaseKernel(kernels[i]);
  }
  free(kernels);
  sampleResult(&sample, "queries", "3 kernels", 0, 0, 0, right);
  runTask(&sample, context, queue, program, (cl_uint)count);

  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return sampleEnd(&sample);
}
