// SPDX-License-Identifier: Apache-2.0
// This file tests clGetKernelInfo (OpenCL 3.0, section 5.9.5).
#include "fixture.h"

#include <algorithm>

namespace clarity::test {
namespace {

struct GetKernelInfo : OpenCL {
  std::string attributesOf(const char* text) {
    std::string attributes = infoStringOf(clGetKernelInfo, kernel(text, "test"), CL_KERNEL_ATTRIBUTES);
    attributes.erase(std::remove(attributes.begin(), attributes.end(), ' '), attributes.end());
    return attributes;
  }
};

TEST_F(GetKernelInfo, tellsWhatItIs) {
  cl_program program = build("kernel void none() {} kernel void three(global int* a, local float* b, int c) {}");
  cl_kernel three = kernel(program, "three");
  EXPECT_EQ(infoStringOf(clGetKernelInfo, three, CL_KERNEL_FUNCTION_NAME), "three");
  EXPECT_EQ(infoOf<cl_uint>(clGetKernelInfo, three, CL_KERNEL_NUM_ARGS), 3U);
  EXPECT_EQ(infoOf<cl_uint>(clGetKernelInfo, three, CL_KERNEL_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<cl_context>(clGetKernelInfo, three, CL_KERNEL_CONTEXT), context);
  EXPECT_EQ(infoOf<cl_program>(clGetKernelInfo, three, CL_KERNEL_PROGRAM), program);
  EXPECT_EQ(infoOf<cl_uint>(clGetKernelInfo, kernel(program, "none"), CL_KERNEL_NUM_ARGS), 0U);
}

// The attributes come back as they were declared, one after another.
TEST_F(GetKernelInfo, tellsItsAttributes) {
  EXPECT_EQ(attributesOf("kernel void test() {}"), "");
  EXPECT_EQ(attributesOf("kernel __attribute__((reqd_work_group_size(8, 4, 2))) void test() {}"),
            "reqd_work_group_size(8,4,2)");
  const std::string both = attributesOf(
      "kernel __attribute__((work_group_size_hint(16, 1, 1)))\n"
      "__attribute__((vec_type_hint(float4))) void test() {}");
  EXPECT_NE(both.find("work_group_size_hint(16,1,1)"), std::string::npos) << both;
  EXPECT_NE(both.find("vec_type_hint(float4)"), std::string::npos) << both;
}

// The attributes of a program that comes from no source are empty.
TEST_F(GetKernelInfo, hasNoAttributesFromABinary) {
  cl_program program =
      fromBinary(binaryOf(build("kernel __attribute__((reqd_work_group_size(8, 1, 1))) void test() {}")));
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  cl_kernel test = kernel(program, "test");
  EXPECT_EQ(infoStringOf(clGetKernelInfo, test, CL_KERNEL_ATTRIBUTES), "");
  // The required size itself is kept.
  size_t sizes[3] = {};
  EXPECT_SUCCESS(
      clGetKernelWorkGroupInfo(test, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, nullptr));
  EXPECT_EQ(sizes[0], 8U);
}

TEST_F(GetKernelInfo, sizesAreChecked) {
  cl_kernel test = kernel("kernel __attribute__((reqd_work_group_size(8, 4, 2))) void test() {}", "test");
  expectSizesChecked(clGetKernelInfo, test, CL_KERNEL_FUNCTION_NAME, sizeof "test");
  expectSizesChecked(clGetKernelInfo, test, CL_KERNEL_NUM_ARGS, sizeof(cl_uint));
  expectSizesChecked(clGetKernelInfo, test, CL_KERNEL_REFERENCE_COUNT, sizeof(cl_uint));
  expectSizesChecked(clGetKernelInfo, test, CL_KERNEL_CONTEXT, sizeof(cl_context));
  expectSizesChecked(clGetKernelInfo, test, CL_KERNEL_PROGRAM, sizeof(cl_program));
  expectSizesChecked(clGetKernelInfo, test, CL_KERNEL_ATTRIBUTES);
}

// kernel is not a valid kernel.
TEST_F(GetKernelInfo, invalidKernel) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_KERNEL, clGetKernelInfo(nullptr, CL_KERNEL_NUM_ARGS, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_KERNEL, driver->clGetKernelInfo(nullptr, CL_KERNEL_NUM_ARGS, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_KERNEL, clGetKernelInfo(notAnObject<cl_kernel>(), CL_KERNEL_NUM_ARGS, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_KERNEL,
            clGetKernelInfo(reinterpret_cast<cl_kernel>(queue), CL_KERNEL_NUM_ARGS, 0, nullptr, &size));
}

// param_name is not one of the supported values.
TEST_F(GetKernelInfo, invalidValue) {
  cl_kernel test = kernel("kernel void test() {}", "test");
  size_t size = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelInfo(test, 0, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelInfo(test, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelInfo(test, 0x7777, 0, nullptr, &size));
  EXPECT_TRUE(wasNotifiedOf(0x7777)) << allNotified();
}

}  // namespace
}  // namespace clarity::test
