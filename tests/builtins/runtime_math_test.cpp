// SPDX-License-Identifier: Apache-2.0
// This file measures the runtime math against extended precision and the error table of OpenCL C 3.0, 7.4, on random
// arguments over each function's range, and checks the edge cases of 7.5.1.
#include "builtins/runtime_math.h"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <set>
#include <string_view>

#include "builtins/builtins.h"

namespace math = clarity::builtins::math;

namespace {

using Extended = long double;
constexpr Extended kPi = std::numbers::pi_v<long double>;

/// The distance of got from the true value in units of the last place of T; 0 where both are NaN or the same infinity.
template <typename T>
Extended errorInUlps(T got, Extended truth) {
  if (std::isnan(truth) || std::isnan(got)) {
    return std::isnan(truth) && std::isnan(got) ? 0 : HUGE_VALL;
  }
  if (static_cast<T>(truth) == got) {
    return std::isinf(got) ? 0 : std::fabs(static_cast<Extended>(got) - truth) == 0 ? 0 : 0.5L;
  }
  if (std::isinf(got) || std::isinf(truth)) {
    return HUGE_VALL;
  }
  int exponent = std::max(truth == 0 ? INT_MIN / 2 : std::ilogb(truth), std::numeric_limits<T>::min_exponent - 1);
  return std::fabs(static_cast<Extended>(got) - truth) / std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits + 1);
}

/// Numbers of random sign and exponent between 2^low and 2^high.
template <typename T>
class Sample {
public:
  Sample(double low, double high, bool negative) : exponents_(low, high), negative_(negative) {}
  T next() {
    T magnitude = static_cast<T>(std::exp2(exponents_(generator_)));
    return negative_ && (generator_() & 1) ? -magnitude : magnitude;
  }
  int nextInt(int bound) { return static_cast<int>(generator_() % (2 * bound + 1)) - bound; }

private:
  std::mt19937_64 generator_{42};
  std::uniform_real_distribution<double> exponents_;
  bool negative_;
};

constexpr int kTries = 20000;

template <typename T>
void unary(const char* name, T (*function)(T), Extended (*truth)(Extended), Extended ulps, double low, double high, bool negative) {
  Sample<T> sample(low, high, negative);
  Extended worst = 0;
  T where = 0;
  for (int i = 0; i < kTries; ++i) {
    T x = sample.next();
    if (Extended error = errorInUlps(function(x), truth(x)); error > worst) {
      worst = error;
      where = x;
    }
  }
  EXPECT_LE(worst, ulps) << name << (sizeof(T) == 4 ? " of float at " : " of double at ") << std::hexfloat << where;
}

template <typename T>
void binary(const char* name, T (*function)(T, T), Extended (*truth)(Extended, Extended), Extended ulps, double low, double high,
            bool negative) {
  Sample<T> sample(low, high, negative);
  for (int i = 0; i < kTries; ++i) {
    T x = sample.next(), y = sample.next();
    ASSERT_LE(errorInUlps(function(x, y), truth(x, y)), ulps)
        << name << (sizeof(T) == 4 ? " of float at " : " of double at ") << std::hexfloat << x << ", " << y << " is " << function(x, y);
  }
}

// What the C library does not have, in extended precision.
Extended exp10Truth(Extended x) { return ::exp10l(x); }
Extended sinpiTruth(Extended x) {
  Extended turn = std::remainder(x, 2.0L);
  return std::sin((std::fabs(turn) > 0.5L ? std::copysign(1.0L, turn) - turn : turn) * kPi);
}
Extended cospiTruth(Extended x) {
  Extended turn = std::fabs(std::remainder(x, 2.0L));
  return turn <= 0.25L ? std::cos(turn * kPi) : std::sin((0.5L - turn) * kPi);
}
Extended tanpiTruth(Extended x) {
  Extended turn = std::remainder(x, 1.0L);
  if (std::fabs(turn) <= 0.25L) return std::tan(turn * kPi);
  if (std::fabs(turn) == 0.5L) return std::fmod(std::floor(x), 2.0L) == 0 ? HUGE_VALL : -HUGE_VALL;
  return 1 / std::tan((std::copysign(0.5L, turn) - turn) * kPi);
}
Extended acospiTruth(Extended x) { return std::acos(x) / kPi; }
Extended asinpiTruth(Extended x) { return std::asin(x) / kPi; }
Extended atanpiTruth(Extended x) { return std::atan(x) / kPi; }
Extended atan2piTruth(Extended y, Extended x) { return std::atan2(y, x) / kPi; }

template <typename T>
class RuntimeMath : public testing::Test {};
using Types = testing::Types<float, double>;

}  // namespace

