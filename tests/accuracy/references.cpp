// SPDX-License-Identifier: Apache-2.0
// This file tests the references that are composed, at points whose values are known otherwise, and the inputs.
#include <gtest/gtest.h>

#include <cstring>
#include <numbers>
#include <set>

#include "accuracy/inputs.h"
#include "accuracy/references.h"
#include "named.h"

namespace {

using namespace accuracy;

template <class T>
Truth<T> of(const char* name, T x, T y = 0, int n = 0) {
  return named<T>(name).referenceOfOne({x, y, 0, n});
}

TEST(References, halfTurnsAreReducedExactly) {
  EXPECT_EQ(of("sinpi", 0x1p60).first, 0);
  EXPECT_EQ(of("cospi", 0x1p60).first, 1);
  EXPECT_EQ(of("cospi", 2.5).first, 0);
  EXPECT_FALSE(std::signbit(of("cospi", -2.5).first));
  EXPECT_TRUE(std::signbit(of("sinpi", -3.0).first));
  EXPECT_EQ(of("sinpi", 1000000.5).first, 1);
  EXPECT_NEAR(static_cast<double>(of("sinpi", 1.0 / 6).first), 0.5, 1e-16);
  EXPECT_TRUE(std::isnan(of("sinpi", HUGE_VAL).first));
}

// OpenCL C 3.0, section 7.5.1.
TEST(References, polesAndZerosOfTanpi) {
  EXPECT_EQ(of("tanpi", 0.5).first, HUGE_VALL);
  EXPECT_EQ(of("tanpi", 1.5).first, -HUGE_VALL);
  EXPECT_EQ(of("tanpi", -0.5).first, -HUGE_VALL);
  EXPECT_EQ(of("tanpi", 2.5).first, HUGE_VALL);
  EXPECT_TRUE(std::signbit(of("tanpi", 3.0).first) && !std::signbit(of("tanpi", 4.0).first));
  EXPECT_TRUE(!std::signbit(of("tanpi", -3.0).first) && std::signbit(of("tanpi", -4.0).first));
  EXPECT_NEAR(static_cast<double>(of("tanpi", 0.75).first), -1, 1e-15);
}

TEST(References, rootsAreExactToTheLastPlaces) {
  for (const int n : {2, 3, 4, 5, 7, 10, 1000, 2147483647, -1, -2, -3, -7}) {
    const double x = 0x1.23456789abcdep+900;
    const long double root = of("rootn", x, 0.0, n).first;
    // root^n = x (1 + n e): the error e of the root shows n times.
    const long double power = std::pow(root, static_cast<long double>(n));
    EXPECT_LT(std::fabs(power / x - 1), std::fabs(static_cast<long double>(n)) * 0x1p-60L) << n;
  }
  EXPECT_EQ(of("rootn", -27.0, 0.0, 3).first, -3);
  EXPECT_TRUE(std::isnan(of("rootn", -4.0, 0.0, 2).first) && std::isnan(of("rootn", 4.0, 0.0, 0).first));
  EXPECT_EQ(of("rootn", -0.0, 0.0, -3).first, -HUGE_VALL);
  EXPECT_EQ(of("rootn", -0.0, 0.0, -4).first, HUGE_VALL);
}

TEST(References, powersOfPositiveNumbers) {
  EXPECT_TRUE(std::isnan(of("powr", 0.0f, 0.0f).first) && std::isnan(of("powr", HUGE_VALF, 0.0f).first) &&
              std::isnan(of("powr", -1.0f, 2.0f).first));
  EXPECT_TRUE(std::isnan(of("powr", 1.0f, HUGE_VALF).first));
  EXPECT_EQ(of("powr", -0.0f, -3.0f).first, HUGE_VAL);
  EXPECT_EQ(of("pow", -0.0f, -3.0f).first, -HUGE_VAL);
  EXPECT_EQ(of("powr", 3.0f, 2.0f).first, 9);
}

TEST(References, remquoHasSevenBitsOfTheQuotient) {
  EXPECT_EQ(of("remquo", 1000.0f, 3.0f).first, 1);
  EXPECT_EQ(of("remquo", 1000.0f, 3.0f).second, 333 % 128);
  EXPECT_EQ(of("remquo", -1000.0f, 3.0f).second, -(333 % 128));
  EXPECT_EQ(of("remquo", 7.0f, 2.0f).second, 4) << "3.5 is a tie: the even one";
  EXPECT_EQ(of("remquo", 255.0, 2.0).second, 0) << "127.5 is a tie: 128";
  EXPECT_EQ(of("remquo", 0x1.8p1000, 0x1p1000).second, 2);
  EXPECT_EQ(of("remquo", HUGE_VALF, 2.0f).second, 0);
  EXPECT_TRUE(std::isnan(of("remquo", HUGE_VALF, 2.0f).first));
}

// Half of y is left, and the even quotient decides its sign.
TEST(References, remainderOfATie) {
  EXPECT_EQ(of("remainder", -0x1.08288d4efc552p+49, 0x1.88p+4).first, -12.25);
  EXPECT_EQ(of("remainder", 7.0, 2.0).first, -1);
  EXPECT_EQ(of("remainder", 5.0f, 2.0f).first, 1);
  EXPECT_FALSE(std::signbit(of("remainder", 0x1.4c52881477fcap-814, -0x1p-976).first)) << "0 has the sign of x";
}

TEST(References, partsOfNumbers) {
  EXPECT_EQ(of("fract", -0x1p-60f).first, 0x1.fffffep-1f) << "less than 1";
  EXPECT_EQ(of("fract", -0x1p-60f).second, -1);
  EXPECT_TRUE(std::signbit(of("fract", -0.0f).first) && !std::signbit(of("fract", -3.0f).first));
  EXPECT_EQ(of("modf", -HUGE_VALF).second, -HUGE_VAL);
  EXPECT_TRUE(std::signbit(of("modf", -HUGE_VALF).first));
  EXPECT_EQ(of("frexp", 0x1p-149f).second, -148);
  EXPECT_EQ(of("nextafter", 0.0f, -1.0f).first, -0x1p-149);
  EXPECT_EQ(of("nextafter", static_cast<Half>(1), static_cast<Half>(2)).first, 0x1.004p0);
  EXPECT_EQ(of("lgamma_r", -2.0f).second, 0);
  EXPECT_EQ(of("lgamma_r", -0.5f).second, -1);
}

// The fused sum of halves rounds once: to nearest even where the product alone is a tie.
TEST(References, fusedMultiplyAddRoundsOnce) {
  const Half x = static_cast<Half>(0x1.004p0), tiny = static_cast<Half>(0x1p-24);
  const Truth<Half> up = named<Half>("fma").referenceOfOne({x, static_cast<Half>(0x1.8p0), tiny, 0}),
                    down =
                        named<Half>("fma").referenceOfOne({x, static_cast<Half>(0x1.8p0), static_cast<Half>(-tiny), 0});
  EXPECT_EQ(up.first, 0x1.808p0) << "0x1.806p0 and more";
  EXPECT_EQ(down.first, 0x1.804p0);
}

// The quick references of float agree with the others far below an ulp, at the inputs that a measurement begins with,
// too.
TEST(References, quickOnesAgree) {
  constexpr std::size_t count = 5000;
  Block<float> block(count);
  std::vector<Truth<float>> quick(count), slow(count);
  for (const Function<float>& function : functions<float>()) {
    if (!function.quick || std::string(function.name).starts_with("lgamma"))
      continue;  // measure() compares these, too, and may do without
    Inputs<float>(function, count).fill(block, 0, count);
    function.quick(block, quick.data());
    function.reference(block, slow.data());
    for (std::size_t i = 0; i < count; ++i) {
      const double a = quick[i].first, b = slow[i].first;
      if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0 || std::fabs(b) > 0x1p128) continue;
      ASSERT_LT(std::fabs(a - b) * inverseUlp<float>(b), 0x1p-16)
          << function.name << " of " << block.x[i] << ", " << block.y[i] << ", " << block.n[i];
    }
  }
}

