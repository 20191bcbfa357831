// SPDX-License-Identifier: Apache-2.0
// This file tests programs that run out of address space, wherever they are at that moment: they get error codes, and
// no thread of the driver ends the process or waits for ever.
#include "fixture.h"
#include "watched_child.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace clarity::test {
namespace {

enum Outcome { Right = 0, Refused = 1, Wrong = 2 };

/// So that the code is not in the disk cache.
std::string sourceOf(unsigned number) {
  return "int deep(int a) __attribute__((noinline));\n"
         "int deep(int a) { int b[512]; for (int i = 0; i < 512; ++i) b[i] = a ^ i; return b[a & 511] + " +
         std::to_string(number) +
         "; }\n"
         "kernel void fill(global int* out) {\n"
         "  local int shared[64]; int l = get_local_id(0);\n"
         "  shared[l] = deep(l); barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  out[get_global_id(0)] = shared[63 - l];\n"
         "}\n";
}

/// Whether an error may come of too little memory. A driver or a loader that cannot be opened has no platform.
bool isOfMemory(cl_int error) {
  constexpr cl_int noPlatform = -1001;
  constexpr std::array expected{CL_OUT_OF_HOST_MEMORY,
                                CL_OUT_OF_RESOURCES,
                                CL_MEM_OBJECT_ALLOCATION_FAILURE,
                                CL_BUILD_PROGRAM_FAILURE,
                                CL_DEVICE_NOT_FOUND,
                                CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                                noPlatform};
  return std::ranges::find(expected, error) != expected.end();
}

Outcome refused(const char* call, cl_int error) {
  if (isOfMemory(error)) return Refused;
  std::fprintf(stderr, "%s returned %d\n", call, error);
  return Wrong;
}

/// Runs the program of an application, from the first call to the last.
Outcome runProgram(unsigned number) {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (const cl_int error = clGetPlatformIDs(1, &platform, nullptr)) return refused("clGetPlatformIDs", error);
  if (const cl_int error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr))
    return refused("clGetDeviceIDs", error);
  cl_int error = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  if (error) return refused("clCreateContext", error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  if (error) return refused("clCreateCommandQueue", error);
  const std::string source = sourceOf(number);
  const char* text = source.c_str();
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  if (error) return refused("clCreateProgramWithSource", error);
  if ((error = clBuildProgram(program, 1, &device, "", nullptr, nullptr))) return refused("clBuildProgram", error);
  cl_kernel kernel = clCreateKernel(program, "fill", &error);
  if (error) return refused("clCreateKernel", error);
  constexpr std::size_t items = 1 << 18, group = 64;
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(cl_int), nullptr, &error);
  if (error) return refused("clCreateBuffer", error);
  clSetKernelArg(kernel, 0, sizeof out, &out);
  cl_event event = nullptr;
  error = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group, 0, nullptr, &event);
  if (error) return refused("clEnqueueNDRangeKernel", error);
  if ((error = clFlush(queue))) return refused("clFlush", error);
  if ((error = clWaitForEvents(1, &event))) return refused("clWaitForEvents", error);
  auto* const got = static_cast<cl_int*>(
      clEnqueueMapBuffer(queue, out, CL_TRUE, CL_MAP_READ, 0, items * sizeof(cl_int), 0, nullptr, nullptr, &error));
  if (error) return refused("clEnqueueMapBuffer", error);
  for (std::size_t i = 0; i < items; ++i) {
    const auto l = static_cast<cl_int>(63 - i % 64);
    if (got[i] != (l ^ (l & 511)) + static_cast<cl_int>(number)) return Wrong;
  }
  clEnqueueUnmapMemObject(queue, out, got, 0, nullptr, nullptr);
  clReleaseEvent(event);
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return Right;
}

rlim_t mappedBytes() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// Runs the program in a child that may map so many bytes more than it has.
Ending endingWith(int resource, rlim_t bytes, unsigned number) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{mappedBytes() + bytes, RLIM_INFINITY};
    if (setrlimit(resource, &limit) != 0) _exit(Wrong);
    exit(runProgram(number));
  }
  EXPECT_NE(child, -1) << std::strerror(errno);
  return child > 0 ? endingOf(child) : Ending{.hung = true};
}

void expectNoHarm(int resource) {
  constexpr rlim_t mebibyte = 1 << 20;
  unsigned number = static_cast<unsigned>(getpid()) * 1000u % 1'000'000'000u;
  const auto attempt = [&](rlim_t bytes) {
    const Ending ending = endingWith(resource, bytes, ++number);
    EXPECT_TRUE(ending.exitedWith(Right) || ending.exitedWith(Refused))
        << ending.text() << " with " << bytes << " bytes";
    return ending.exitedWith(Right);
  };
  // The memory that the program needs, by bisection; then limits below it, where every part of it has too little.
  rlim_t little = 0, enough = 8 * mebibyte;
  while (!attempt(enough) && enough < 16384 * mebibyte && !testing::Test::HasFailure()) little = enough, enough *= 2;
  for (int i = 0; i < 6 && !testing::Test::HasFailure(); ++i) {
    const rlim_t middle = (little + enough) / 2;
    (attempt(middle) ? enough : little) = middle;
  }
  const char* const wanted = getenv("CLARITY_TEST_LIMITS");
  const unsigned limits = wanted ? static_cast<unsigned>(atoi(wanted)) : 12;
  for (unsigned i = 0; i < limits; ++i) attempt(enough * (2 * i + 1) / (2 * limits));
}

/// Why not in this build; null if it can be tested.
const char* whyNot() {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return "sanitizers map more than all limits";
#elif !defined(CLARITY_LLVM_STATIC)
  return "the allocations of a shared LLVM know no reserve: it may leave locks locked";
#else
  return nullptr;
#endif
}

TEST(AddressSpace, tooLittleIsAnErrorWhereverItEnds) {
  if (const char* const why = whyNot()) GTEST_SKIP() << why;
  expectNoHarm(RLIMIT_AS);
}

TEST(AddressSpace, tooLittleDataIsAnErrorWhereverItEnds) {
  if (const char* const why = whyNot()) GTEST_SKIP() << why;
  expectNoHarm(RLIMIT_DATA);
}

}  // namespace
}  // namespace clarity::test
