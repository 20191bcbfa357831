// SPDX-License-Identifier: Apache-2.0
// This file tests the work-group sizes that are chosen where the application chose none.
#include "device/host/local_size.h"

#include <gtest/gtest.h>

namespace clarity::test {
namespace {

using device::NDRange;
using Size = std::array<std::size_t, 3>;

struct LocalSize : testing::Test {
  device::Properties device;
  compiler::KernelInfo info;

  LocalSize() {
    device.computeUnits = 8;
    device.maxWorkGroupSize = 4096;
    for (std::size_t& most : device.maxWorkItemSizes) most = 4096;
    device.preferredWorkGroupMultiple = 16;
    device.nonUniformWorkGroups = true;
    info.hasBarrier = true;
  }
  Size chosen(Size global) {
    NDRange range{.dims = 3, .global = global};
    device::host::chooseLocalSize(info, device, range);
    return range.local;
  }
  static std::size_t total(const Size& size) { return size[0] * size[1] * size[2]; }
};

const Size sizesToDivide[] = {{1, 1, 1},       {7, 1, 1},       {100, 1, 1},   {1000, 1, 1},  {1009, 1, 1},
                              {10007, 1, 1},   {1 << 20, 1, 1}, {640, 480, 1}, {63, 65, 1},   {17, 19, 23},
                              {1, 1000, 1},    {1, 1, 4096},    {4097, 3, 1},  {99991, 1, 1}, {128, 128, 8},
                              {1920, 1080, 1}, {5000, 5000, 1}};

TEST_F(LocalSize, dividesAndStaysWithinTheDevice) {
  for (const Size& global : sizesToDivide) {
    const Size local = chosen(global);
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_EQ(global[d] % local[d], 0u) << global[0] << 'x' << global[1] << 'x' << global[2];
      EXPECT_LE(local[d], device.maxWorkItemSizes[d]);
    }
    EXPECT_LE(total(local), device.maxWorkGroupSize);
  }
}

// As many sub-groups as the kernel demands; the last one may be smaller, so that the global size is divided.
TEST_F(LocalSize, hasTheSubGroupsThatAreDemanded) {
  info.subGroupSize = 16;
  info.requiredSubGroups = 3;
  EXPECT_EQ(chosen({480, 1, 1}), (Size{48, 1, 1}));
  EXPECT_EQ(chosen({450, 2, 1}), (Size{45, 1, 1}));
  EXPECT_EQ(chosen({1009, 1, 1}), (Size{48, 1, 1}));
}

TEST_F(LocalSize, aSmallDeviceToo) {
  device.maxWorkGroupSize = 32;
  device.maxWorkItemSizes[2] = 2;
  for (const Size& global : sizesToDivide) {
    const Size local = chosen(global);
    EXPECT_LE(total(local), 32u);
    EXPECT_LE(local[2], 2u);
  }
}

// The last answer of a thread is remembered; it is another device's answer when the limits differ.
TEST_F(LocalSize, twoDevicesInTurn) {
  const Size prime{1009, 1, 1};
  EXPECT_EQ(chosen(prime), prime);
  device.maxWorkItemSizes[0] = 512;
  EXPECT_NE(chosen(prime), prime);
  EXPECT_LE(chosen(prime)[0], 512u);
}

TEST_F(LocalSize, dividesWhereTheDeviceHasUniformWorkGroupsOnly) {
  info.hasBarrier = false;
  info.groupAgnostic = true;
  info.uniformWorkGroups = false;
  EXPECT_EQ(chosen({1000, 1, 1}), (Size{256, 1, 1}));
  device.nonUniformWorkGroups = false;
  EXPECT_EQ(1000 % chosen({1000, 1, 1})[0], 0u);
}

TEST_F(LocalSize, goodSizesWhereThereAreAny) {
  EXPECT_EQ(chosen({1 << 20, 1, 1}), (Size{256, 1, 1}));
  EXPECT_EQ(chosen({5120, 5120, 1}), (Size{64, 4, 1}));
  EXPECT_EQ(chosen({1 << 10, 1 << 10, 1 << 10}), (Size{64, 4, 1}));
  const Size local = chosen({1920, 1080, 1});
  EXPECT_EQ(local[0] % 16, 0u);
  EXPECT_GE(total(local), 64u);
  EXPECT_LE(total(local), 256u);
}

TEST_F(LocalSize, oneLongWorkGroupIsBetterThanManyOfOneWorkItem) {
  EXPECT_EQ(chosen({1009, 1, 1}), (Size{1009, 1, 1}));
  // Longer than any work-group: there is no choice.
  EXPECT_EQ(chosen({10007, 1, 1}), (Size{1, 1, 1}));
}

TEST_F(LocalSize, smallerWorkGroupsAtTheEdgesWhereTheyAreAllowed) {
  info.uniformWorkGroups = false;
  EXPECT_EQ(chosen({10007, 1, 1}), (Size{256, 1, 1}));
  EXPECT_EQ(chosen({1 << 20, 1, 1}), (Size{256, 1, 1}));
  EXPECT_EQ(1000u % chosen({1000, 1, 1})[0], 0u) << "there are good sizes that divide it";
}

TEST_F(LocalSize, hintsAreHonouredWhereTheyFit) {
  info.localSizeHint = {50, 2, 1};
  EXPECT_EQ(chosen({1000, 1000, 1}), (Size{50, 2, 1}));
  EXPECT_NE(chosen({1001, 7, 1}), (Size{50, 2, 1}));
}

TEST_F(LocalSize, whatTheKernelRequires) {
  info.requiredLocalSize = {8, 8, 2};
  EXPECT_EQ(chosen({64, 64, 64}), (Size{8, 8, 2}));
}

TEST_F(LocalSize, fewWorkItemsOfKernelsThatKeepMuch) {
  info.privateBytes = 16 << 10;
  EXPECT_LE(total(chosen({1 << 20, 1, 1})), 16u);
  info.hasBarrier = false;
  EXPECT_EQ(chosen({1 << 20, 1, 1}), (Size{256, 1, 1}));
}

}  // namespace
}  // namespace clarity::test
