// SPDX-License-Identifier: Apache-2.0
// This file measures the math builtins of half against extended precision: those of one argument on all 65,536 of them.
// The bounds are those of cl_khr_fp16. The largest errors go into the report (--gtest_output=json).
#include <gtest/gtest.h>

#include <climits>
#include <cstdio>
#include <string>

#include "library/extended_math.h"
#include "library/inputs.h"

namespace {

Extended ulpOf(Extended truth) {
  const int exponent = truth == 0 ? -14 : std::clamp(std::ilogb(truth), -14, 15);
  return std::ldexp(1.0L, exponent - 10);
}

/// A result beyond the largest half counts as the number that would come next, as far as errors go.
Extended numberOf(half result) {
  return std::isinf(static_cast<float>(result)) ? std::copysign(65536.0L, static_cast<Extended>(result)) : result;
}

/// The error in ulps; less than 0 where the result is wrong in kind.
Extended errorOf(half got, Extended truth) {
  if (std::isnan(truth) || got != got) return std::isnan(truth) && got != got ? 0 : -1;
  if (truth == 0) return got == 0 && std::signbit(static_cast<float>(got)) == std::signbit(truth) ? 0 : -1;
  if (std::isinf(truth)) return static_cast<Extended>(got) == truth ? 0 : -1;
  if (std::fabs(truth) >= 65520)
    return std::isinf(static_cast<float>(got)) && (truth > 0) == (got > 0)
               ? 0
               : std::fabs(std::copysign(65536.0L, truth) - numberOf(got)) / 32;
  return std::fabs(numberOf(got) - truth) / ulpOf(truth);
}

/// Compares results with the truth, and keeps the largest error.
class Measured {
public:
  Measured(const char* name, double bound) : name_(name), bound_(bound) {}
  ~Measured() {
    EXPECT_EQ(wrong_, 0) << name_;
    std::array<char, 80> text;
    std::snprintf(text.data(), text.size(), "%.4Lf | %a | %g", worst_, at_, static_cast<double>(bound_));
    testing::Test::RecordProperty(name_, text.data());
  }
  void add(half x, double y, half got, Extended truth) {
    const Extended error = errorOf(got, truth);
    if (error > worst_) worst_ = error, at_ = static_cast<double>(x);
    if ((error >= 0 && error <= bound_) || ++wrong_ > 3) return;
    ADD_FAILURE() << name_ << " of half (" << std::hexfloat << static_cast<double>(x) << ", " << y << ") is "
                  << static_cast<double>(got) << ", not " << static_cast<double>(truth) << std::defaultfloat << ", "
                  << error << " ulp";
  }

private:
  std::string name_;
  Extended bound_, worst_ = 0;
  double at_ = 0;
  int wrong_ = 0;
};

std::vector<half> allHalves() {
  std::vector<half> values;
  for (unsigned bits = 0; bits < 65536; ++bits) values.push_back(fromBits<half>(bits));
  return values;
}

/// Pairs of edge values, and of any.
void fillPairs(std::vector<half>& x, std::vector<half>& y) {
  std::vector<half> edges;
  for (const unsigned bits :
       {0u,      1u,      2u,      0x3ffu,  0x400u,  0x401u,  0x1400u, 0x3800u, 0x3bffu, 0x3c00u, 0x3c01u, 0x3e00u,
        0x4000u, 0x4200u, 0x4248u, 0x4500u, 0x5640u, 0x63feu, 0x6400u, 0x6401u, 0x7bfeu, 0x7bffu, 0x7c00u, 0x7e00u})
    for (const unsigned sign : {0u, 0x8000u}) edges.push_back(fromBits<half>(bits | sign));
  std::mt19937_64 generator(11);
  for (const half a : edges)
    for (const half b : edges) x.push_back(a), y.push_back(b);
  for (int i = 0; i < 100'000; ++i) {
    x.push_back(fromBits<half>(generator() & 0xffff));
    y.push_back(i % 2 ? fromBits<half>(generator() & 0xffff)
                      : static_cast<half>(static_cast<float>(static_cast<int>(generator() % 4096) - 2048) / 64));
  }
  x.resize(x.size() / 16 * 16);
  y.resize(x.size());
}

void measure(const char* name, void (*function)(const half*, half*, int, int*), Extended (*truth)(Extended),
             double bound) {
  const auto x = allHalves();
  std::vector<half> results(x.size());
  int mismatches = 0;
  function(x.data(), results.data(), static_cast<int>(x.size()), &mismatches);
  EXPECT_EQ(mismatches, 0) << name << ": lanes of a vector differ from the scalar";
  Measured measured(name, bound);
  for (std::size_t i = 0; i < x.size(); ++i) measured.add(x[i], 0, results[i], truth(x[i]));
}

void measure(const char* name, void (*function)(const half*, const half*, half*, int, int*),
             Extended (*truth)(Extended, Extended), double bound) {
  std::vector<half> x, y;
  fillPairs(x, y);
  std::vector<half> results(x.size());
  int mismatches = 0;
  function(x.data(), y.data(), results.data(), static_cast<int>(x.size()), &mismatches);
  EXPECT_EQ(mismatches, 0) << name << ": lanes of a vector differ from the scalar";
  Measured measured(name, bound);
  for (std::size_t i = 0; i < x.size(); ++i)
    measured.add(x[i], static_cast<double>(y[i]), results[i], truth(x[i], y[i]));
}

void measure(const char* name, void (*function)(const half*, const int*, half*, int, int*),
             Extended (*truth)(Extended, int), double bound) {
  std::vector<half> x = allHalves();
  std::vector<int> n;
  const int exponents[] = {0,  1,  -1,  2,    -2,    3,       -3,      4,           5,        -7,
                           10, 31, -64, 1000, -1001, INT_MAX, INT_MIN, INT_MIN + 1, 0x1000001};
  for (std::size_t i = 0; i < x.size(); ++i) n.push_back(exponents[i * 7 % std::size(exponents)]);
  for (const unsigned bits : {0u, 0x3c00u, 0x3c01u, 0x3bffu, 0x7c00u, 0x7bffu, 1u, 0x7e00u})
    for (const int exponent : exponents)
      for (const unsigned sign : {0u, 0x8000u}) x.push_back(fromBits<half>(bits | sign)), n.push_back(exponent);
  x.resize(x.size() / 16 * 16);
  n.resize(x.size());
  std::vector<half> results(x.size());
  int mismatches = 0;
  function(x.data(), n.data(), results.data(), static_cast<int>(x.size()), &mismatches);
  EXPECT_EQ(mismatches, 0) << name << ": lanes of a vector differ from the scalar";
  Measured measured(name, bound);
  for (std::size_t i = 0; i < x.size(); ++i) measured.add(x[i], n[i], results[i], truth(x[i], n[i]));
}

}  // namespace

