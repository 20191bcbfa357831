// SPDX-License-Identifier: Apache-2.0
// This file tests what works on whole vectors (geometric and common functions, selection, shuffles) and the work-item
// queries.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "library/host_environment.h"
#include "library/inputs.h"

extern "C" {
#define GEOMETRIC(T, n) void geometric_##T##_##n(const T*, const T*, T*, T*, T*, T*);
GEOMETRIC(float, 2)
GEOMETRIC(float, 3)
GEOMETRIC(float, 4)
GEOMETRIC(double, 2)
GEOMETRIC(double, 3)
GEOMETRIC(double, 4)
GEOMETRIC(half, 4)
#undef GEOMETRIC
void cross_float(const float*, const float*, float*, float*);
void fast_float4(const float*, float*, float*);
void common_float4(const float*, const float*, float*);
int any_int4(const int*);
int all_int4(const int*);
int any_char16(const char*);
int all_long3(const long*);
void select_float4(const float*, const float*, const uint*, float*);
short select_short(short, short, ushort);
#define SHUFFLES(T, U, m, n) void shuffle_##T##_##m##_##n(const T*, const T*, const U*, T*, T*);
#define RESULTS(T, U, m) SHUFFLES(T, U, m, 2) SHUFFLES(T, U, m, 4) SHUFFLES(T, U, m, 8) SHUFFLES(T, U, m, 16)
#define SOURCES(T, U) RESULTS(T, U, 2) RESULTS(T, U, 4) RESULTS(T, U, 8) RESULTS(T, U, 16)
SOURCES(char, uchar)
SOURCES(float, uint)
#undef SHUFFLES
void queries(unsigned, std::size_t*);
void barriers();
int spaces(int*);
uint nan_bits(uint);
ulong nan_bits_double(ulong);
void remquo_float4(const float*, const float*, float*, int*);
void sincos_double3(const double*, double*, double*);
void native_float2(float, float*);
}

