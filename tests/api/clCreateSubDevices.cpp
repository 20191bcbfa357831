// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateSubDevices (OpenCL 3.0, section 4.3). Tests of partitions are skipped on a device
// that cannot be partitioned: a CPU with one processor, a GPU.
#include "fixture.h"

#include <algorithm>

namespace clarity::test {
namespace {

using PartitionProperties = std::vector<cl_device_partition_property>;

struct CreateSubDevices : OpenCL {
  void SetUp() override {
    OpenCL::SetUp();
    units = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS);
    divisible = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) > 1;
  }
  std::vector<cl_device_id> split(const PartitionProperties& properties) { return split(device, properties); }
  std::vector<cl_device_id> split(cl_device_id parent, const PartitionProperties& properties) {
    cl_uint count = 0;
    EXPECT_SUCCESS(clCreateSubDevices(parent, properties.data(), 0, nullptr, &count));
    std::vector<cl_device_id> parts(count);
    EXPECT_SUCCESS(clCreateSubDevices(parent, properties.data(), count, parts.data(), nullptr));
    for (cl_device_id each : parts) keep(each);
    return parts;
  }
  cl_uint unitsOf(cl_device_id part) { return infoOf<cl_uint>(clGetDeviceInfo, part, CL_DEVICE_MAX_COMPUTE_UNITS); }
  void expectError(cl_int code, const PartitionProperties& properties,
                   std::source_location where = std::source_location::current()) {
    SCOPED_TRACE("called from line " + std::to_string(where.line()));
    cl_uint count = 0;
    EXPECT_CL(code, clCreateSubDevices(device, properties.data(), 0, nullptr, &count));
    std::vector<cl_device_id> parts(units + 2, nullptr);
    EXPECT_CL(code, clCreateSubDevices(device, properties.data(), units + 2, parts.data(), nullptr));
  }

  cl_uint units = 0;
  bool divisible = false;
};

#define NEEDS_PARTITIONS() \
  if (!divisible) GTEST_SKIP() << "the device cannot be partitioned"

