// SPDX-License-Identifier: Apache-2.0
// This file tests how a joined device chooses shares, and where it takes content to be.
#include "device/cpu/device.h"
#include "device/joined/memory.h"
#include "device/joined/shares.h"

#include <gtest/gtest.h>

#include <vector>

namespace clarity::device::joined {
namespace {

using Cut = std::vector<std::size_t>;

TEST(JoinedShares, RuleByName) {
  ShareRule rule;
  EXPECT_TRUE(ShareRule::parse("random", 2, rule));
  EXPECT_EQ(rule.kind, ShareRule::Kind::Random);
  EXPECT_TRUE(ShareRule::parse("1:3", 2, rule));
  EXPECT_EQ(rule.kind, ShareRule::Kind::Fixed);
  EXPECT_EQ(rule.weights, (std::vector<double>{1, 3}));
  for (const char* const wrong : {"1:3:2", "1", "0:0", "1:", ":1", "1;3", ""})
    EXPECT_FALSE(ShareRule::parse(wrong, 2, rule)) << wrong;
}

TEST(JoinedShares, FollowSpeed) {
  Speeds speeds({1, 1});
  EXPECT_EQ(speeds.cut(100, 0), (Cut{0, 50, 100}));
  speeds.learn(0, 1000, 3000);
  speeds.learn(1, 1000, 1000);
  EXPECT_EQ(speeds.cut(100, 0), (Cut{0, 25, 100}));
  // A small difference moves nothing.
  speeds.learn(0, 1000, 3100);
  EXPECT_EQ(speeds.cut(100, 0), (Cut{0, 25, 100}));
  EXPECT_EQ(speeds.cut(200, 0).back(), 200U);
}

TEST(JoinedShares, PartThatHasNotRunYet) {
  Speeds speeds({1, 3});
  speeds.learn(0, 1000, 3000);
  EXPECT_DOUBLE_EQ(speeds.timeOf(0, 100), 300);
  EXPECT_DOUBLE_EQ(speeds.timeOf(1, 100), 100);
  EXPECT_EQ(speeds.fastest(), 1U);
}

TEST(JoinedShares, MovingPaysWhenOftenEnough) {
  Speeds speeds({1, 1});
  EXPECT_FALSE(speeds.isWorth(10, 25));
  EXPECT_FALSE(speeds.isWorth(10, 25));
  EXPECT_TRUE(speeds.isWorth(10, 25));
  EXPECT_FALSE(speeds.isWorth(10, 25));
  EXPECT_FALSE(speeds.isWorth(-1, 0));
  EXPECT_TRUE(speeds.isWorth(1, 0));
}

struct JoinedMemory : testing::Test {
  std::unique_ptr<Device> first = cpu::createDevice({}), second = cpu::createDevice({});
  JoinedPool pool{{&first->memory(), &second->memory()}};
  std::unique_ptr<Allocation> allocation = pool.allocate(100);
  JoinedAllocation& joined = static_cast<JoinedAllocation&>(*allocation);
};

TEST_F(JoinedMemory, EveryByteIsWhereItWasWritten) {
  using Pieces = std::vector<std::pair<PartIndex, support::Interval>>;
  EXPECT_EQ(joined.whereIs({0, 100}), (Pieces{{0, {0, 100}}}));
  joined.residency().written(JoinedAllocation::place(0), {0, 60});
  joined.residency().written(JoinedAllocation::place(1), {50, 100});
  EXPECT_EQ(joined.whereIs({10, 90}), (Pieces{{0, {10, 50}}, {1, {50, 90}}}));
  EXPECT_EQ(joined.missing(0, {0, 100}), 50U);
  EXPECT_EQ(joined.missing(1, {40, 100}), 10U);
  joined.setUser(1, {20, 30});
  EXPECT_EQ(joined.usersOf({0, 40}), (Pieces{{0, {0, 20}}, {1, {20, 30}}, {0, {30, 40}}}));
}

TEST_F(JoinedMemory, InitialContentIsTheFirstParts) {
  const std::vector<std::byte> bytes(100, std::byte{7});
  ASSERT_TRUE(pool.initialise(*allocation, bytes.data(), bytes.size()));
  EXPECT_EQ(joined.missing(0, {0, 100}), 0U);
  EXPECT_EQ(joined.missing(1, {0, 100}), 100U);
  EXPECT_EQ(joined.copy(0).hostAddress()[99], std::byte{7});
}

}  // namespace
}  // namespace clarity::device::joined
