// SPDX-License-Identifier: Apache-2.0
// This file tests kernels of one program that are compiled while others wait, run or are released.
#include "enqueue_checks.h"

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

namespace clarity::test {
namespace {

struct NDRangeKernelCompiles : OpenCL {
  /// Kernels k0, k1...: each makes x * (number + 2) + number of every x, every other one through local memory. The
  /// macro OFFSET makes others of them.
  static std::string source(int kernels) {
    std::string text = "#ifndef OFFSET\n#define OFFSET 0\n#endif\n";
    for (int i = 0; i < kernels; ++i) {
      const std::string n = std::to_string(i), factor = std::to_string(i + 2);
      text += "kernel void k" + n + "(global uint* a) { size_t i = get_global_id(0); ";
      text += i % 2 == 0 ? "a[i] = a[i] * " + factor + " + " + n + " + OFFSET; }\n"
                         : "local uint t[64]; size_t l = get_local_id(0); t[63 - l] = a[i]; "
                           "barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[63 - l] * " +
                               factor + " + " + n + " + OFFSET; }\n";
    }
    return text;
  }
  static constexpr size_t kItems = 256;

  static std::vector<cl_uint> wanted(int kernels) {
    std::vector<cl_uint> values(kItems);
    for (size_t x = 0; x < kItems; ++x) {
      values[x] = cl_uint(x);
      for (int i = 0; i < kernels; ++i) values[x] = values[x] * cl_uint(i + 2) + cl_uint(i);
    }
    return values;
  }
  static std::vector<cl_uint> numbers() {
    std::vector<cl_uint> values(kItems);
    for (size_t x = 0; x < kItems; ++x) values[x] = cl_uint(x);
    return values;
  }
  void enqueue(cl_program program, int i, cl_mem memory) {
    cl_kernel one = kernel(program, ("k" + std::to_string(i)).c_str());
    const size_t local = 64;
    ASSERT_SUCCESS(clSetKernelArg(one, 0, sizeof memory, &memory));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, one, 1, nullptr, &kItems, &local, 0, nullptr, nullptr));
  }
};

TEST_F(NDRangeKernelCompiles, sixtyFourKernelsThatWaitForEachOther) {
  constexpr int kKernels = 64;
  cl_program program = build(source(kKernels), "");
  cl_mem memory = bufferOf(numbers());
  for (int i = 0; i < kKernels; ++i) enqueue(program, i, memory);
  EXPECT_EQ(read<cl_uint>(memory, kItems), wanted(kKernels));
}

// The same kernels for several shapes, while the code for others is made.
TEST_F(NDRangeKernelCompiles, manyShapesOfOneKernel) {
  cl_program program =
      build("kernel void k(global uint* a) { atomic_add(a + get_global_id(0), (uint)get_local_size(0)); }", "");
  cl_kernel one = kernel(program, "k");
  cl_mem memory = bufferOf(std::vector<cl_uint>(kItems));
  ASSERT_SUCCESS(clSetKernelArg(one, 0, sizeof memory, &memory));
  cl_uint sum = 0;
  for (const size_t local : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
    sum += cl_uint(local);
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, one, 1, nullptr, &kItems, &local, 0, nullptr, nullptr));
  }
  EXPECT_EQ(read<cl_uint>(memory, kItems), std::vector<cl_uint>(kItems, sum));
}

// Nothing is waited for: kernels, program and command-queue go while code is being made.
TEST_F(NDRangeKernelCompiles, releasedMeanwhile) {
  for (int round = 0; round < 3; ++round) {
    cl_int error = CL_SUCCESS;
    const std::string text = source(8) + "// " + std::to_string(round);
    const char* lines = text.c_str();
    cl_program program = clCreateProgramWithSource(context, 1, &lines, nullptr, &error);
    ASSERT_SUCCESS(error);
    ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
    cl_command_queue own = clCreateCommandQueue(context, device, 0, &error);
    ASSERT_SUCCESS(error);
    cl_mem memory = bufferOf(numbers());
    for (int i = 0; i < 8; ++i) {
      cl_kernel one = clCreateKernel(program, ("k" + std::to_string(i)).c_str(), &error);
      ASSERT_SUCCESS(error);
      const size_t local = 64;
      ASSERT_SUCCESS(clSetKernelArg(one, 0, sizeof memory, &memory));
      ASSERT_SUCCESS(clEnqueueNDRangeKernel(own, one, 1, nullptr, &kItems, &local, 0, nullptr, nullptr));
      ASSERT_SUCCESS(clReleaseKernel(one));
    }
    ASSERT_SUCCESS(clReleaseProgram(program));
    ASSERT_SUCCESS(clFlush(own));
    ASSERT_SUCCESS(clReleaseCommandQueue(own));
  }
}

using NDRangeKernelCompilesDeathTest = NDRangeKernelCompiles;

// The process may end at any time, whatever is being compiled.
TEST_F(NDRangeKernelCompilesDeathTest, theProcessEndsMeanwhile) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (int delay = 0; delay < 120; delay += 12) {
    EXPECT_EXIT(
        {
          // Kernels never seen before, so that no cache has their code.
          const auto now = std::chrono::system_clock::now().time_since_epoch().count();
          cl_program program = build(source(8), ("-DOFFSET=" + std::to_string(now)).c_str());
          cl_mem memory = bufferOf(numbers());
          for (int i = 0; i < 8; ++i) enqueue(program, i, memory);
          ASSERT_SUCCESS(clFlush(queue));
          std::this_thread::sleep_for(std::chrono::milliseconds(delay));
          std::exit(5);
        },
        testing::ExitedWithCode(5), "");
  }
}

}  // namespace
}  // namespace clarity::test