namespace {

template <typename T>
double relativeError(T got, long double truth) {
  return truth == 0 ? std::fabs(static_cast<double>(got)) : std::fabs(static_cast<double>(got / truth - 1));
}

/// All magnitudes from near overflow to near underflow: the lengths are representable, their squares are not.
template <typename T>
void checkGeometry(void (*geometric)(const T*, const T*, T*, T*, T*, T*), int n) {
  const double epsilon = std::numeric_limits<T>::epsilon();
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  const int top = std::numeric_limits<T>::max_exponent - 3, bottom = std::numeric_limits<T>::min_exponent + 4;
  for (int exponent = bottom; exponent <= top; ++exponent) {
    T a[4], b[4], unitVector[4], dotted, length, distance;
    for (int i = 0; i < n; ++i) {
      a[i] = static_cast<T>(std::ldexp(unit(generator), exponent));
      b[i] = static_cast<T>(std::ldexp(unit(generator), exponent));
    }
    geometric(a, b, &dotted, &length, &distance, unitVector);
    long double product = 0, bound = 0, squares = 0, difference = 0;
    for (int i = 0; i < n; ++i) {
      product += static_cast<long double>(a[i]) * b[i];
      bound += std::fabs(static_cast<long double>(a[i]) * b[i]);
      squares += static_cast<long double>(a[i]) * a[i];
      difference += static_cast<long double>(a[i] - b[i]) * (a[i] - b[i]);
    }
    if (std::abs(exponent) < top / 2 - 2) {
      EXPECT_LE(std::fabs(dotted - product), bound * epsilon * n) << exponent;
    }
    EXPECT_LE(relativeError(length, std::sqrt(squares)), 2.5 * epsilon) << n << " parts of 2^" << exponent;
    EXPECT_LE(relativeError(distance, std::sqrt(difference)), 2.5 * epsilon) << n << " parts of 2^" << exponent;
    for (int i = 0; i < n; ++i) {
      EXPECT_LE(relativeError(unitVector[i], a[i] / std::sqrt(squares)), 3 * epsilon)
          << n << " parts of 2^" << exponent;
    }
  }
}

/// A vector of one large part: the quotients of the others have all magnitudes down to subnormal numbers, which keep
/// the bits that they have room for.
template <typename T>
void checkSmallParts(void (*geometric)(const T*, const T*, T*, T*, T*, T*), int n) {
  const int top = std::numeric_limits<T>::max_exponent - 3, bottom = std::numeric_limits<T>::min_exponent - 10;
  std::mt19937_64 generator(2);
  std::uniform_real_distribution<double> magnitude(1, 2);
  for (int large = bottom; large <= top; large += std::numeric_limits<T>::digits / 8) {
    for (int small = bottom; small < large; small += std::numeric_limits<T>::digits / 8) {
      T a[4], dotted, length, distance, unit[4];
      a[0] = static_cast<T>(std::ldexp(magnitude(generator), large));
      for (int i = 1; i < n; ++i) a[i] = static_cast<T>(std::ldexp(-magnitude(generator), small));
      geometric(a, a, &dotted, &length, &distance, unit);
      long double squares = 0;
      for (int i = 0; i < n; ++i) squares += static_cast<long double>(a[i]) * a[i];
      for (int i = 0; i < n; ++i) {
        const long double truth = a[i] / std::sqrt(squares);
        const long double tolerance = 3 * std::max<long double>(std::fabs(truth) * std::numeric_limits<T>::epsilon(),
                                                                std::numeric_limits<T>::denorm_min());
        EXPECT_LE(std::fabs(unit[i] - truth), tolerance) << n << " parts: 2^" << large << ", others 2^" << small;
      }
    }
  }
}

template <typename T>
void checkSpecialVectors(void (*geometric)(const T*, const T*, T*, T*, T*, T*)) {
  const T inf = static_cast<T>(INFINITY), nan = static_cast<T>(NAN);
  const T zero[4] = {}, infinite[4] = {1, -inf, 0, inf}, undefined[4] = {1, nan, 0, 0};
  T dotted, length, distance, unit[4];
  geometric(zero, zero, &dotted, &length, &distance, unit);
  EXPECT_EQ(length, T(0));
  for (T part : unit) EXPECT_EQ(part, T(0));
  geometric(infinite, zero, &dotted, &length, &distance, unit);
  EXPECT_EQ(length, inf);
  const double diagonal = std::sqrt(0.5);
  const double expected[4] = {0, -diagonal, 0, diagonal};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(static_cast<double>(unit[i]), expected[i], 1e-3) << i;
  geometric(undefined, zero, &dotted, &length, &distance, unit);
  EXPECT_TRUE(length != length);
}

template <typename T, typename U>
void checkShuffle(void (*run)(const T*, const T*, const U*, T*, T*), int m, int n) {
  T a[16], b[16], one[16], two[16];
  U mask[16];
  std::mt19937 generator(static_cast<unsigned>(m * 16 + n));
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 16; ++i) {
      a[i] = T(i + 1);
      b[i] = T(i + 50);
      mask[i] = static_cast<U>(generator());  // only the low bits count
    }
    run(a, b, mask, one, two);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(one[i], a[mask[i] % m]) << m << " to " << n;
      unsigned lane = mask[i] % (2 * m);
      EXPECT_EQ(two[i], lane < static_cast<unsigned>(m) ? a[lane] : b[lane - m]) << m << " to " << n;
    }
  }
}

}  // namespace

TEST(Geometric, FromUnderflowToOverflow) {
  checkGeometry(&geometric_float_2, 2);
  checkGeometry(&geometric_float_3, 3);
  checkGeometry(&geometric_float_4, 4);
  checkGeometry(&geometric_double_2, 2);
  checkGeometry(&geometric_double_3, 3);
  checkGeometry(&geometric_double_4, 4);
}

TEST(Geometric, SmallPartsOfLargeVectors) {
  checkSmallParts(&geometric_float_2, 2);
  checkSmallParts(&geometric_float_3, 3);
  checkSmallParts(&geometric_float_4, 4);
  checkSmallParts(&geometric_double_2, 2);
  checkSmallParts(&geometric_double_3, 3);
  checkSmallParts(&geometric_double_4, 4);
}

