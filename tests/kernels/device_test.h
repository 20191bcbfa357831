// SPDX-License-Identifier: Apache-2.0
// This file opens the platform's device for a test, and builds programs with their logs in the test's report.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

/// An argument that is local memory.
struct LocalBytes {
  std::size_t count;
};

/// A test with a device, a context, a command-queue in order and, once it has been built, a program.
class DeviceTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(clGetPlatformIDs(1, &platform_, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), CL_SUCCESS);
    context_ = clCreateContext(
        nullptr, 1, &device_, [](const char* text, const void*, std::size_t, void*) { ADD_FAILURE() << text; }, nullptr,
        nullptr);
    queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
  }
  void TearDown() override {
    if (program_) clReleaseProgram(program_);
    if (queue_) clReleaseCommandQueue(queue_);
    if (context_) clReleaseContext(context_);
  }

  /// In place of the program before.
  void build(const std::string& source, const std::string& options) {
    if (program_) clReleaseProgram(program_);
    const char* text = source.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
    if (clBuildProgram(program_, 1, &device_, options.c_str(), nullptr, nullptr) == CL_SUCCESS) return;
    std::string log(1 << 16, '\0');
    clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    FAIL() << log.c_str();
  }

  bool isGpu() const {
    cl_device_type type = 0;
    clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    return type == CL_DEVICE_TYPE_GPU;
  }
  /// Whether build options change code. A GPU has no packets: options of nothing but their width and the language give
  /// the code that others have given.
  bool changeCode(std::string_view options) const {
    if (!isGpu()) return true;
    bool haveWidth = false, haveOthers = false;
    std::istringstream words{std::string(options)};
    for (std::string word; words >> word;)
      (word.starts_with("-cl-clarity-packet-width=") ? haveWidth : haveOthers) |= !word.starts_with("-cl-std=");
    return haveOthers || !haveWidth;
  }
  cl_ulong cacheBytes() const {
    cl_ulong bytes = 0;
    clGetDeviceInfo(device_, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof bytes, &bytes, nullptr);
    return bytes;
  }

  template <class T>
  cl_mem bufferOf(const std::vector<T>& values) {
    return clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T), const_cast<T*>(values.data()),
                          nullptr);
  }

  /// The same at the beginning of a buffer that no cache holds.
  template <class T>
  cl_mem largeBufferOf(const std::vector<T>& values) {
    const std::size_t bytes = values.size() * sizeof(T);
    cl_mem buffer = clCreateBuffer(context_, 0, cacheBytes() + bytes, nullptr, nullptr);
    EXPECT_EQ(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr), CL_SUCCESS);
    return buffer;
  }

  /// Reads a buffer back once the command-queue has come there, and releases it.
  template <class T>
  void take(cl_mem buffer, std::vector<T>& values) {
    EXPECT_EQ(
        clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    clReleaseMemObject(buffer);
  }

  /// An empty `local` leaves the size of work-groups to the device.
  template <class... Arguments>
  void launch(const char* name, const std::vector<std::size_t>& global, const std::vector<std::size_t>& local,
              const Arguments&... arguments) {
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program_, name, &error);
    ASSERT_EQ(error, CL_SUCCESS) << name;
    cl_uint index = 0;
    (setArgument(kernel, index++, arguments), ...);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, static_cast<cl_uint>(global.size()), nullptr, global.data(),
                                     local.empty() ? nullptr : local.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    clReleaseKernel(kernel);
  }

private:
  template <class T>
  static void setArgument(cl_kernel kernel, cl_uint index, const T& value) {
    EXPECT_EQ(clSetKernelArg(kernel, index, sizeof value, &value), CL_SUCCESS);
  }
  static void setArgument(cl_kernel kernel, cl_uint index, const LocalBytes& local) {
    EXPECT_EQ(clSetKernelArg(kernel, index, local.count, nullptr), CL_SUCCESS);
  }

protected:
  cl_platform_id platform_ = nullptr;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
};
