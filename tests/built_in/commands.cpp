// SPDX-License-Identifier: Apache-2.0
// This file tests that a built-in kernel of several launches is one command: in every kind of command-queue, on
// sub-devices, in command-buffers, with events, times and memory that is shared by address.
#include "built_in_test.h"

#include <CL/cl_ext.h>

#include <numeric>

namespace {

struct BuiltInCommands : BuiltInTest {
  static constexpr cl_ulong n = 100000;

  void SetUp() override {
    BuiltInTest::SetUp();
    x_ = bufferWith(std::vector<cl_int>(n, 3));
    result_ = bufferWith(std::vector<cl_int>(1, 7));
  }

  /// A kernel of a context with the arguments of a sum.
  cl_kernel summing(cl_context context, cl_device_id device, cl_mem x, cl_mem result,
                    const char* name = "clarity.reduce.sum.i32") {
    cl_program program = clCreateProgramWithBuiltInKernels(context, 1, &device, name, nullptr);
    cl_kernel kernel = clCreateKernel(program, name, nullptr);
    clReleaseProgram(program);
    const cl_ulong sizes[3] = {1, n, 1};
    for (cl_uint i = 0; i < 3; ++i) EXPECT_EQ(clSetKernelArg(kernel, i, sizeof sizes[i], &sizes[i]), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 3, sizeof x, &x), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 4, sizeof result, &result), CL_SUCCESS);
    return kernel;
  }
  cl_int sum() { return read<cl_int>(result_, 1)[0]; }

  cl_mem x_ = nullptr, result_ = nullptr;
  const std::size_t one_ = 1;
};

TEST_F(BuiltInCommands, outOfOrderWithWaitListsAndTimes) {
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, properties, nullptr);
  cl_kernel kernel = summing(context_, device_, x_, result_);
  const cl_int value = 5;
  cl_event filled = nullptr, summed = nullptr;
  cl_event gate = clCreateUserEvent(context_, nullptr);
  EXPECT_EQ(clEnqueueFillBuffer(queue, x_, &value, sizeof value, 0, n * sizeof value, 1, &gate, &filled), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one_, nullptr, 1, &filled, &summed), CL_SUCCESS);
  clSetUserEventStatus(gate, CL_COMPLETE);
  EXPECT_EQ(clWaitForEvents(1, &summed), CL_SUCCESS);
  EXPECT_EQ(sum(), cl_int(5 * n));
  cl_ulong times[4] = {};
  const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                     CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(clGetEventProfilingInfo(summed, names[i], sizeof times[i], &times[i], nullptr), CL_SUCCESS);
  for (int i = 0; i < 3; ++i) EXPECT_LE(times[i], times[i + 1]);
  for (cl_event each : {gate, filled, summed}) clReleaseEvent(each);
  clReleaseKernel(kernel);
  clReleaseCommandQueue(queue);
}

// The kernel, its program and the scratch memory live as long as the commands need them.
TEST_F(BuiltInCommands, manyAtATime) {
  cl_kernel kernel = summing(context_, device_, x_, result_);
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &one_, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  clReleaseKernel(kernel);
  EXPECT_EQ(sum(), cl_int(3 * n));
}

