// SPDX-License-Identifier: Apache-2.0
// This file tests clGetKernelSubGroupInfo (OpenCL 3.0, section 5.9.5; cl_khr_subgroups;
// cl_intel_required_subgroup_size). CL_INVALID_OPERATION is for devices without sub-groups, which Clarity has not.
#include "fixture.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <vector>

namespace clarity::test {
namespace {

struct GetKernelSubGroupInfo : OpenCL {
  /// Those that the tests require of kernels.
  bool hasSizes() {
    const auto sizes = infoVectorOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_SUB_GROUP_SIZES_INTEL);
    return std::ranges::includes(sizes, std::vector<size_t>{4, 8, 16});
  }
  cl_kernel test() { return kernel("kernel void test() {}", "test"); }
  cl_kernel ofSize(unsigned size) {
    return kernel(
        ("__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) + "))) kernel void test() {}").c_str(),
        "test");
  }
  static size_t ask(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                    const std::vector<size_t>& input = {}) {
    size_t result = 12345, bytes = 0;
    EXPECT_CL(CL_SUCCESS,
              clGetKernelSubGroupInfo(kernel, device, name, input.size() * sizeof(size_t),
                                      input.empty() ? nullptr : input.data(), sizeof result, &result, &bytes));
    EXPECT_EQ(bytes, sizeof result);
    return result;
  }
  const size_t local = 8;
  size_t result[3] = {};
};

TEST_F(GetKernelSubGroupInfo, sizeAndCountFollowTheLocalSize) {
  if (!hasSizes()) GTEST_SKIP() << "the device has no sub-groups of these sizes";
  cl_kernel kernel = ofSize(16);
  for (cl_device_id of : {device, cl_device_id{nullptr}}) {
    EXPECT_EQ(ask(kernel, of, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {64}), 16U);
    EXPECT_EQ(ask(kernel, of, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {5, 3}), 16U);
    EXPECT_EQ(ask(kernel, of, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {3, 3, 3}), 16U);
    EXPECT_EQ(ask(kernel, of, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {64}), 4U);
    EXPECT_EQ(ask(kernel, of, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {65}), 5U);
    EXPECT_EQ(ask(kernel, of, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {5, 3}), 1U);
    EXPECT_EQ(ask(kernel, of, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {3, 3, 3}), 2U);
  }
}

TEST_F(GetKernelSubGroupInfo, localSizeForACount) {
  if (!hasSizes()) GTEST_SKIP() << "the device has no sub-groups of these sizes";
  cl_kernel kernel = ofSize(8);
  const auto sizes = [&](cl_kernel of, size_t count, size_t dimensions) {
    std::vector<size_t> local(dimensions, 99);
    size_t bytes = 0;
    EXPECT_CL(CL_SUCCESS, clGetKernelSubGroupInfo(of, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count,
                                                  &count, dimensions * sizeof(size_t), local.data(), &bytes));
    EXPECT_EQ(bytes, dimensions * sizeof(size_t));
    return local;
  };
  EXPECT_EQ(sizes(kernel, 3, 1), (std::vector<size_t>{24}));
  EXPECT_EQ(sizes(kernel, 3, 2), (std::vector<size_t>{24, 1}));
  EXPECT_EQ(sizes(kernel, 3, 3), (std::vector<size_t>{24, 1, 1}));
  // None.
  EXPECT_EQ(sizes(kernel, 0, 3), (std::vector<size_t>{0, 0, 0}));
  EXPECT_EQ(sizes(kernel, size_t{1} << 40, 3), (std::vector<size_t>{0, 0, 0}));
  EXPECT_EQ(sizes(kernel, ~size_t{0}, 3), (std::vector<size_t>{0, 0, 0}));
  // The size that a kernel requires has one count.
  cl_kernel fixed = this->kernel(
      "__attribute__((reqd_work_group_size(4, 4, 2), intel_reqd_sub_group_size(8))) kernel void test() {}", "test");
  EXPECT_EQ(sizes(fixed, 4, 3), (std::vector<size_t>{4, 4, 2}));
  EXPECT_EQ(sizes(fixed, 3, 3), (std::vector<size_t>{0, 0, 0}));
}

TEST_F(GetKernelSubGroupInfo, countsAndSizesOfTheKernel) {
  if (!hasSizes()) GTEST_SKIP() << "the device has no sub-groups of these sizes";
  const auto most = infoOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  for (const unsigned size : {4U, 8U, 16U, 32U}) {
    cl_kernel kernel = ofSize(size);
    EXPECT_EQ(ask(kernel, device, CL_KERNEL_MAX_NUM_SUB_GROUPS), most / size);
    EXPECT_EQ(ask(kernel, device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS), 0U);
    EXPECT_EQ(ask(kernel, device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL), size);
  }
  EXPECT_EQ(ask(test(), device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL), 0U);
}

