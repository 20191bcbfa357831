// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateKernel (OpenCL 3.0, section 5.9.1).
#include "fixture.h"

namespace clarity::test {
namespace {

struct CreateKernel : OpenCL {
  void expectError(cl_int code, cl_program program, const char* name,
                   std::source_location where = std::source_location::current()) {
    expectFails(code, [&](cl_int* e) { return clCreateKernel(program, name, e); }, where);
  }
  static constexpr const char* kSource = R"(
    int helper(int a) { return a + 1; }
    kernel void value(global int* r, int a) { *r = helper(a); }
    __kernel __attribute__((reqd_work_group_size(1, 1, 1))) void with_attribute(global int* r) { *r = 2; }
    kernel void no_arguments() {})";
};

TEST_F(CreateKernel, findsEveryKernel) {
  cl_program program = build(kSource);
  for (const char* each : {"value", "with_attribute", "no_arguments"})
    EXPECT_EQ(infoStringOf(clGetKernelInfo, kernel(program, each), CL_KERNEL_FUNCTION_NAME), each);
}

// Every kernel object has arguments of its own.
TEST_F(CreateKernel, hasItsOwnArguments) {
  cl_program program = build(kSource);
  cl_kernel kernels[] = {kernel(program, "value"), kernel(program, "value")};
  EXPECT_NE(kernels[0], kernels[1]);
  cl_mem memories[] = {buffer(4), buffer(4)};
  for (cl_int i = 0; i < 2; ++i) {
    ASSERT_SUCCESS(clSetKernelArg(kernels[i], 0, sizeof(cl_mem), &memories[i]));
    ASSERT_SUCCESS(clSetKernelArg(kernels[i], 1, sizeof i, &i));
  }
  for (cl_kernel each : kernels) launch(each, 1);
  for (cl_int i = 0; i < 2; ++i) EXPECT_EQ(read<cl_int>(memories[i], 1)[0], i + 1);
}

TEST_F(CreateKernel, needsNoPlaceForTheError) {
  EXPECT_NE(keep(clCreateKernel(build(kSource), "value", nullptr)), nullptr);
}

// program is not a valid program.
TEST_F(CreateKernel, invalidProgram) {
  expectError(CL_INVALID_PROGRAM, nullptr, "value");
  expectError(CL_INVALID_PROGRAM, notAnObject<cl_program>(), "value");
  expectError(CL_INVALID_PROGRAM, reinterpret_cast<cl_program>(context), "value");
  expectFails(CL_INVALID_PROGRAM, [&](cl_int* e) { return driver->clCreateKernel(nullptr, "value", e); });
}

// No executable has been built.
TEST_F(CreateKernel, invalidProgramExecutable) {
  expectError(CL_INVALID_PROGRAM_EXECUTABLE, source(kSource), "value");
  cl_program failed = source("this is no program");
  clBuildProgram(failed, 0, nullptr, "", nullptr, nullptr);
  expectError(CL_INVALID_PROGRAM_EXECUTABLE, failed, "value");
  expectError(CL_INVALID_PROGRAM_EXECUTABLE, fromBinary(binaryOf([&] {
                cl_program object = source(kSource);
                clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr);
                return object;
              }())),
              "value");
}

// The name is not that of a kernel; the notification says which name.
TEST_F(CreateKernel, invalidKernelName) {
  cl_program program = build(kSource);
  expectError(CL_INVALID_KERNEL_NAME, program, "absent_kernel");
  EXPECT_TRUE(wasNotified("absent_kernel")) << allNotified();
  for (const char* each : {"", "helper", "valu", "value2", "VALUE", " value", "value;with_attribute"})
    expectError(CL_INVALID_KERNEL_NAME, program, each);
}

// The devices of the program have kernels of this name that differ in their arguments.
TEST_F(CreateKernel, invalidKernelDefinition) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property partition[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
  cl_device_id parts[2] = {};
  ASSERT_SUCCESS(clCreateSubDevices(device, partition, 2, parts, nullptr));
  keep(parts[0]);
  keep(parts[1]);
  cl_context own = created([&](cl_int* e) { return clCreateContext(nullptr, 2, parts, nullptr, nullptr, e); });
  const char* text = "kernel void differs(T a) {} kernel void same(int a) {}";
  cl_program program = created([&](cl_int* e) { return clCreateProgramWithSource(own, 1, &text, nullptr, e); });
  ASSERT_SUCCESS(clBuildProgram(program, 1, &parts[0], "-DT=int", nullptr, nullptr));
  ASSERT_SUCCESS(clBuildProgram(program, 1, &parts[1], "-DT=float4", nullptr, nullptr));
  expectError(CL_INVALID_KERNEL_DEFINITION, program, "differs");
  EXPECT_NE(kernel(program, "same"), nullptr);
}

// kernel_name is NULL.
TEST_F(CreateKernel, invalidValue) { expectError(CL_INVALID_VALUE, build(kSource), nullptr); }

}  // namespace
}  // namespace clarity::test
