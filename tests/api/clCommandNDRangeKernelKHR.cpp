// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandNDRangeKernelKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandNDRangeKernel : CommandBufferTest {
  cl_kernel add = nullptr;
  cl_mem cells = nullptr;
  const size_t global = 256, local = 16;
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandNDRangeKernelKHR(buffer, on, properties, add, 1, nullptr, &global, &local, n, list, point, handle);
  };

  void SetUp() override {
    CommandBufferTest::SetUp();
    if (HasFatalFailure()) return;
    add = kernel("kernel void add(global uint* v, uint n) { v[get_global_id(0)] += n; }", "add");
    cells = bufferOf(std::vector<cl_uint>(256));
    set(cells, 3);
  }
  void set(cl_mem memory, cl_uint n) {
    ASSERT_SUCCESS(clSetKernelArg(add, 0, sizeof memory, &memory));
    ASSERT_SUCCESS(clSetKernelArg(add, 1, sizeof n, &n));
  }
  cl_int launchOf(cl_kernel it, cl_uint dims, const size_t* offset, const size_t* size, const size_t* group,
                  const cl_command_properties_khr* properties = nullptr) {
    return clCommandNDRangeKernelKHR(commands, nullptr, properties, it, dims, offset, size, group, 0, nullptr, nullptr,
                                     nullptr);
  }
};

TEST_F(CommandNDRangeKernel, checksWhatAllCheck) { expectRecordChecked(record, true); }

// Arguments are those at the time of recording; kernel and program may be released, the content is that of each time.
TEST_F(CommandNDRangeKernel, keepsItsArguments) {
  cl_kernel own =
      clCreateKernel(build("kernel void put(global uint* v, uint n) { v[get_global_id(0)] += n; }"), "put", nullptr);
  const cl_uint n = 5;
  ASSERT_SUCCESS(clSetKernelArg(own, 0, sizeof cells, &cells));
  ASSERT_SUCCESS(clSetKernelArg(own, 1, sizeof n, &n));
  recordLaunch(commands, own, 256);
  const cl_uint other = 1000;
  ASSERT_SUCCESS(clSetKernelArg(own, 1, sizeof other, &other));
  recordLaunch(commands, own, 1);
  ASSERT_SUCCESS(clReleaseKernel(own));
  run(commands);
  ASSERT_SUCCESS(enqueue(commands));
  const auto got = read<cl_uint>(cells, 256);
  EXPECT_EQ(got[0], 2010u);
  EXPECT_EQ(got[1], 10u);
  EXPECT_EQ(got[255], 10u);
}

// An NDRange of no work-items is a command that does nothing.
TEST_F(CommandNDRangeKernel, ofNothing) {
  const size_t none = 0;
  EXPECT_SUCCESS(launchOf(add, 1, nullptr, &none, nullptr));
  EXPECT_SUCCESS(launchOf(add, 1, nullptr, nullptr, nullptr));
  run(commands);
  EXPECT_EQ(read<cl_uint>(cells, 1)[0], 0u);
}

TEST_F(CommandNDRangeKernel, errorsOfTheEnqueue) {
  const size_t tooLarge = 1 << 30, zero = 0, largest = SIZE_MAX;
  EXPECT_CL(CL_INVALID_WORK_DIMENSION, launchOf(add, 0, nullptr, &global, nullptr));
  EXPECT_CL(CL_INVALID_WORK_DIMENSION, launchOf(add, 4, nullptr, &global, nullptr));
  EXPECT_CL(CL_INVALID_WORK_ITEM_SIZE, launchOf(add, 1, nullptr, &tooLarge, &tooLarge));
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, launchOf(add, 1, nullptr, &global, &zero));
  EXPECT_CL(CL_INVALID_GLOBAL_OFFSET, launchOf(add, 1, &largest, &global, nullptr));
  cl_kernel unset = kernel("kernel void f(global uint* v) { *v = 1; }", "f");
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, launchOf(unset, 1, nullptr, &global, nullptr));
  for (const auto& bad : badHandles<cl_kernel>(*this))
    EXPECT_CL(CL_INVALID_KERNEL, launchOf(bad.handle, 1, nullptr, &global, nullptr)) << "the kernel is " << bad.what;
}

TEST_F(CommandNDRangeKernel, invalidContext) {
  const char* source = "kernel void f() {}";
  cl_program program = keep(clCreateProgramWithSource(otherContext(), 1, &source, nullptr, nullptr));
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_CONTEXT, launchOf(keep(clCreateKernel(program, "f", nullptr)), 1, nullptr, &global, nullptr));
}

// A handle of a command of the command-buffer whose arguments must be set all the same.
TEST_F(CommandNDRangeKernel, aHandleAloneDefersNoArguments) {
  cl_kernel unset = kernel("kernel void f(global uint* v) { *v = 1; }", "f");
  cl_mutable_command_khr handle = nullptr;
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, clCommandNDRangeKernelKHR(commands, nullptr, nullptr, unset, 1, nullptr, &global,
                                                              nullptr, 0, nullptr, nullptr, &handle));
  EXPECT_EQ(handle, nullptr);
}

// Properties with unknown names or bits, or given twice; an assertion on work-groups whose size is not given.
TEST_F(CommandNDRangeKernel, invalidValueOfProperties) {
  const cl_command_properties_khr unknown[] = {0x7777, 1, 0};
  const cl_command_properties_khr fields[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1u << 20, 0};
  const cl_command_properties_khr asserts[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0};
  const cl_command_properties_khr twice[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1,
                                             CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1, 0};
  for (const auto* bad : {unknown, fields, asserts, twice})
    EXPECT_CL(CL_INVALID_VALUE, launchOf(add, 1, nullptr, &global, &local, bad)) << "property " << bad[0];
  const cl_command_properties_khr noMore[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR,
                                              CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
  EXPECT_CL(CL_INVALID_VALUE, launchOf(add, 1, nullptr, &global, nullptr, noMore));
  EXPECT_SUCCESS(launchOf(add, 1, nullptr, &global, &local, noMore));
}

}  // namespace
}  // namespace clarity::test
