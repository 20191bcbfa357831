// SPDX-License-Identifier: Apache-2.0
// This file tests clGetKernelSuggestedLocalWorkSize (OpenCL 3.1), the same function by the name of
// cl_khr_suggested_local_work_size, and its slot in the dispatch table, which loaders of OpenCL 3.1 read.
#include "enqueue_checks.h"

#include <cstdint>
#include <cstring>
#include <string>

namespace clarity::test {
namespace {

using Suggest = clGetKernelSuggestedLocalWorkSizeKHR_fn;

struct GetKernelSuggestedLocalWorkSize : OpenCL, testing::WithParamInterface<const char*> {
  Suggest suggest = nullptr;
  cl_kernel test = nullptr;
  size_t local[3] = {7, 7, 7};

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    suggest = reinterpret_cast<Suggest>(clGetExtensionFunctionAddressForPlatform(platform, GetParam()));
    ASSERT_NE(suggest, nullptr);
    test = withSizes("");
  }
  /// A kernel that stores the work-group size that it runs with.
  cl_kernel withSizes(const std::string& attribute) {
    const std::string source = "kernel " + attribute +
                               " void sizes(global ulong* r) {\n"
                               "  if (get_global_id(0) == 0 && get_global_id(1) == 0 && get_global_id(2) == 0)\n"
                               "    for (int d = 0; d < 3; ++d) r[d] = get_enqueued_local_size(d); }";
    return kernel(build(source.c_str(), "-cl-std=CL3.0"), "sizes");
  }
  cl_int ask(cl_uint dims, std::vector<size_t> global, std::vector<size_t> offset = {}) {
    return suggest(queue, test, dims, offset.empty() ? nullptr : offset.data(), global.data(), local);
  }
};

// It is what a launch without a work-group size gets.
TEST_P(GetKernelSuggestedLocalWorkSize, isWhatALaunchGets) {
  for (cl_kernel each : {test, withSizes("__attribute__((reqd_work_group_size(4, 2, 1)))")}) {
    cl_mem result = buffer(3 * sizeof(cl_ulong));
    ASSERT_SUCCESS(clSetKernelArg(each, 0, sizeof result, &result));
    for (const std::vector<size_t>& global :
         {std::vector<size_t>{1024, 64, 8}, {12, 10, 1}, {1 << 20, 2, 1}, {4, 4, 4}}) {
      ASSERT_SUCCESS(suggest(queue, each, 3, nullptr, global.data(), local));
      ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, each, 3, nullptr, global.data(), nullptr, 0, nullptr, nullptr));
      EXPECT_EQ(read<cl_ulong>(result, 3), std::vector<cl_ulong>(local, local + 3));
    }
  }
}

TEST_P(GetKernelSuggestedLocalWorkSize, writesTheDimensionsOfTheCall) {
  cl_mem result = buffer(24);
  ASSERT_SUCCESS(clSetKernelArg(test, 0, sizeof result, &result));
  ASSERT_SUCCESS(ask(1, {4096}, {64}));
  EXPECT_NE(local[0], 0U);
  EXPECT_EQ(local[1], 7U);
}

// The slot behind the last one of OpenCL 3.0, and those of versions to come, which are null.
TEST_P(GetKernelSuggestedLocalWorkSize, hasASlotInTheDispatchTable) {
  void* slots[4];
  const auto* const after = reinterpret_cast<const std::byte*>(&driver->clSetContextDestructorCallback);
  std::memcpy(slots, after + sizeof(void*), sizeof slots);
  EXPECT_NE(slots[0], nullptr);
  for (int i = 1; i < 4; ++i) EXPECT_EQ(slots[i], nullptr);
  cl_mem result = buffer(24);
  ASSERT_SUCCESS(clSetKernelArg(test, 0, sizeof result, &result));
  const size_t global = 512;
  EXPECT_SUCCESS(reinterpret_cast<Suggest>(slots[0])(queue, test, 1, nullptr, &global, local));
}

TEST_P(GetKernelSuggestedLocalWorkSize, invalidHandles) {
  const size_t global = 64;
  for (const auto& bad : badHandles<cl_command_queue>(*this))
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, suggest(bad.handle, test, 1, nullptr, &global, local)) << bad.what;
  for (const auto& bad : badHandles<cl_kernel>(*this))
    EXPECT_CL(CL_INVALID_KERNEL, suggest(queue, bad.handle, 1, nullptr, &global, local)) << bad.what;
}

TEST_P(GetKernelSuggestedLocalWorkSize, invalidContext) {
  cl_command_queue foreign = keep(clCreateCommandQueue(otherContext(), device, 0, nullptr));
  const size_t global = 64;
  EXPECT_CL(CL_INVALID_CONTEXT, suggest(foreign, test, 1, nullptr, &global, local));
}

// The program is built for one of two devices.
TEST_P(GetKernelSuggestedLocalWorkSize, invalidProgramExecutable) {
  const HalfBuilt half(*this);
  if (!half.kernel) GTEST_SKIP() << "the device cannot be divided";
  const size_t global = 64;
  EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE, suggest(half.unbuilt, half.kernel, 1, nullptr, &global, local));
  EXPECT_SUCCESS(suggest(half.built, half.kernel, 1, nullptr, &global, local));
}

TEST_P(GetKernelSuggestedLocalWorkSize, invalidKernelArgs) { EXPECT_CL(CL_INVALID_KERNEL_ARGS, ask(1, {64})); }

TEST_P(GetKernelSuggestedLocalWorkSize, invalidValues) {
  cl_mem result = buffer(24);
  ASSERT_SUCCESS(clSetKernelArg(test, 0, sizeof result, &result));
  EXPECT_CL(CL_INVALID_WORK_DIMENSION, ask(0, {64}));
  EXPECT_CL(CL_INVALID_WORK_DIMENSION, ask(4, {64, 1, 1, 1}));
  EXPECT_CL(CL_INVALID_GLOBAL_WORK_SIZE, suggest(queue, test, 1, nullptr, nullptr, local));
  EXPECT_CL(CL_INVALID_GLOBAL_WORK_SIZE, ask(2, {64, 0}));
  EXPECT_CL(CL_INVALID_GLOBAL_OFFSET, ask(1, {64}, {SIZE_MAX}));
  const size_t global = 64;
  EXPECT_CL(CL_INVALID_VALUE, suggest(queue, test, 1, nullptr, &global, nullptr));
}

INSTANTIATE_TEST_SUITE_P(, GetKernelSuggestedLocalWorkSize,
                         testing::Values("clGetKernelSuggestedLocalWorkSize", "clGetKernelSuggestedLocalWorkSizeKHR"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace clarity::test
