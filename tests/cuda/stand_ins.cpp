// SPDX-License-Identifier: Apache-2.0
// This file tests that launches of kernels that are slow to compile do not wait for code of their own.
#include "cuda_stub.h"

#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

namespace clarity::test {
namespace {

constexpr unsigned steps = 1280;

constexpr char macros[] =
    "#define S1 x = (x ^ (x >> 7)) * 2654435761u;\n"
    "#define S4 S1 S1 S1 S1\n"
    "#define S16 S4 S4 S4 S4\n"
    "#define S256 S16 S16 S16 S16 S16 S16 S16 S16 S16 S16 S16 S16 S16 S16 S16 S16\n";

/// `scramble(global uint* data)`: of as many instructions as the driver takes for slow to compile, or of a few.
std::string sourceOf(bool isLarge) {
  std::string source = macros;
  source += "kernel void scramble(global uint* data) { uint x = data[get_global_id(0)]; ";
  source += isLarge ? "S256 S256 S256 S256 S256" : "S1";
  return source + " data[get_global_id(0)] = x; }";
}

cl_uint scrambled(cl_uint x, unsigned times) {
  for (unsigned i = 0; i < times; ++i) x = (x ^ (x >> 7)) * 2654435761U;
  return x;
}

struct CudaStandIns : CudaStub {
  // The driver reads its options once: this must be there before any other test has used it.
  void SetUp() override {
    if (dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD)) GTEST_SKIP() << "another test has used the driver";
    setenv("CLARITY_FIRST_LAUNCH", "quick", 1);
    CudaStub::SetUp();
  }
  std::uint64_t compiled() const { return calls("cuLinkComplete"); }
  /// Whether the driver compiles code, within a minute.
  bool compilesMore(std::uint64_t before) const {
    for (int i = 0; i < 6000 && compiled() <= before; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    // The driver puts the code where launches find it a little later.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return compiled() > before;
  }
  void launch(cl_kernel kernel, std::size_t items, std::size_t local, unsigned times) {
    std::vector<cl_uint> values(items), expected(items);
    for (std::size_t i = 0; i < items; ++i) {
      values[i] = static_cast<cl_uint>(i * 77 + 5);
      expected[i] = scrambled(values[i], times);
    }
    const cl_mem data = bufferOf(values);
    ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof data, &data), CL_SUCCESS);
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(read<cl_uint>(data, items), expected);
  }
};

TEST_F(CudaStandIns, codeOfALargeKernelIsMadeWhenTheKernelIs) {
  const std::uint64_t before = compiled();
  const cl_kernel scramble = kernel(sourceOf(true).c_str(), "scramble");
  ASSERT_TRUE(compilesMore(before));
  launch(scramble, 64, 32, steps);
  launch(scramble, 64, 16, steps);
  EXPECT_EQ(compiled(), before + 1) << "work-groups of any size have it";
}

TEST_F(CudaStandIns, launchesThatRepeatGetCodeOfTheirOwn) {
  const std::uint64_t before = compiled();
  const cl_kernel scramble = kernel(sourceOf(true).c_str(), "scramble");
  for (int i = 0; i < 6000 && compiled() < before + 2; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    launch(scramble, 64, 32, steps);
  }
  for (int i = 0; i < 8; ++i) launch(scramble, 64, 32, steps);
  EXPECT_EQ(compiled(), before + 2) << "it is made once";
}

TEST_F(CudaStandIns, theFirstLaunchWaitsForAllKernelsThatThereAre) {
  const std::uint64_t before = compiled();
  std::string source = sourceOf(true);
  const std::string body = source.substr(source.find("kernel void"));
  for (const char* name : {"scramble_b", "scramble_c"})
    source += "\n" + std::string(body).replace(body.find("scramble"), 8, name);
  const cl_program program = build(source.c_str());
  const cl_kernel first = kernel(program, "scramble");
  const cl_kernel second = kernel(program, "scramble_b");
  launch(first, 64, 32, steps);
  EXPECT_GE(compiled(), before + 2) << "that of the kernel which was not launched is there, too";
  launch(second, 64, 32, steps);
}

TEST_F(CudaStandIns, aBufferMayBeTwoArguments) {
  std::string source = sourceOf(true);
  source.replace(source.find("global uint* data"), 17, "global uint* data, global uint* other");
  const std::uint64_t before = compiled();
  const cl_kernel scramble = kernel(source.c_str(), "scramble");
  ASSERT_TRUE(compilesMore(before));
  const cl_mem same = bufferOf(std::vector<cl_uint>(64));
  const std::size_t items = 64, local = 32;
  for (cl_uint i = 0; i < 2; ++i) ASSERT_EQ(clSetKernelArg(scramble, i, sizeof same, &same), CL_SUCCESS);
  const std::uint64_t withStandIn = compiled();
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, scramble, 1, nullptr, &items, &local, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(compiled(), withStandIn) << "the code that there is serves launches with any buffers";
}