// A number of sub-groups that the kernel demands, which OpenCL C cannot say.
TEST_F(GetKernelSubGroupInfo, demandedNumber) {
  const char* text = R"(; ModuleID = 'demands'
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
define spir_kernel void @value(ptr addrspace(1) %result) !clarity.required.sub.groups !0 {
  %size = call spir_func i64 @_Z14get_local_sizej(i32 0)
  store i64 %size, ptr addrspace(1) %result, align 8
  ret void
}
declare spir_func i64 @_Z14get_local_sizej(i32)
!0 = !{i32 3}
)";
  cl_kernel value = kernel(text, "value");
  EXPECT_EQ(ask(value, device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS), 3U);
  const size_t size = ask(value, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {1});
  size_t most = 0;
  EXPECT_SUCCESS(clGetKernelWorkGroupInfo(value, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr));
  EXPECT_EQ(most, 3 * size);
  EXPECT_EQ(ask(value, device, CL_KERNEL_MAX_NUM_SUB_GROUPS), 3U);
  cl_mem result = buffer(sizeof(cl_ulong));
  ASSERT_SUCCESS(clSetKernelArg(value, 0, sizeof result, &result));
  const auto launchWith = [&](size_t global, size_t local) {
    return clEnqueueNDRangeKernel(queue, value, 1, nullptr, &global, local != 0 ? &local : nullptr, 0, nullptr,
                                  nullptr);
  };
  EXPECT_SUCCESS(launchWith(30 * size, 3 * size));
  EXPECT_SUCCESS(launchWith(4 * (2 * size + 1), 2 * size + 1));
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, launchWith(30 * size, 2 * size));
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, launchWith(30 * size, 4 * size));
  EXPECT_SUCCESS(launchWith(30 * size, 0));
  EXPECT_EQ(read<cl_ulong>(result, 1)[0], 3 * size);
}

TEST_F(GetKernelSubGroupInfo, entryPointOfTheExtension) {
  if (!hasSizes()) GTEST_SKIP() << "the device has no sub-groups of these sizes";
  using Function = decltype(&clGetKernelSubGroupInfo);
  const auto khr =
      reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR"));
  ASSERT_NE(khr, nullptr);
  EXPECT_CL(CL_SUCCESS, khr(ofSize(4), device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR, sizeof local, &local,
                            sizeof(size_t), result, nullptr));
  EXPECT_EQ(result[0], 2U);
  EXPECT_CL(CL_INVALID_VALUE, khr(test(), device, 0, 0, nullptr, sizeof(size_t), result, nullptr));
  EXPECT_CL(CL_INVALID_KERNEL, khr(notAnObject<cl_kernel>(), device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR,
                                   sizeof local, &local, sizeof(size_t), result, nullptr));
  EXPECT_CL(CL_INVALID_DEVICE, khr(test(), notAnObject<cl_device_id>(), CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR,
                                   sizeof local, &local, sizeof(size_t), result, nullptr));
}

// param_name is not valid, or the value does not fit.
TEST_F(GetKernelSubGroupInfo, invalidValue) {
  cl_kernel kernel = test();
  EXPECT_CL(CL_INVALID_VALUE,
            clGetKernelSubGroupInfo(kernel, device, 0, sizeof local, &local, sizeof(size_t), result, nullptr));
  for (cl_kernel_sub_group_info name : {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                        CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, CL_KERNEL_MAX_NUM_SUB_GROUPS,
                                        CL_KERNEL_COMPILE_NUM_SUB_GROUPS, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL}) {
    EXPECT_CL(CL_INVALID_VALUE,
              clGetKernelSubGroupInfo(kernel, device, name, sizeof local, &local, sizeof(size_t) - 1, result, nullptr));
    EXPECT_CL(CL_SUCCESS, clGetKernelSubGroupInfo(kernel, device, name, sizeof local, &local, 0, nullptr, nullptr));
  }
}

// input_value is null or of a wrong size where one is needed.
TEST_F(GetKernelSubGroupInfo, invalidInput) {
  cl_kernel kernel = test();
  const size_t input[4] = {8, 1, 1, 1};
  for (cl_kernel_sub_group_info name : {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                        CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT}) {
    const auto with = [&](size_t bytes, const void* value) {
      return clGetKernelSubGroupInfo(kernel, device, name, bytes, value, sizeof(size_t), result, nullptr);
    };
    EXPECT_CL(CL_INVALID_VALUE, with(sizeof(size_t), nullptr));
    EXPECT_CL(CL_INVALID_VALUE, with(0, input));
    EXPECT_CL(CL_INVALID_VALUE, with(sizeof(size_t) - 1, input));
    EXPECT_CL(CL_INVALID_VALUE, with(4 * sizeof(size_t), input));
    const bool count = name == CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT;
    EXPECT_CL(count ? CL_INVALID_VALUE : CL_SUCCESS, with(2 * sizeof(size_t), input));
  }
}

// kernel is not a valid kernel.
TEST_F(GetKernelSubGroupInfo, invalidKernel) {
  const auto of = [&](cl_kernel wrong) {
    return clGetKernelSubGroupInfo(wrong, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, sizeof(size_t), result,
                                   nullptr);
  };
  EXPECT_CL(CL_INVALID_KERNEL, of(nullptr));
  EXPECT_CL(CL_INVALID_KERNEL, of(notAnObject<cl_kernel>()));
  EXPECT_CL(CL_INVALID_KERNEL, driver->clGetKernelSubGroupInfo(nullptr, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0,
                                                               nullptr, sizeof(size_t), result, nullptr));
}

// device is not one of the kernel's.
TEST_F(GetKernelSubGroupInfo, invalidDevice) {
  EXPECT_CL(CL_INVALID_DEVICE,
            clGetKernelSubGroupInfo(test(), notAnObject<cl_device_id>(), CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr,
                                    sizeof(size_t), result, nullptr));
}

}  // namespace
}  // namespace clarity::test
