// SPDX-License-Identifier: Apache-2.0
// This file tests how devices are divided and counted.
#include "core_fake_device.h"

namespace clarity::test {
namespace {

struct CoreDevice : FakeContext {
  std::vector<core::Device*> parts;
  void divide(std::vector<cl_device_partition_property> how) {
    how.push_back(0);
    parts = device.partition(how.data());
  }
  void fails(cl_int code, std::string_view part, std::vector<cl_device_partition_property> how) {
    expectError(code, part, [&] { divide(std::move(how)); });
  }
  std::vector<cl_uint> units() const {
    std::vector<cl_uint> result;
    for (const core::Device* each : parts) result.push_back(each->properties().computeUnits);
    return result;
  }
  ~CoreDevice() override {
    for (core::Device* each : parts) EXPECT_TRUE(each->release());
  }
};

TEST_F(CoreDevice, RootDevicesDoNotCount) {
  device.retain();
  EXPECT_EQ(device.referenceCount(), 1U);
  EXPECT_TRUE(device.release());
  EXPECT_TRUE(device.release());
  EXPECT_EQ(device.referenceCount(), 1U);
}

TEST_F(CoreDevice, EquallyLeavesTheRestUnused) {
  divide({CL_DEVICE_PARTITION_EQUALLY, 3});
  EXPECT_EQ(units(), (std::vector<cl_uint>{3, 3}));
  EXPECT_EQ(parts[0]->parent(), &device);
  EXPECT_EQ(parts[0]->referenceCount(), 1U);
  EXPECT_EQ(parts[0]->partitionType(), (std::vector<cl_device_partition_property>{CL_DEVICE_PARTITION_EQUALLY, 3, 0}));
}

TEST_F(CoreDevice, ByCounts) {
  divide({CL_DEVICE_PARTITION_BY_COUNTS, 5, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END});
  EXPECT_EQ(units(), (std::vector<cl_uint>{5, 1}));
  EXPECT_EQ(parts[0]->partitionType(),
            (std::vector<cl_device_partition_property>{CL_DEVICE_PARTITION_BY_COUNTS, 5, 1, 0, 0}));
}

TEST_F(CoreDevice, SubDeviceKeepsItsParent) {
  divide({CL_DEVICE_PARTITION_EQUALLY, 4});
  const cl_device_partition_property again[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
  std::vector<core::Device*> deeper = parts[0]->partition(again);
  ASSERT_EQ(deeper.size(), 2U);
  EXPECT_TRUE(parts[0]->release());
  EXPECT_EQ(deeper[0]->parent(), parts[0]);
  EXPECT_EQ(&deeper[0]->root(), &device);
  EXPECT_EQ(parts[0]->properties().computeUnits, 4U);
  for (core::Device* each : deeper) EXPECT_TRUE(each->release());
  parts.erase(parts.begin());
}

TEST_F(CoreDevice, WrongPartitionsSayWhatIsWrong) {
  fails(CL_INVALID_VALUE, "empty", {});
  fails(CL_INVALID_VALUE, "0x1234", {0x1234, 1});
  fails(CL_INVALID_VALUE, "0 compute units", {CL_DEVICE_PARTITION_EQUALLY, 0});
  fails(CL_INVALID_VALUE, "CL_DEVICE_PARTITION_BY_COUNTS follows the partition property CL_DEVICE_PARTITION_EQUALLY",
        {CL_DEVICE_PARTITION_EQUALLY, 2, CL_DEVICE_PARTITION_BY_COUNTS, 1, 0});
  fails(CL_INVALID_VALUE, "CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN",
        {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA});
  fails(CL_INVALID_VALUE, "empty", {CL_DEVICE_PARTITION_BY_COUNTS, 0});
  fails(CL_INVALID_DEVICE_PARTITION_COUNT, "has 8", {CL_DEVICE_PARTITION_EQUALLY, 9});
  fails(CL_DEVICE_PARTITION_FAILED, "all 8", {CL_DEVICE_PARTITION_EQUALLY, 8});
  fails(CL_INVALID_DEVICE_PARTITION_COUNT, "need 9", {CL_DEVICE_PARTITION_BY_COUNTS, 5, 4, 0});
  fails(CL_INVALID_DEVICE_PARTITION_COUNT, "-1", {CL_DEVICE_PARTITION_BY_COUNTS, -1, 0});
  fails(CL_INVALID_DEVICE_PARTITION_COUNT, "need 9 compute units",
        {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0});
  expectError(CL_INVALID_VALUE, "empty", [&] { device.partition(nullptr); });
}

TEST_F(CoreDevice, OneComputeUnitCannotBeDivided) {
  divide({CL_DEVICE_PARTITION_BY_COUNTS, 1, 0});
  const cl_device_partition_property again[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  expectError(CL_DEVICE_PARTITION_FAILED, "1 compute unit", [&] { parts[0]->partition(again); });
  EXPECT_EQ(parts[0]->partitionProperties(), std::vector<cl_device_partition_property>{0});
}

TEST_F(CoreDevice, ExtensionsAreWholeWords) {
  EXPECT_TRUE(device.supports("cl_khr_fp64"));
  EXPECT_TRUE(device.supports("cl_khr_fp64_more"));
  EXPECT_TRUE(device.supports("__opencl_c_fp64"));
  EXPECT_FALSE(device.supports("cl_khr"));
  EXPECT_FALSE(device.supports("khr_fp64"));
}

}  // namespace
}  // namespace clarity::test