TEST_F(CudaStandIns, aSmallKernelHasItsOwnCodeAtOnce) {
  const std::uint64_t before = compiled();
  const cl_kernel scramble = kernel(sourceOf(false).c_str(), "scramble");
  for (int i = 0; i < 8; ++i) launch(scramble, 64, 32, 1);
  EXPECT_EQ(compiled(), before + 1);
}

TEST_F(CudaStandIns, aKernelOfMiddleSizeWaitsForNoCodeAndHasItsOwnSoon) {
  std::string source = sourceOf(true);
  source.replace(source.find("S256 S256 S256 S256 S256"), 24, "S16 S16 S16 S16 S16 S16 S16 S16");
  const std::uint64_t before = compiled();
  const cl_kernel scramble = kernel(source.c_str(), "scramble");
  ASSERT_TRUE(compilesMore(before));
  launch(scramble, 64, 32, 128);
  ASSERT_TRUE(compilesMore(before + 1)) << "one launch is enough for code of its own";
  for (int i = 0; i < 8; ++i) launch(scramble, 64, 32, 128);
  EXPECT_EQ(compiled(), before + 2) << "it is made once";
  std::size_t most = 0;
  ASSERT_EQ(clGetKernelWorkGroupInfo(scramble, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(most, 1024U) << "work-groups that the stand-in has no registers for wait for their own code";
}

TEST_F(CudaStandIns, theFirstKernelBeginsCodeOfTheProgramsOthers) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "a machine of one processor";
  std::string source = sourceOf(true);
  const std::string body = source.substr(source.find("kernel void"));
  source += "\n" + std::string(body).replace(body.find("scramble"), 8, "scramble_b");
  const cl_program program = build(source.c_str());
  const std::uint64_t before = compiled();
  kernel(program, "scramble");
  ASSERT_TRUE(compilesMore(before + 1));
  launch(kernel(program, "scramble_b"), 64, 32, steps);
  EXPECT_EQ(compiled(), before + 2) << "it was there when the kernel was created";
}

TEST_F(CudaStandIns, theLargestWorkGroupIsThatOfTheRegisters) {
  maxThreads(384);
  const cl_kernel scramble = kernel(sourceOf(true).c_str(), "scramble");
  std::size_t most = 0;
  ASSERT_EQ(clGetKernelWorkGroupInfo(scramble, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(most, 384U);
  const cl_kernel small = kernel(sourceOf(false).c_str(), "scramble");
  ASSERT_EQ(clGetKernelWorkGroupInfo(small, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(most, 1024U) << "it is not compiled for this";
}

TEST_F(CudaStandIns, aRequiredSizeHasOneCode) {
  std::string source = sourceOf(true);
  source.replace(source.find("kernel void"), 11, "kernel __attribute__((reqd_work_group_size(32, 1, 1))) void");
  const std::uint64_t before = compiled();
  const cl_kernel scramble = kernel(source.c_str(), "scramble");
  ASSERT_TRUE(compilesMore(before));
  for (int i = 0; i < 3; ++i) launch(scramble, 64, 32, steps);
  EXPECT_EQ(compiled(), before + 1);
}

TEST_F(CudaStandIns, constructorsHaveTheirOwnCodeAtOnce) {
  std::string source = macros;
  source +=
      "uint scrambled(uint x) { S256 return x; }\n"
      "uint seed = 7, start = scrambled(seed);\n"
      "kernel void take(global uint* data) { data[get_global_id(0)] += start; }\n";
  const std::uint64_t before = compiled();
  const cl_kernel take = kernel(build(source, "-cl-std=CLC++2021"), "take");
  const cl_mem data = bufferOf(std::vector<cl_uint>{0, 1});
  const std::size_t items = 2;
  ASSERT_EQ(clSetKernelArg(take, 0, sizeof data, &data), CL_SUCCESS);
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, take, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  const cl_uint start = scrambled(7, 256);
  EXPECT_EQ(read<cl_uint>(data, items), (std::vector<cl_uint>{start, start + 1}));
  EXPECT_EQ(compiled(), before + 2) << "that of the constructors, and that of the kernel";
}

TEST_F(CudaStandIns, kernelsThatAreReleasedNeedNoCode) {
  for (int i = 0; i < 4; ++i) {
    const std::string source = sourceOf(true) + "// " + std::to_string(i);
    const cl_kernel scramble = kernel(source.c_str(), "scramble");
    launch(scramble, 32, 32, steps);
  }
}

}  // namespace
}  // namespace clarity::test
