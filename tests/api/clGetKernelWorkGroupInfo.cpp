// SPDX-License-Identifier: Apache-2.0
// This file tests clGetKernelWorkGroupInfo (OpenCL 3.0, section 5.9.5).
#include "fixture.h"

namespace clarity::test {
namespace {

struct GetKernelWorkGroupInfo : OpenCL {
  /// The queries for a device, in the shape of the other clGet*Info.
  auto of(cl_device_id device) {
    return [device](cl_kernel kernel, cl_kernel_work_group_info name, size_t size, void* value, size_t* returned) {
      return clGetKernelWorkGroupInfo(kernel, device, name, size, value, returned);
    };
  }
  cl_kernel test() {
    return kernel(R"(
      kernel void test(global int* r, local int* a, local int* b) {
        local int fixed[64];
        fixed[get_local_id(0)] = 1; a[get_local_id(0)] = 2; b[get_local_id(0)] = 3;
        barrier(CLK_LOCAL_MEM_FENCE);
        r[get_global_id(0)] = fixed[0] + a[0] + b[0];
      })",
                  "test");
  }
};

TEST_F(GetKernelWorkGroupInfo, tellsTheLargestWorkGroup) {
  cl_kernel kernel = test();
  const auto most = infoOf<size_t>(of(device), kernel, CL_KERNEL_WORK_GROUP_SIZE);
  EXPECT_GE(most, 1U);
  EXPECT_LE(most, infoOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  const auto multiple = infoOf<size_t>(of(device), kernel, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  EXPECT_GE(multiple, 1U);
  EXPECT_LE(multiple, most);
}

// Work-items that exchange values without a barrier run in step, as those of a warp.
TEST_F(GetKernelWorkGroupInfo, tellsHowManyRunInStep) {
  const auto multipleOf = [&](const std::string& source) {
    cl_kernel made = kernel(source.c_str(), "test");
    return infoOf<size_t>(of(device), made, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  };
  const std::string sum = R"(
    kernel void test(global int* r, SHARED local int* s) {
      uint l = get_local_id(0);
      s[l] = r[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < 32) {
        s[l] += s[l + 32]; s[l] += s[l + 16]; s[l] += s[l + 8]; s[l] += s[l + 4]; s[l] += s[l + 2]; s[l] += s[l + 1];
      }
      if (l == 0) r[get_group_id(0)] = s[0];
    })";
  EXPECT_EQ(multipleOf("#define SHARED volatile\n" + sum), 32U);
  EXPECT_EQ(multipleOf("#define SHARED\n" + sum), 32U);
  EXPECT_EQ(multipleOf("kernel void test(global int* r, local int* s) { s[get_local_id(0)] = *r; }"),
            infoOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE));
  EXPECT_EQ(multipleOf("__attribute__((intel_reqd_sub_group_size(32))) kernel void test(global int* r) { *r = 1; }"),
            32U);
}

// A work-group of the largest size runs, with barriers too.
TEST_F(GetKernelWorkGroupInfo, theLargestWorkGroupRuns) {
  cl_kernel reverse = kernel(R"(
    kernel void reverse(global int* r, local int* a) {
      size_t i = get_local_id(0), n = get_local_size(0);
      a[i] = (int)i;
      barrier(CLK_LOCAL_MEM_FENCE);
      r[get_global_id(0)] = a[n - 1 - i];
    })",
                             "reverse");
  const auto most = infoOf<size_t>(of(device), reverse, CL_KERNEL_WORK_GROUP_SIZE);
  cl_mem memory = buffer(most * 4);
  ASSERT_SUCCESS(clSetKernelArg(reverse, 0, sizeof memory, &memory));
  ASSERT_SUCCESS(clSetKernelArg(reverse, 1, most * 4, nullptr));
  launch(reverse, most, most);
  const std::vector<cl_int> result = read<cl_int>(memory, most);
  for (size_t i = 0; i < most; ++i) ASSERT_EQ(result[i], cl_int(most - 1 - i));
}

TEST_F(GetKernelWorkGroupInfo, tellsTheRequiredWorkGroup) {
  cl_program program = build(
      "kernel __attribute__((reqd_work_group_size(8, 4, 2))) void required() {}\n"
      "kernel __attribute__((work_group_size_hint(16, 1, 1))) void hinted() {}");
  EXPECT_EQ(infoVectorOf<size_t>(of(device), kernel(program, "required"), CL_KERNEL_COMPILE_WORK_GROUP_SIZE),
            (std::vector<size_t>{8, 4, 2}));
  EXPECT_EQ(infoVectorOf<size_t>(of(device), kernel(program, "hinted"), CL_KERNEL_COMPILE_WORK_GROUP_SIZE),
            (std::vector<size_t>{0, 0, 0}));
  EXPECT_GE(infoOf<size_t>(of(device), kernel(program, "required"), CL_KERNEL_WORK_GROUP_SIZE), 64U);
}

// Local memory is that of the kernel's variables, and of its arguments as soon as their sizes are set.
TEST_F(GetKernelWorkGroupInfo, tellsItsLocalMemory) {
  cl_kernel kernel = test();
  const auto variables = infoOf<cl_ulong>(of(device), kernel, CL_KERNEL_LOCAL_MEM_SIZE);
  EXPECT_GE(variables, 256U);
  EXPECT_LT(variables, 1024U);
  ASSERT_SUCCESS(clSetKernelArg(kernel, 1, 4096, nullptr));
  const auto one = infoOf<cl_ulong>(of(device), kernel, CL_KERNEL_LOCAL_MEM_SIZE);
  EXPECT_GE(one, variables + 4096);
  ASSERT_SUCCESS(clSetKernelArg(kernel, 2, 2048, nullptr));
  EXPECT_GE(infoOf<cl_ulong>(of(device), kernel, CL_KERNEL_LOCAL_MEM_SIZE), one + 2048);
  ASSERT_SUCCESS(clSetKernelArg(kernel, 1, 4, nullptr));
  EXPECT_LT(infoOf<cl_ulong>(of(device), kernel, CL_KERNEL_LOCAL_MEM_SIZE), one + 2048);
  EXPECT_EQ(infoOf<cl_ulong>(of(device), this->kernel("kernel void none() {}", "none"), CL_KERNEL_LOCAL_MEM_SIZE), 0U);
}

// With one device the device need not be said.
TEST_F(GetKernelWorkGroupInfo, needsNoDevice) {
  cl_kernel kernel = test();
  EXPECT_EQ(infoOf<size_t>(of(nullptr), kernel, CL_KERNEL_WORK_GROUP_SIZE),
            infoOf<size_t>(of(device), kernel, CL_KERNEL_WORK_GROUP_SIZE));
}

TEST_F(GetKernelWorkGroupInfo, sizesAreChecked) {
  cl_kernel kernel = test();
  expectSizesChecked(of(device), kernel, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size_t));
  expectSizesChecked(of(device), kernel, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, 3 * sizeof(size_t));
  expectSizesChecked(of(device), kernel, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(cl_ulong));
  expectSizesChecked(of(device), kernel, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(size_t));
  expectSizesChecked(of(device), kernel, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof(cl_ulong));
}