TEST_F(BuiltInCommands, commandBuffers) {
#define FUNCTION(name) \
  const auto name = reinterpret_cast<name##_fn>(clGetExtensionFunctionAddressForPlatform(platform_, #name))
  FUNCTION(clCreateCommandBufferKHR);
  FUNCTION(clCommandNDRangeKernelKHR);
  FUNCTION(clFinalizeCommandBufferKHR);
  FUNCTION(clEnqueueCommandBufferKHR);
  FUNCTION(clReleaseCommandBufferKHR);
#undef FUNCTION
  cl_kernel kernel = summing(context_, device_, x_, result_);
  cl_command_buffer_khr buffer = clCreateCommandBufferKHR(1, &queue_, nullptr, nullptr);
  ASSERT_EQ(clCommandNDRangeKernelKHR(buffer, nullptr, nullptr, kernel, 1, nullptr, &one_, nullptr, 0, nullptr, nullptr,
                                      nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
  clReleaseKernel(kernel);
  for (cl_int value = 1; value < 4; ++value) {
    EXPECT_EQ(clEnqueueFillBuffer(queue_, x_, &value, sizeof value, 0, n * sizeof value, 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clEnqueueCommandBufferKHR(0, nullptr, buffer, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(sum(), cl_int(value * n));
  }
  clReleaseCommandBufferKHR(buffer);
}

TEST_F(BuiltInCommands, subDevices) {
  cl_uint most = 0;
  clGetDeviceInfo(device_, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof most, &most, nullptr);
  if (most < 2) GTEST_SKIP() << "the device cannot be divided";
  const cl_device_partition_property parts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id part = nullptr;
  ASSERT_EQ(clCreateSubDevices(device_, parts, 1, &part, nullptr), CL_SUCCESS);
  cl_context context = clCreateContext(nullptr, 1, &part, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, part, nullptr, nullptr);
  std::vector<cl_int> values(n, 2);
  cl_int sum = 0;
  cl_mem x = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * sizeof(cl_int), values.data(), nullptr);
  cl_mem result = clCreateBuffer(context, 0, sizeof sum, nullptr, nullptr);
  cl_kernel kernel = summing(context, part, x, result);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one_, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueReadBuffer(queue, result, CL_TRUE, 0, sizeof sum, &sum, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(sum, cl_int(2 * n));
  clReleaseKernel(kernel);
  for (cl_mem each : {x, result}) clReleaseMemObject(each);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  clReleaseDevice(part);
}

TEST_F(BuiltInCommands, sharedVirtualMemory) {
  cl_device_svm_capabilities svm = 0;
  clGetDeviceInfo(device_, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, nullptr);
  if (!svm) GTEST_SKIP() << "the device has none";
  auto* const shared = static_cast<cl_int*>(clSVMAlloc(context_, CL_MEM_READ_WRITE, (n + 1) * sizeof(cl_int), 0));
  ASSERT_EQ(clEnqueueSVMMap(queue_, CL_TRUE, CL_MAP_WRITE, shared, (n + 1) * sizeof(cl_int), 0, nullptr, nullptr),
            CL_SUCCESS);
  std::iota(shared, shared + n + 1, 0);
  ASSERT_EQ(clEnqueueSVMUnmap(queue_, shared, 0, nullptr, nullptr), CL_SUCCESS);
  cl_kernel kernel = summing(context_, device_, x_, result_);
  ASSERT_EQ(clSetKernelArgSVMPointer(kernel, 3, shared + 1), CL_SUCCESS);
  ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &one_, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(sum(), static_cast<cl_int>(static_cast<cl_uint>(n * (n + 1) / 2)));
  clReleaseKernel(kernel);
  clSVMFree(context_, shared);
}

// Libraries make identifiers of kernels' names: underscores stand for dots, alone and beside the kernel's own name.
TEST_F(BuiltInCommands, underscoresForDots) {
  const std::string name = "clarity_reduce_sum_i32", both = name + ";clarity.reduce.sum.i32";
  cl_kernel kernel = summing(context_, device_, x_, result_, name.c_str());
  char text[64] = "";
  EXPECT_EQ(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof text, text, nullptr), CL_SUCCESS);
  EXPECT_EQ(text, name);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &one_, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(sum(), 3 * static_cast<cl_int>(n));
  clReleaseKernel(kernel);
  cl_program program = clCreateProgramWithBuiltInKernels(context_, 1, &device_, both.c_str(), nullptr);
  cl_kernel kernels[2] = {};
  cl_uint count = 0;
  EXPECT_EQ(clCreateKernelsInProgram(program, 2, kernels, &count), CL_SUCCESS);
  EXPECT_EQ(count, 2u);
  for (cl_kernel each : kernels) clReleaseKernel(each);
  clReleaseProgram(program);
  cl_context silent = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  cl_int code = CL_SUCCESS;
  for (const char* wrong : {"clarity_reduce.sum.i32", "clarity_reduce_sum_i33", "clarity_reduce_sum"}) {
    EXPECT_EQ(clCreateProgramWithBuiltInKernels(silent, 1, &device_, wrong, &code), nullptr) << wrong;
    EXPECT_EQ(code, CL_INVALID_VALUE) << wrong;
  }
  clReleaseContext(silent);
}

}  // namespace
