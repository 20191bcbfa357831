// SPDX-License-Identifier: Apache-2.0
// This file tests that what a device reports, and what it refuses, is its own and not another's.
#include "several_devices.h"

#include <cstring>

namespace clarity::test {
namespace {

struct DifferentDevices : DiscreteDevices {
  template <class T>
  T of(size_t device, cl_device_info name) const {
    return infoOf<T>(clGetDeviceInfo, devices[device], name);
  }
};

TEST_F(DifferentDevices, answersDiffer) {
  EXPECT_EQ(of<cl_device_type>(cpu, CL_DEVICE_TYPE), cl_device_type{CL_DEVICE_TYPE_CPU});
  EXPECT_EQ(of<cl_device_type>(first, CL_DEVICE_TYPE), cl_device_type{CL_DEVICE_TYPE_ACCELERATOR});
  EXPECT_EQ(of<cl_bool>(cpu, CL_DEVICE_HOST_UNIFIED_MEMORY), cl_bool{CL_TRUE});
  EXPECT_EQ(of<cl_bool>(first, CL_DEVICE_HOST_UNIFIED_MEMORY), cl_bool{CL_FALSE});
  EXPECT_EQ(of<cl_device_local_mem_type>(cpu, CL_DEVICE_LOCAL_MEM_TYPE), cl_device_local_mem_type{CL_GLOBAL});
  EXPECT_EQ(of<cl_device_local_mem_type>(first, CL_DEVICE_LOCAL_MEM_TYPE), cl_device_local_mem_type{CL_LOCAL});
  EXPECT_EQ(of<cl_device_exec_capabilities>(first, CL_DEVICE_EXECUTION_CAPABILITIES),
            cl_device_exec_capabilities{CL_EXEC_KERNEL});
  EXPECT_NE(of<size_t>(cpu, CL_DEVICE_MAX_WORK_GROUP_SIZE), of<size_t>(first, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  EXPECT_NE(of<cl_ulong>(cpu, CL_DEVICE_LOCAL_MEM_SIZE), of<cl_ulong>(first, CL_DEVICE_LOCAL_MEM_SIZE));
  EXPECT_NE(of<cl_uint>(cpu, CL_DEVICE_MEM_BASE_ADDR_ALIGN), of<cl_uint>(first, CL_DEVICE_MEM_BASE_ADDR_ALIGN));
}

TEST_F(DifferentDevices, typesSelectDevices) {
  const auto count = [&](cl_device_type type) {
    cl_uint found = 0;
    return clGetDeviceIDs(platform, type, 0, nullptr, &found) == CL_DEVICE_NOT_FOUND ? 0 : found;
  };
  EXPECT_EQ(count(CL_DEVICE_TYPE_ALL), 3U);
  EXPECT_EQ(count(CL_DEVICE_TYPE_CPU), 1U);
  EXPECT_EQ(count(CL_DEVICE_TYPE_ACCELERATOR), 2U);
  EXPECT_EQ(count(CL_DEVICE_TYPE_GPU), 0U);
  EXPECT_EQ(count(CL_DEVICE_TYPE_DEFAULT), 1U);
  EXPECT_EQ(count(CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR), 3U);
}

TEST_F(DifferentDevices, limitsAreThoseOfTheQueuesDevice) {
  cl_kernel kernel = kernelForAll("kernel void nothing() {}", "nothing");
  const size_t local = of<size_t>(first, CL_DEVICE_MAX_WORK_GROUP_SIZE) * 2;
  ASSERT_LE(local, of<size_t>(cpu, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queues[cpu], kernel, 1, nullptr, &local, &local, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_WORK_ITEM_SIZE,
            clEnqueueNDRangeKernel(queues[first], kernel, 1, nullptr, &local, &local, 0, nullptr, nullptr));
  const size_t square[2] = {1024, 2};
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE,
            clEnqueueNDRangeKernel(queues[first], kernel, 2, nullptr, square, square, 0, nullptr, nullptr));
}

TEST_F(DifferentDevices, nativeKernelsWhereTheDeviceHasThem) {
  static int calls;
  calls = 0;
  const auto function = [](void*) { ++calls; };
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueNativeKernel(queues[first], function, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueNativeKernel(queues[cpu], function, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queues[cpu]));
  EXPECT_EQ(calls, 1);
}

// A function of the host that uses a buffer last written on another device.
TEST_F(DifferentDevices, nativeKernelsHaveTheContent) {
  cl_mem memory = bufferOf(std::vector<cl_int>(64, 1));
  cl_kernel twice = kernelForAll("kernel void twice(global int* v) { v[get_global_id(0)] *= 2; }", "twice");
  setArgs(twice, memory);
  cl_event before = run(first, twice, 64);
  struct Args {
    cl_mem memory;
  } args{memory};
  const void* place = &args.memory;
  const auto function = [](void* data) {
    cl_int* values = nullptr;
    std::memcpy(&values, data, sizeof values);
    for (int i = 0; i < 64; ++i) values[i] += i;
  };
  ASSERT_SUCCESS(
      clEnqueueNativeKernel(queues[cpu], function, &args, sizeof args, 1, &memory, &place, 1, &before, nullptr));
  std::vector<cl_int> wanted(64);
  for (int i = 0; i < 64; ++i) wanted[size_t(i)] = 2 + i;
  ASSERT_SUCCESS(clFinish(queues[cpu]));
  EXPECT_EQ(readOn<cl_int>(second, memory, 64), wanted);
}

// A sub-buffer that is aligned for one device of the context and not for the other.
TEST_F(DifferentDevices, alignmentIsThatOfTheQueuesDevice) {
  const size_t onCpu = of<cl_uint>(cpu, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8,
               onFirst = of<cl_uint>(first, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  ASSERT_LT(onCpu, onFirst);
  cl_mem whole = bufferOf(std::vector<cl_int>(1024, 3)), part = subBuffer(whole, onCpu, 256);
  cl_int value = 0;
  EXPECT_SUCCESS(clEnqueueReadBuffer(queues[cpu], part, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr));
  EXPECT_EQ(value, 3);
  EXPECT_CL(CL_MISALIGNED_SUB_BUFFER_OFFSET,
            clEnqueueReadBuffer(queues[first], part, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr));
}

// The same memory for a device and its sub-devices: content does not move between them.
TEST_F(DifferentDevices, subDevicesShareTheirMemory) {
  const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  std::array<cl_device_id, 2> parts{};
  ASSERT_SUCCESS(clCreateSubDevices(devices[first], how, 2, parts.data(), nullptr));
  for (cl_device_id each : parts) keep(each);
  cl_context shared =
      created([&](cl_int* error) { return clCreateContext(nullptr, 2, parts.data(), nullptr, nullptr, error); });
  std::vector<cl_command_queue> on;
  for (cl_device_id each : parts)
    on.push_back(
        created([&](cl_int* error) { return clCreateCommandQueueWithProperties(shared, each, nullptr, error); }));
  std::vector<cl_int> values(256, 4);
  cl_mem memory =
      created([&](cl_int* error) { return clCreateBuffer(shared, CL_MEM_READ_WRITE, 1024, nullptr, error); });
  ASSERT_SUCCESS(clEnqueueWriteBuffer(on[0], memory, CL_TRUE, 0, 1024, values.data(), 0, nullptr, nullptr));
  const ClarityDiscreteCounts before = counts();
  const cl_int five = 5;
  ASSERT_SUCCESS(clEnqueueFillBuffer(on[1], memory, &five, sizeof five, 0, 512, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(on[1]));
  cl_mem copy = created([&](cl_int* error) { return clCreateBuffer(shared, CL_MEM_READ_WRITE, 1024, nullptr, error); });
  ASSERT_SUCCESS(clEnqueueCopyBuffer(on[0], memory, copy, 0, 0, 1024, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(on[0]));
  EXPECT_EQ(counts().bytesFromHost, before.bytesFromHost);
  EXPECT_EQ(counts().bytesToHost, before.bytesToHost);
  std::vector<cl_int> read(256);
  ASSERT_SUCCESS(clEnqueueReadBuffer(on[1], copy, CL_TRUE, 0, 1024, read.data(), 0, nullptr, nullptr));
  std::fill_n(values.begin(), 128, 5);
  EXPECT_EQ(read, values);
}

}  // namespace
}  // namespace clarity::test