// kernel is not a valid kernel.
TEST_F(GetKernelWorkGroupInfo, invalidKernel) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_KERNEL, clGetKernelWorkGroupInfo(nullptr, device, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_KERNEL,
            driver->clGetKernelWorkGroupInfo(nullptr, device, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_KERNEL,
            clGetKernelWorkGroupInfo(notAnObject<cl_kernel>(), device, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, &size));
}

// device is not one of the kernel's.
TEST_F(GetKernelWorkGroupInfo, invalidDevice) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(test(), notAnObject<cl_device_id>(), CL_KERNEL_WORK_GROUP_SIZE,
                                                        0, nullptr, &size));
}

// With several devices the device must be said.
TEST_F(GetKernelWorkGroupInfo, invalidDeviceOfSeveral) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property partition[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
  cl_device_id parts[2] = {};
  ASSERT_SUCCESS(clCreateSubDevices(device, partition, 2, parts, nullptr));
  keep(parts[0]);
  keep(parts[1]);
  cl_context own = created([&](cl_int* e) { return clCreateContext(nullptr, 2, parts, nullptr, nullptr, e); });
  const char* text = "kernel void none() {}";
  cl_program program = created([&](cl_int* e) { return clCreateProgramWithSource(own, 1, &text, nullptr, e); });
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  cl_kernel none = kernel(program, "none");
  size_t size = 0;
  EXPECT_CL(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(none, nullptr, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, &size));
  EXPECT_SUCCESS(clGetKernelWorkGroupInfo(none, parts[1], CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, &size));
}

// param_name is not one of the supported values, or is of built-in kernels alone.
TEST_F(GetKernelWorkGroupInfo, invalidValue) {
  cl_kernel kernel = test();
  size_t sizes[3] = {};
  size_t size = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, 0, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_NUM_ARGS, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE,
            clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof sizes, sizes, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, 0x7777, 0, nullptr, &size));
  EXPECT_TRUE(wasNotifiedOf(0x7777)) << allNotified();
}

}  // namespace
}  // namespace clarity::test