TEST(Geometric, ZeroInfinityAndNan) {
  checkSpecialVectors(&geometric_float_4);
  checkSpecialVectors(&geometric_double_4);
  checkSpecialVectors(&geometric_half_4);
}

TEST(Geometric, CrossAndFast) {
  const float a[4] = {1, 2, 3, 9}, b[4] = {-4, 5, 0.5f, 7};
  float three[3], four[4], length, unit[4];
  cross_float(a, b, three, four);
  const float expected[3] = {2 * 0.5f - 3 * 5, 3 * -4 - 1 * 0.5f, 1 * 5 - 2 * -4};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(three[i], expected[i]);
    EXPECT_EQ(four[i], expected[i]);
  }
  EXPECT_EQ(four[3], 0.0f);
  fast_float4(a, &length, unit);
  EXPECT_NEAR(length, std::sqrt(95.0), 1e-5);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(unit[i], a[i] / std::sqrt(95.0), 1e-6);
}

TEST(Common, FloatFour) {
  const float a[4] = {-2, 0.25f, 0.5f, 10}, b[4] = {4, 0, 0.75f, -6};
  float out[10][4];
  common_float4(a, b, &out[0][0]);
  for (int i = 0; i < 4; ++i) {
    EXPECT_FLOAT_EQ(out[0][i], a[i] + (b[i] - a[i]) * 0.25f);
    float t = std::clamp((a[i] + 1) / 4, 0.0f, 1.0f);
    EXPECT_FLOAT_EQ(out[1][i], t * t * (3 - 2 * t));
    EXPECT_EQ(out[2][i], std::clamp(a[i], -1.0f, 1.0f));
    EXPECT_FLOAT_EQ(out[3][i], a[i] * 57.29577951308232f);
    EXPECT_FLOAT_EQ(out[4][i], a[i] * 0.017453292519943295f);
    EXPECT_EQ(out[5][i], std::max(a[i], 0.5f));
    EXPECT_EQ(out[6][i], std::min(a[i], b[i]));
    EXPECT_EQ(out[7][i], a[i] < 0.5f ? 0.0f : 1.0f);
    EXPECT_FLOAT_EQ(out[8][i], a[i] * b[i] + a[i]);
    EXPECT_EQ(out[9][i], std::fma(a[i], b[i], a[i]));
  }
}

TEST(Relational, AnyAllAndSelect) {
  const int none[4] = {1, 2, 0x7fffffff, 0}, some[4] = {0, 0, -1, 5}, every[4] = {-1, -2, INT32_MIN, -1};
  EXPECT_EQ(any_int4(none), 0);
  EXPECT_EQ(any_int4(some), 1);
  EXPECT_EQ(all_int4(some), 0);
  EXPECT_EQ(all_int4(every), 1);
  char bytes[16] = {};
  EXPECT_EQ(any_char16(bytes), 0);
  bytes[15] = -128;
  EXPECT_EQ(any_char16(bytes), 1);
  const long three[4] = {-1, -1, -1, 0}, two[4] = {-1, -1, 1, -1};
  EXPECT_EQ(all_long3(three), 1);
  EXPECT_EQ(all_long3(two), 0);

  const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  const uint mask[4] = {0, 0x80000000, 0x7fffffff, 0xffffffff};
  float out[3][4];
  select_float4(a, b, mask, &out[0][0]);
  const float chosen[4] = {1, 6, 3, 8};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(out[0][i], chosen[i]);
    EXPECT_EQ(out[1][i], chosen[i]);
    EXPECT_EQ(bitsOf(out[2][i]), (bitsOf(a[i]) & ~mask[i]) | (bitsOf(b[i]) & mask[i]));
  }
  EXPECT_EQ(select_short(1, 2, 4), 2);
  EXPECT_EQ(select_short(1, 2, 0), 1);
}