TEST_F(CreateSubDevices, equally) {
  NEEDS_PARTITIONS();
  const PartitionProperties properties{CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  const std::vector<cl_device_id> parts = split(properties);
  ASSERT_EQ(parts.size(), units);
  for (cl_device_id each : parts) {
    EXPECT_EQ(unitsOf(each), 1U);
    EXPECT_EQ(infoOf<cl_device_id>(clGetDeviceInfo, each, CL_DEVICE_PARENT_DEVICE), device);
    EXPECT_EQ(infoOf<cl_uint>(clGetDeviceInfo, each, CL_DEVICE_REFERENCE_COUNT), 1U);
    EXPECT_EQ(infoVectorOf<cl_device_partition_property>(clGetDeviceInfo, each, CL_DEVICE_PARTITION_TYPE), properties);
    EXPECT_EQ(std::count(parts.begin(), parts.end(), each), 1);
    EXPECT_EQ(infoStringOf(clGetDeviceInfo, each, CL_DEVICE_NAME),
              infoStringOf(clGetDeviceInfo, device, CL_DEVICE_NAME));
  }
}

// Section 5.8.10: what was built for a device is used by its sub-devices, unless something is built for these.
TEST_F(CreateSubDevices, useWhatWasBuiltForTheirParent) {
  NEEDS_PARTITIONS();
  const std::vector<cl_device_id> parts = split({CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  const cl_device_id all[] = {parts[0], device, parts[1]};
  cl_context in = created([&](cl_int* e) { return clCreateContext(nullptr, 3, all, nullptr, nullptr, e); });
  const char* text = "global int calls = 0;\nkernel void count(global int* r) { *r = N + calls++; }";
  cl_program program = created([&](cl_int* e) { return clCreateProgramWithSource(in, 1, &text, nullptr, e); });
  const auto statusOn = [&](cl_device_id each) {
    cl_build_status status = CL_BUILD_ERROR;
    EXPECT_SUCCESS(clGetProgramBuildInfo(program, each, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr));
    return status;
  };
  EXPECT_NE(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS) << "N is not defined";
  EXPECT_EQ(statusOn(parts[0]), CL_BUILD_NONE);
  ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "-cl-std=CL3.0 -DN=10", nullptr, nullptr));
  for (cl_device_id each : all) EXPECT_EQ(statusOn(each), CL_BUILD_SUCCESS);
  ASSERT_SUCCESS(clBuildProgram(program, 1, &parts[1], "-cl-std=CL3.0 -DN=20", nullptr, nullptr));
  ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "-cl-std=CL3.0 -DN=30", nullptr, nullptr));
  cl_kernel kernel = created([&](cl_int* e) { return clCreateKernel(program, "count", e); });
  cl_mem result = created([&](cl_int* e) { return clCreateBuffer(in, CL_MEM_READ_WRITE, 4, nullptr, e); });
  ASSERT_SUCCESS(clSetKernelArg(kernel, 0, sizeof result, &result));
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 3; ++i) {
      cl_command_queue on = keep(clCreateCommandQueue(in, all[i], 0, nullptr));
      const size_t one = 1;
      cl_int value = 0;
      ASSERT_SUCCESS(clEnqueueNDRangeKernel(on, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
      ASSERT_SUCCESS(clEnqueueReadBuffer(on, result, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
      EXPECT_EQ(value, (i == 2 ? 20 : 30) + round) << "device " << i << ": each has variables of its own";
    }
}

// Compute units that do not fill another part of the same size are not used.
TEST_F(CreateSubDevices, equallyLeavesTheRestUnused) {
  if (!divisible || units < 3)
    GTEST_SKIP() << "nothing is left over beside an equal part of fewer than three compute units";
  const cl_uint most = units - 1;
  const auto parts = split({CL_DEVICE_PARTITION_EQUALLY, cl_device_partition_property(most), 0});
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(unitsOf(parts[0]), most);
}

TEST_F(CreateSubDevices, byCounts) {
  NEEDS_PARTITIONS();
  const PartitionProperties properties{CL_DEVICE_PARTITION_BY_COUNTS, 1, cl_device_partition_property(units - 1),
                                       CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  const std::vector<cl_device_id> parts = split(properties);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(unitsOf(parts[0]), 1U);
  EXPECT_EQ(unitsOf(parts[1]), units - 1);
  const auto type = infoVectorOf<cl_device_partition_property>(clGetDeviceInfo, parts[0], CL_DEVICE_PARTITION_TYPE);
  ASSERT_GE(type.size(), 4U);
  EXPECT_TRUE(std::equal(type.begin(), type.begin() + 4, properties.begin()));
}

// The end of the counts may be the end of the list: what lies behind it is not read.
TEST_F(CreateSubDevices, byCountsWithoutASecondZero) {
  NEEDS_PARTITIONS();
  const PartitionProperties whole{CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  for (const cl_device_partition_property behind : {0, 1, CL_DEVICE_PARTITION_EQUALLY, -1}) {
    const auto parts =
        split({CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, behind, behind});
    ASSERT_EQ(parts.size(), 2U);
    for (cl_device_id each : parts) {
      EXPECT_EQ(unitsOf(each), 1U);
      EXPECT_EQ(infoVectorOf<cl_device_partition_property>(clGetDeviceInfo, each, CL_DEVICE_PARTITION_TYPE), whole);
    }
  }
}

// Every affinity domain that the device reports is one along which it can be split.
TEST_F(CreateSubDevices, byAffinityDomain) {
  const auto domains = infoOf<cl_device_affinity_domain>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
  for (cl_device_affinity_domain domain = 1; domain <= CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE; domain <<= 1) {
    SCOPED_TRACE("domain " + std::to_string(domain));
    const PartitionProperties properties{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, cl_device_partition_property(domain),
                                         0};
    if ((domains & domain) == 0) {
      cl_uint count = 0;
      const cl_int error = clCreateSubDevices(device, properties.data(), 0, nullptr, &count);
      EXPECT_TRUE(error == CL_INVALID_VALUE || error == CL_DEVICE_PARTITION_FAILED) << errorName(error);
      continue;
    }
    cl_uint sum = 0;
    for (cl_device_id each : split(properties)) sum += unitsOf(each);
    EXPECT_EQ(sum, units);
  }
}

// A sub-device is used as its parent is: contexts, programs, command-queues and further partitions.
TEST_F(CreateSubDevices, runsKernels) {
  NEEDS_PARTITIONS();
  const auto parts = split({CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  cl_context own = created([&](cl_int* e) { return clCreateContext(nullptr, 2, parts.data(), nullptr, nullptr, e); });
  const char* text = "kernel void square(global int* a) { int i = get_global_id(0); a[i] = i * i; }";
  cl_program program = created([&](cl_int* e) { return clCreateProgramWithSource(own, 1, &text, nullptr, e); });
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  cl_kernel square = kernel(program, "square");
  for (cl_device_id each : {parts[0], parts[1]}) {
    cl_command_queue on = created([&](cl_int* e) { return clCreateCommandQueueWithProperties(own, each, nullptr, e); });
    cl_mem memory = created([&](cl_int* e) { return clCreateBuffer(own, CL_MEM_READ_WRITE, 4096, nullptr, e); });
    ASSERT_SUCCESS(clSetKernelArg(square, 0, sizeof memory, &memory));
    const size_t global = 1024;
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(on, square, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
    std::vector<cl_int> result(global);
    ASSERT_SUCCESS(clEnqueueReadBuffer(on, memory, CL_TRUE, 0, 4096, result.data(), 0, nullptr, nullptr));
    for (size_t i = 0; i < global; ++i) ASSERT_EQ(result[i], cl_int(i * i));
  }
}

TEST_F(CreateSubDevices, countsWithoutMaking) {
  NEEDS_PARTITIONS();
  const PartitionProperties properties{CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  EXPECT_SUCCESS(clCreateSubDevices(device, properties.data(), 0, nullptr, &count));
  EXPECT_EQ(count, units);
  EXPECT_SUCCESS(clCreateSubDevices(device, properties.data(), 0, nullptr, nullptr));
}

// in_device is not a valid device.
TEST_F(CreateSubDevices, invalidDevice) {
  const PartitionProperties properties{CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  EXPECT_CL(CL_INVALID_DEVICE, clCreateSubDevices(nullptr, properties.data(), 0, nullptr, &count));
  EXPECT_CL(CL_INVALID_DEVICE, driver->clCreateSubDevices(nullptr, properties.data(), 0, nullptr, &count));
  EXPECT_CL(CL_INVALID_DEVICE, clCreateSubDevices(notAnObject<cl_device_id>(), properties.data(), 0, nullptr, &count));
  EXPECT_CL(CL_INVALID_DEVICE,
            clCreateSubDevices(reinterpret_cast<cl_device_id>(queue), properties.data(), 0, nullptr, &count));
}

// Values in properties are not valid, or not supported by the device.
TEST_F(CreateSubDevices, invalidValueOfProperties) {
  cl_uint count = 0;
  EXPECT_CL(CL_INVALID_VALUE, clCreateSubDevices(device, nullptr, 0, nullptr, &count));
  expectError(CL_INVALID_VALUE, {0});
  expectError(CL_INVALID_VALUE, {0x7777, 1, 0});
  NEEDS_PARTITIONS();
  expectError(CL_INVALID_VALUE, {CL_DEVICE_PARTITION_EQUALLY, 0, 0});
  expectError(CL_INVALID_VALUE, {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 1 << 20, 0});
  // Only one scheme can be given.
  expectError(CL_INVALID_VALUE, {CL_DEVICE_PARTITION_EQUALLY, 1, CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0});
}

// out_devices has room for fewer than the partition makes.
TEST_F(CreateSubDevices, invalidValueOfRoom) {
  NEEDS_PARTITIONS();
  const PartitionProperties properties{CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  std::vector<cl_device_id> parts(units, nullptr);
  EXPECT_CL(CL_INVALID_VALUE, clCreateSubDevices(device, properties.data(), units - 1, parts.data(), nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clCreateSubDevices(device, properties.data(), 0, parts.data(), nullptr));
  for (cl_device_id each : parts) EXPECT_EQ(each, nullptr);
}

// The scheme is one of the implementation's, but the device cannot be split further.
TEST_F(CreateSubDevices, devicePartitionFailed) {
  NEEDS_PARTITIONS();
  const PartitionProperties properties{CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  const auto parts = split(properties);
  cl_uint count = 0;
  EXPECT_CL(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(parts[0], properties.data(), 0, nullptr, &count));
  // One part that is all of the device does not split it.
  expectError(CL_DEVICE_PARTITION_FAILED, {CL_DEVICE_PARTITION_EQUALLY, cl_device_partition_property(units), 0});
}

// More sub-devices, or more compute units in them, than the device has; or a count below zero.
TEST_F(CreateSubDevices, invalidDevicePartitionCount) {
  NEEDS_PARTITIONS();
  const auto all = cl_device_partition_property(units);
  PartitionProperties tooMany(units + 2, 1);
  tooMany[0] = CL_DEVICE_PARTITION_BY_COUNTS;
  tooMany.insert(tooMany.end(), {CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  expectError(CL_INVALID_DEVICE_PARTITION_COUNT, tooMany);
  expectError(CL_INVALID_DEVICE_PARTITION_COUNT,
              {CL_DEVICE_PARTITION_BY_COUNTS, all + 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  expectError(CL_INVALID_DEVICE_PARTITION_COUNT,
              {CL_DEVICE_PARTITION_BY_COUNTS, all, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  expectError(CL_INVALID_DEVICE_PARTITION_COUNT, {CL_DEVICE_PARTITION_EQUALLY, all + 1, 0});
  expectError(CL_INVALID_DEVICE_PARTITION_COUNT,
              {CL_DEVICE_PARTITION_BY_COUNTS, -1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
}

}  // namespace
}  // namespace clarity::test