#define TRUTH(name) [](Extended x) -> Extended { return std::name(x); }
#define TRUTH_2(name) [](Extended x, Extended y) -> Extended { return std::name(x, y); }
/// unary: name, truth, the standard's bound, the range of exponents, whether negative arguments belong to the domain.
#define CHECK(name, truth, ulps, low, high, negative) \
  unary<TypeParam>(#name, static_cast<TypeParam (*)(TypeParam)>(&math::name), truth, ulps, low, high, negative)
#define CHECK_2(name, truth, ulps, low, high, negative) \
  binary<TypeParam>(#name, static_cast<TypeParam (*)(TypeParam, TypeParam)>(&math::name), truth, ulps, low, high, negative)

TYPED_TEST_SUITE(RuntimeMath, Types);

TYPED_TEST(RuntimeMath, TrigonometryWithinTheTable) {
  // The extended functions reduce arguments up to 2^63.
  CHECK(sin, TRUTH(sin), 4, -30, 60, true);
  CHECK(cos, TRUTH(cos), 4, -30, 60, true);
  CHECK(tan, TRUTH(tan), 5, -30, 60, true);
  CHECK(asin, TRUTH(asin), 4, -30, 0, true);
  CHECK(acos, TRUTH(acos), 4, -30, 0, true);
  CHECK(atan, TRUTH(atan), 5, -30, 40, true);
  CHECK(sinpi, sinpiTruth, 4, -30, 18, true);
  CHECK(cospi, cospiTruth, 4, -30, 18, true);
  CHECK(tanpi, tanpiTruth, 6, -30, 18, true);
  CHECK(asinpi, asinpiTruth, 5, -30, 0, true);
  CHECK(acospi, acospiTruth, 5, -30, 0, true);
  CHECK(atanpi, atanpiTruth, 5, -30, 40, true);
  CHECK_2(atan2, TRUTH_2(atan2), 6, -40, 40, true);
  CHECK_2(atan2pi, atan2piTruth, 6, -40, 40, true);
}

TYPED_TEST(RuntimeMath, ExponentialsWithinTheTable) {
  const double top = sizeof(TypeParam) == 4 ? 7 : 10;
  CHECK(exp, TRUTH(exp), 3, -30, top, true);
  CHECK(exp2, TRUTH(exp2), 3, -30, top, true);
  CHECK(exp10, exp10Truth, 3, -30, top, true);
  CHECK(expm1, TRUTH(expm1), 3, -30, top, true);
  CHECK(log, TRUTH(log), 3, -120, 120, false);
  CHECK(log2, TRUTH(log2), 3, -120, 120, false);
  CHECK(log10, TRUTH(log10), 3, -120, 120, false);
  CHECK(log1p, TRUTH(log1p), 2, -30, 120, false);
  CHECK(cbrt, TRUTH(cbrt), 2, -120, 120, true);
  CHECK_2(hypot, TRUTH_2(hypot), 4, -120, 120, true);
  CHECK_2(pow, TRUTH_2(pow), 16, -8, 8, false);
}

TYPED_TEST(RuntimeMath, HyperbolicAndSpecialWithinTheTable) {
  CHECK(sinh, TRUTH(sinh), 4, -30, 6, true);
  CHECK(cosh, TRUTH(cosh), 4, -30, 6, true);
  CHECK(tanh, TRUTH(tanh), 5, -30, 6, true);
  CHECK(asinh, TRUTH(asinh), 4, -30, 100, true);
  CHECK(acosh, TRUTH(acosh), 4, 0, 100, false);
  CHECK(atanh, TRUTH(atanh), 5, -30, -0.0001, true);
  CHECK(erf, TRUTH(erf), 16, -30, 3, true);
  CHECK(erfc, TRUTH(erfc), 16, -30, 3, true);
  CHECK(tgamma, TRUTH(tgamma), 16, -6, 5, true);
  CHECK(lgamma, TRUTH(lgamma), 16, 1.6, 60, false);  // the standard sets no bound
}

TYPED_TEST(RuntimeMath, IntegerPowersAndRoots) {
  Sample<TypeParam> sample(-6, 6, true);
  for (int i = 0; i < kTries; ++i) {
    TypeParam x = sample.next();
    int n = sample.nextInt(i % 2 ? 20 : 2000);
    Extended power = std::pow(static_cast<Extended>(x), static_cast<Extended>(n));
    ASSERT_LE(errorInUlps(math::pown(x, n), power), 16) << std::hexfloat << x << ", " << n;
    if (n == 0) continue;
    Extended root = std::pow(std::fabs(static_cast<Extended>(x)), 1.0L / n);
    root = n % 2 ? std::copysign(root, x) : x < 0 ? std::numeric_limits<Extended>::quiet_NaN() : root;
    ASSERT_LE(errorInUlps(math::rootn(x, n), root), 16) << std::hexfloat << x << ", " << n;
  }
}

TYPED_TEST(RuntimeMath, RemaindersAreExact) {
  Sample<TypeParam> sample(-40, 40, true);
  for (int i = 0; i < kTries; ++i) {
    TypeParam x = sample.next(), y = sample.next();
    ASSERT_EQ(math::fmod(x, y), std::fmod(static_cast<Extended>(x), static_cast<Extended>(y)));
    ASSERT_EQ(math::remainder(x, y), std::remainder(static_cast<Extended>(x), static_cast<Extended>(y)));
    Extended exact = std::remainder(static_cast<Extended>(x), static_cast<Extended>(y));
    // Where the quotient is small enough it is known exactly.
    Extended quotient = std::nearbyint((static_cast<Extended>(x) - exact) / y);
    if (std::fabs(quotient) < 0x1p50L) {
      auto magnitude = static_cast<long>(std::fabs(quotient)) & 127;
      ASSERT_EQ(math::quotient(x, y), quotient < 0 ? -magnitude : magnitude) << std::hexfloat << x << ", " << y;
    }
  }
}

template <typename T>
void expectSame(T got, T expected, const char* what) {
  bool same = std::isnan(expected) ? std::isnan(got) : got == expected && std::signbit(got) == std::signbit(expected);
  EXPECT_TRUE(same) << what << " is " << got << ", not " << expected;
}
#define EXPECT_SAME(call, expected) expectSame<TypeParam>(call, expected, #call)

TYPED_TEST(RuntimeMath, EdgeCases) {
  using T = TypeParam;
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN(), zero = 0;
  EXPECT_SAME(math::acospi(T(1)), zero);
  EXPECT_SAME(math::acospi(T(1.5)), nan);
  EXPECT_SAME(math::asinpi(-zero), -zero);
  EXPECT_SAME(math::asinpi(T(1)), T(0.5));
  EXPECT_SAME(math::atanpi(-inf), T(-0.5));
  EXPECT_SAME(math::atan2pi(zero, T(-1)), T(1));
  EXPECT_SAME(math::atan2pi(-zero, -zero), T(-1));
  EXPECT_SAME(math::atan2pi(inf, -inf), T(0.75));
  EXPECT_SAME(math::cospi(T(2.5)), zero);
  EXPECT_SAME(math::cospi(T(-0.5)), zero);
  EXPECT_SAME(math::cospi(T(3)), T(-1));
  EXPECT_SAME(math::cospi(inf), nan);
  EXPECT_SAME(math::sinpi(T(3)), zero);
  EXPECT_SAME(math::sinpi(T(-3)), -zero);
  EXPECT_SAME(math::sinpi(T(1.5)), T(-1));
  EXPECT_SAME(math::sinpi(-zero), -zero);
  EXPECT_SAME(math::sinpi(nan), nan);
  EXPECT_SAME(math::tanpi(T(2)), zero);
  EXPECT_SAME(math::tanpi(T(3)), -zero);
  EXPECT_SAME(math::tanpi(T(-2)), -zero);
  EXPECT_SAME(math::tanpi(T(-3)), zero);
  EXPECT_SAME(math::tanpi(T(2.5)), inf);
  EXPECT_SAME(math::tanpi(T(3.5)), -inf);
  EXPECT_SAME(math::tanpi(T(-0.5)), -inf);
  EXPECT_SAME(math::tanpi(T(-1.5)), inf);
  EXPECT_SAME(math::exp10(zero), T(1));
  EXPECT_SAME(math::hypot(inf, nan), inf);
  EXPECT_SAME(math::pow(T(1), nan), T(1));
  EXPECT_SAME(math::pow(zero, T(-1)), inf);
  EXPECT_SAME(math::pow(-zero, T(-1)), -inf);
  EXPECT_SAME(math::pown(nan, 0), T(1));
  EXPECT_SAME(math::pown(-zero, -3), -inf);
  EXPECT_SAME(math::pown(-zero, -2), inf);
  EXPECT_SAME(math::pown(T(-1), std::numeric_limits<int>::min()), T(1));
  EXPECT_SAME(math::pown(T(-1), std::numeric_limits<int>::max()), T(-1));
  EXPECT_SAME(math::rootn(-zero, -3), -inf);
  EXPECT_SAME(math::rootn(-zero, -2), inf);
  EXPECT_SAME(math::rootn(-zero, 2), zero);
  EXPECT_SAME(math::rootn(-zero, 3), -zero);
  EXPECT_SAME(math::rootn(T(-8), 3), T(-2));
  EXPECT_SAME(math::rootn(T(-8), 2), nan);
  EXPECT_SAME(math::rootn(T(8), 0), nan);
  EXPECT_SAME(math::fmod(T(1), zero), nan);
  EXPECT_SAME(math::remainder(inf, T(1)), nan);
  EXPECT_EQ(math::quotient(inf, T(1)), 0);
  EXPECT_EQ(math::quotient(T(1), inf), 0);
  EXPECT_EQ(math::quotient(T(-300), T(1)), -(300 & 127));
}

TEST(RuntimeSymbols, AreUniqueAndPresent) {
  std::set<std::string_view> names;
  for (const auto& symbol : clarity::builtins::runtimeSymbols()) {
    EXPECT_NE(symbol.address, nullptr) << symbol.name;
    EXPECT_TRUE(names.insert(symbol.name).second) << symbol.name << " is listed twice";
  }
  for (const char* name :
       {"__clarity_sin_f32", "__clarity_atan2pi_f64", "__clarity_pown_f32", "__clarity_quotient_f64", "__truncdfhf2", "fmaf"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}