TEST(Inputs, areTheSameInBlocksOfAnySize) {
  const Inputs<double> inputs(named<double>("pow"), 1 << 16);
  Block<double> all(1000), part(300);
  inputs.fill(all, 32000, 1000);
  inputs.fill(part, 32500, 300);
  for (std::size_t i = 0; i < 300; ++i) {
    ASSERT_EQ(bitsOf(part.x[i]), bitsOf(all.x[500 + i]));
    ASSERT_EQ(bitsOf(part.y[i]), bitsOf(all.y[500 + i]));
  }
}

TEST(Inputs, ofOneHalfAreAll) {
  const Inputs<Half> inputs(named<Half>("sin"), std::uint64_t{1} << 30);
  ASSERT_EQ(inputs.count(), 65536u);
  Block<Half> block(65536);
  inputs.fill(block, 0, 65536);
  std::set<std::uint16_t> seen;
  for (const Half x : block.x) seen.insert(bitsOf(x));
  EXPECT_EQ(seen.size(), 65536u);
}

TEST(Inputs, holdEveryPairOfEdges) {
  const std::size_t edges = edgeValues<float>().size(), count = 2 * edges * edges;
  const Inputs<float> inputs(named<float>("atan2"), count);
  Block<float> block(count);
  inputs.fill(block, 0, count);
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (std::size_t i = 0; i < edges * edges; ++i) seen.emplace(bitsOf(block.x[i]), bitsOf(block.y[i]));
  for (const float x : {0.0f, -0.0f, HUGE_VALF, 0x1p-149f, 1.0f})
    for (const float y : {0.0f, -0.0f, -HUGE_VALF, 0x1.fffffep127f})
      EXPECT_TRUE(seen.contains({bitsOf(x), bitsOf(y)})) << x << ", " << y;
}

}  // namespace
