// SPDX-License-Identifier: Apache-2.0
// This file tests ulps: at powers of two, subnormal numbers and the ends of the range, in both wider formats.
#include <gtest/gtest.h>

#include "accuracy/format.h"

namespace {

using accuracy::Half;
using accuracy::inverseUlp;
using accuracy::ulpsBetween;

TEST(Format, anUlpIsTheDistanceOfNeighbours) {
  EXPECT_EQ(inverseUlp<float>(1.5), 0x1p23);
  EXPECT_EQ(inverseUlp<float>(-3.0), 0x1p22);
  EXPECT_EQ(inverseUlp<Half>(1.5), 0x1p10);
  EXPECT_EQ(inverseUlp<double>(1.5L), 0x1p52L);
  EXPECT_EQ(inverseUlp<double>(-0x1.8p1000L), 0x1p-948L);
}

// The nearest numbers that differ from a power of two are it and the one below.
TEST(Format, anUlpAtAPowerOfTwoIsTheSmallerDistance) {
  EXPECT_EQ(inverseUlp<float>(1.0), 0x1p24);
  EXPECT_EQ(inverseUlp<float>(0x1.000001p0), 0x1p23);
  EXPECT_EQ(inverseUlp<Half>(2.0), 0x1p10);
  EXPECT_EQ(inverseUlp<double>(1.0L), 0x1p53L);
}

TEST(Format, subnormalNumbersHaveTheSmallestUlp) {
  for (const double truth : {0.0, 0x1p-160, 0x1p-149, -0x1.8p-130, 0x1p-126})
    EXPECT_EQ(inverseUlp<float>(truth), 0x1p149) << truth;
  for (const double truth : {0.0, 0x1p-24, 0x1.8p-15}) EXPECT_EQ(inverseUlp<Half>(truth), 0x1p24) << truth;
  for (const long double truth : {0.0L, 0x1p-1100L, 0x1.8p-1050L})
    EXPECT_EQ(inverseUlp<double>(truth), 0x1p1074L) << truth;
}

TEST(Format, errorsAreCountedInUlps) {
  EXPECT_EQ(ulpsBetween(0x1.000002p0f, 0x1.000001p0), 0.5);
  EXPECT_EQ(ulpsBetween(0x1.00000ap0f, 0x1.0000010p0), 4.5);
  EXPECT_EQ(ulpsBetween(0x1p-149f, 0x1p-151), 0.75);
  EXPECT_EQ(ulpsBetween(0.0f, -0x1p-149), 1);
  EXPECT_EQ(ulpsBetween(1.0, 1.0L + 0x1p-54L), 0.25);
}

// Infinity counts as the number that would come behind the largest one.
TEST(Format, infinityIsTheNextNumber) {
  EXPECT_EQ(ulpsBetween(INFINITY, 0x1.fffffep127), 1);
  EXPECT_EQ(ulpsBetween(0x1.fffffep127f, 0x1p128), 1);
  EXPECT_EQ(ulpsBetween(0x1.fffffep127f, 0x1p500), 1);
  EXPECT_EQ(ulpsBetween(static_cast<Half>(INFINITY), 65504.0), 1);
  EXPECT_GT(ulpsBetween(INFINITY, 1.0), 1e30);
}

TEST(Format, kindsOfNumbers) {
  EXPECT_TRUE(accuracy::isSubnormal(0x1p-149f) && accuracy::isSubnormal(-0x1.fffffcp-127f));
  EXPECT_FALSE(accuracy::isSubnormal(0.0f) || accuracy::isSubnormal(0x1p-126f) || accuracy::isSubnormal(NAN));
  EXPECT_TRUE(accuracy::isZero(-0.0) && accuracy::isNegative(-0.0) && !accuracy::isNegative(0.0));
  EXPECT_TRUE(accuracy::isNan(std::nan("")) && !accuracy::isNan(HUGE_VAL) && !accuracy::isFinite(HUGE_VAL));
}

}  // namespace