TEST(Shuffle, EveryPairOfWidths) {
#define SHUFFLES(T, U, m, n) checkShuffle<T, U>(&shuffle_##T##_##m##_##n, m, n);
  SOURCES(char, uchar)
  SOURCES(float, uint)
}

TEST(WorkItem, QueriesOfEveryDimension) {
  ndRange = {};
  ndRange.globalId = {15, 27, 39};
  ndRange.localId = {1, 2, 3};
  ndRange.groupId = {4, 5, 6};
  ndRange.globalOffset = {10, 20, 30};
  ndRange.globalSize = {100, 200, 300};
  ndRange.localSize = {7, 8, 9};
  ndRange.enqueuedLocalSize = {17, 18, 19};
  ndRange.numGroups = {21, 22, 23};
  ndRange.workDim = 3;
  std::size_t out[11];
  for (unsigned dim = 0; dim < 3; ++dim) {
    queries(dim, out);
    const std::size_t expected[11] = {ndRange.globalId[dim],          ndRange.localId[dim],    ndRange.groupId[dim],
                                      ndRange.globalOffset[dim],      ndRange.globalSize[dim], ndRange.localSize[dim],
                                      ndRange.enqueuedLocalSize[dim], ndRange.numGroups[dim],  3,
                                      (9 * 200 + 7) * 100 + 5,        (3 * 8 + 2) * 7 + 1};
    for (int i = 0; i < 11; ++i) EXPECT_EQ(out[i], expected[i]) << "query " << i << " of dimension " << dim;
  }
  for (unsigned dim : {3u, 4u, 0xffffffffu}) {
    queries(dim, out);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(out[i], 0u) << "query " << i << " of dimension " << dim;
    for (int i = 4; i < 8; ++i) EXPECT_EQ(out[i], 1u) << "query " << i << " of dimension " << dim;
  }
}

TEST(WorkItem, BarriersPassTheirFlags) {
  ndRange = {};
  barriers();
  EXPECT_EQ(ndRange.barriers, (std::vector<unsigned>{1, 2, 3}));
  // The last one has a wider scope than the work-group's: a release and an acquire.
  EXPECT_EQ(ndRange.fences, (std::vector<std::array<int, 2>>{{3, 2}, {2, 2}}));
}

TEST(WorkItem, AddressSpaces) {
  ndRange = {};
  int global = 0, local = 0, own = 0;
  ndRange.localPointer = &local;
  ndRange.privatePointer = &own;
  EXPECT_EQ(spaces(&global), 1 + 8 * 2);
  EXPECT_EQ(spaces(&local), 2 + 8 * 1);
  EXPECT_EQ(spaces(&own), 4 + 8 * 2);
}

TEST(Math, SecondResultsAndNatives) {
  EXPECT_EQ(nan_bits(0x12345678), 0x7fc00000u | (0x12345678 & 0x3fffff));
  EXPECT_EQ(nan_bits_double(~0ul), 0x7ffffffffffffffful);
  const float a[4] = {7, -7, 200, 1e10f}, b[4] = {2, 2, 1, 3};
  float rest[4];
  int quotients[4];
  remquo_float4(a, b, rest, quotients);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(rest[i], std::remainder(a[i], b[i]));
  EXPECT_EQ(quotients[0], 4);
  EXPECT_EQ(quotients[1], -4);
  EXPECT_EQ(quotients[2], 200 & 127);
  EXPECT_EQ(quotients[3], 3333333333l & 127);
  const double angles[3] = {0.5, -2, 100};
  double sines[3], cosines[3];
  sincos_double3(angles, sines, cosines);
  for (int i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(sines[i], std::sin(angles[i]));
    EXPECT_DOUBLE_EQ(cosines[i], std::cos(angles[i]));
  }
  float native[8];
  native_float2(1.75f, native);
  const float expected[8] = {std::sin(1.75f), std::exp2(1.75f), 1 / 1.75f,        1 / std::sqrt(1.75f),
                             1.75f * 1.75f,   1 / 1.75f,        std::log2(1.75f), std::log2(3.5f)};
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(native[i] / expected[i], 1, 1e-5) << i;
}