extern "C" {
#define MATH_1(name) void half_math_##name(const half*, half*, int, int*);
#define MATH_2(name) void half_math_##name(const half*, const half*, half*, int, int*);
#define MATH_INT(name) void half_math_##name(const half*, const int*, half*, int, int*);
#define SINGLE_1(name)
#define SINGLE_2(name)
#define RELAXED_1(name)
#define RELAXED_2(name)
#define RELAXED_INT(name)
#include "library/math.def"
}

#define TRUTH(name) [](Extended x) -> Extended { return std::name(x); }
#define TRUTH_2(name) [](Extended x, Extended y) -> Extended { return std::name(x, y); }
#define CHECK(name, truth, bound) measure(#name, &half_math_##name, truth, bound)

TEST(HalfMath, TrigonometryWithinTheTable) {
  CHECK(sin, TRUTH(sin), 2);
  CHECK(cos, TRUTH(cos), 2);
  CHECK(tan, TRUTH(tan), 2);
  CHECK(asin, TRUTH(asin), 2);
  CHECK(acos, TRUTH(acos), 2);
  CHECK(atan, TRUTH(atan), 2);
  CHECK(sinpi, sinpi, 2);
  CHECK(cospi, cospi, 2);
  CHECK(tanpi, tanpi, 2);
  CHECK(asinpi, asinpi, 2);
  CHECK(acospi, acospi, 2);
  CHECK(atanpi, atanpi, 2);
  CHECK(atan2, TRUTH_2(atan2), 2);
  CHECK(atan2pi, atan2pi, 2);
}

TEST(HalfMath, ExponentialsWithinTheTable) {
  CHECK(exp, TRUTH(exp), 2);
  CHECK(exp2, TRUTH(exp2), 2);
  CHECK(exp10, exp10, 2);
  CHECK(expm1, TRUTH(expm1), 2);
  CHECK(log, TRUTH(log), 2);
  CHECK(log2, TRUTH(log2), 2);
  CHECK(log10, TRUTH(log10), 2);
  CHECK(log1p, TRUTH(log1p), 2);
  CHECK(cbrt, TRUTH(cbrt), 2);
  CHECK(rsqrt, rsqrt, 1);
  CHECK(hypot, TRUTH_2(hypot), 2);
  CHECK(pow, TRUTH_2(pow), 4);
  CHECK(powr, powr, 4);
  CHECK(pown, pown, 4);
  CHECK(rootn, rootn, 4);
}

TEST(HalfMath, HyperbolicAndSpecialWithinTheTable) {
  CHECK(sinh, TRUTH(sinh), 2);
  CHECK(cosh, TRUTH(cosh), 2);
  CHECK(tanh, TRUTH(tanh), 2);
  CHECK(asinh, TRUTH(asinh), 2);
  CHECK(acosh, TRUTH(acosh), 2);
  CHECK(atanh, TRUTH(atanh), 2);
  CHECK(erf, TRUTH(erf), 4);
  CHECK(erfc, TRUTH(erfc), 4);
  CHECK(tgamma, TRUTH(tgamma), 4);
}
