// SPDX-License-Identifier: Apache-2.0
// This file tests the writer and the tables behind the clGet*Info queries.
#include "api/info.h"
#include "api/versions.h"
#include "core_fake_device.h"

#include <array>

namespace clarity::test {
namespace {

using api::InfoRow;
using api::InfoWriter;

struct Thing {
  cl_uint number = 7;
  std::string text = "clarity";
  std::vector<std::size_t> list{1, 2, 3};
};

const InfoRow<const Thing> kThing[] = {
    INFO_ROW(cl_ulong, CL_DEVICE_VENDOR_ID, it.number),
    INFO_ROW(std::string, CL_DEVICE_NAME, it.text),
    INFO_ROW(std::vector<std::size_t>, CL_DEVICE_MAX_WORK_ITEM_SIZES, it.list),
};

struct CoreInfo : testing::Test {
  const Thing thing;
  std::size_t size = 999;
  std::array<unsigned char, 64> room{};
  void ask(cl_uint param, std::size_t bytes, void* to) { api::answer(kThing, thing, param, bytes, to, &size); }
};

TEST_F(CoreInfo, ScalarHasTheTypeOfTheTableNotOfTheExpression) {
  cl_ulong value = ~0ULL;
  ask(CL_DEVICE_VENDOR_ID, sizeof value, &value);
  EXPECT_EQ(value, 7U);
  EXPECT_EQ(size, sizeof(cl_ulong));
}

TEST_F(CoreInfo, StringEndsWithAZero) {
  room.fill(0xAA);
  ask(CL_DEVICE_NAME, room.size(), room.data());
  EXPECT_EQ(size, 8U);
  EXPECT_STREQ(reinterpret_cast<const char*>(room.data()), "clarity");
  EXPECT_EQ(room[8], 0xAA);
}

TEST_F(CoreInfo, ArrayHasAllElements) {
  std::size_t values[3] = {};
  ask(CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof values, values);
  EXPECT_EQ(size, sizeof values);
  EXPECT_EQ(values[2], 3U);
}

TEST_F(CoreInfo, SizeAloneIgnoresTheRoom) {
  ask(CL_DEVICE_NAME, 0, nullptr);
  EXPECT_EQ(size, 8U);
  api::answer(kThing, thing, CL_DEVICE_NAME, 0, nullptr, nullptr);
}

TEST_F(CoreInfo, TooLittleRoomNamesTheParameterAndBothSizes) {
  room.fill(0xAA);
  expectError(CL_INVALID_VALUE, "CL_DEVICE_NAME: param_value_size is 7, the value has 8 bytes",
              [&] { ask(CL_DEVICE_NAME, 7, room.data()); });
  EXPECT_EQ(room[0], 0xAA);
  EXPECT_EQ(size, 999U);
}

TEST_F(CoreInfo, UnknownParameterIsNamed) {
  expectError(CL_INVALID_VALUE, "0xabcd", [&] { ask(0xABCD, room.size(), room.data()); });
}

TEST_F(CoreInfo, ValuesGivesTheCallersArray) {
  std::array<void*, 2> pointers{};
  InfoWriter out("P", sizeof pointers, pointers.data(), &size);
  EXPECT_EQ(out.values<void*>(2), pointers.data());
  EXPECT_EQ(size, sizeof pointers);
  expectError(CL_INVALID_VALUE, "the value has 24 bytes", [&] { out.values<void*>(3); });
}

TEST(CoreVersions, NamesAreSplitByPrefix) {
  const std::string names = "cl_khr_fp64 __opencl_c_fp64 cl_khr_icd";
  const auto extensions = api::extensionVersions(names);
  ASSERT_EQ(extensions.size(), 2U);
  EXPECT_STREQ(extensions[1].name, "cl_khr_icd");
  EXPECT_EQ(extensions[0].version, static_cast<cl_version>(CL_MAKE_VERSION(1, 0, 0)));
  EXPECT_EQ(extensions[1].version, static_cast<cl_version>(CL_MAKE_VERSION(2, 0, 1)));
  const auto features = api::featureVersions(names);
  ASSERT_EQ(features.size(), 1U);
  EXPECT_STREQ(features[0].name, "__opencl_c_fp64");
  EXPECT_TRUE(api::extensionVersions("").empty());
}

TEST(CoreVersions, LongNamesAreCutNotOverrun) {
  const cl_name_version cut = api::nameVersion(std::string(100, 'x'), 1);
  EXPECT_EQ(std::strlen(cut.name), sizeof cut.name - 1);
}

}  // namespace
}  // namespace clarity::test
