// SPDX-License-Identifier: Apache-2.0
// This file tests the 128-bit hash.
#include "support/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <string>

namespace clarity::support {
namespace {

TEST(Hash, isStableAcrossProcesses) {
  // Cache entries and binaries hold these: whoever changes the function changes the formats' versions too.
  EXPECT_EQ(hashOf("").hex(), "3351a18bc328692455dc1a453d516273");
  EXPECT_EQ(hashOf("Clarity").hex(), "09523cfa5d7787c12e209cd3964f701d");
}

TEST(Hash, fieldsKeepTheirBorders) {
  EXPECT_NE(Hasher().add("ab").add("c").finish(), Hasher().add("a").add("bc").finish());
  EXPECT_NE(Hasher().add("a").add("").finish(), Hasher().add("a").finish());
  EXPECT_NE(Hasher().add(std::uint64_t{1}).finish(), Hasher().add(std::string_view("\1\0\0\0\0\0\0\0", 8)).finish());
}

TEST(Hash, everyBitCounts) {
  std::string text(100, '\0');
  const Hash128 before = hashOf(text);
  std::set<Hash128> seen{before};
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    text[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    const Hash128 after = hashOf(text);
    EXPECT_TRUE(seen.insert(after).second) << "bit " << bit;
    const int changed = std::popcount(after.high ^ before.high) + std::popcount(after.low ^ before.low);
    EXPECT_GT(changed, 30) << "bit " << bit;
    EXPECT_LT(changed, 98) << "bit " << bit;
    text[bit / 8] ^= static_cast<char>(1 << (bit % 8));
  }
}

TEST(Hash, tellsLengthsOfZerosApart) {
  std::set<Hash128> seen;
  for (std::size_t length = 0; length < 200; ++length)
    EXPECT_TRUE(seen.insert(hashOf(std::string(length, '\0'))).second);
}

TEST(Hash, hexHasThirtyTwoDigits) {
  EXPECT_EQ((Hash128{0x0123456789abcdefull, 0xfull}).hex(), "0123456789abcdef000000000000000f");
}

}  // namespace
}  // namespace clarity::support
