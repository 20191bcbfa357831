// SPDX-License-Identifier: Apache-2.0
// This file measures the math builtins, with and without fused multiply-add, against extended precision: on random
// arguments, on random bit patterns and on edge values, for which the C library follows the rules of OpenCL
// C 3.0, 7.5.1, as well. The bounds are those of 7.4; those of native_ functions are what math/short.clh states.
#include <gtest/gtest.h>

#include <climits>
#include <string>

#include "library/extended_math.h"
#include "library/inputs.h"

namespace {

// ---- measuring
// ---------------------------------------------------------------------------------------------------------

/// How far a result may be from the truth: ulps or an absolute distance, either is enough. ulpsPerArgument is added for
/// each unit of |x|.
struct Bound {
  Extended ulps;
  Extended absolute = 0;
  Extended ulpsPerArgument = 0;
};

template <typename T>
Extended ulpOf(Extended truth) {
  if (!std::isfinite(static_cast<T>(truth)))
    return std::ldexp(1.0L, std::numeric_limits<T>::max_exponent - std::numeric_limits<T>::digits);
  int exponent = truth == 0 ? INT_MIN / 2 : std::ilogb(truth);
  return std::ldexp(1.0L,
                    std::max(exponent, std::numeric_limits<T>::min_exponent - 1) - std::numeric_limits<T>::digits + 1);
}

/// Zero and NaN must be right where the truth is exactly that; the sign of a zero is part of it. An infinity stands for
/// what rounds to it.
template <typename T>
bool within(const Bound& bound, T got, Extended truth, Extended x) {
  if (std::isnan(truth) || std::isnan(got)) return std::isnan(truth) && std::isnan(got);
  if (truth == 0 && bound.absolute == 0) return got == 0 && std::signbit(got) == std::signbit(truth);
  if (std::isinf(truth)) return static_cast<Extended>(got) == truth;
  const Extended more = bound.ulpsPerArgument == 0 ? 0 : bound.ulpsPerArgument * std::fabs(x);
  const Extended allowed = std::max((bound.ulps + more) * ulpOf<T>(truth), bound.absolute);
  if (std::isinf(got)) return got == static_cast<T>(truth);
  return std::fabs(static_cast<Extended>(got) - truth) <= allowed;
}

/// The arguments that a row is measured on: magnitudes from 2^low to 2^high.
struct Range {
  double low, high;
  bool negative = true;
  bool everywhere = true;  ///< any bit pattern and the edge values as well
};

template <typename T>
std::vector<T> edgeValues() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  for (double value : {0.0,  0.5,  1.0,   1.5,   2.0,        2.5,      3.0,   3.5,      4.0,  8.0,     10.0,
                       88.5, 89.3, 100.0, 709.0, 709.782712, 710.4758, 38.53, 308.2547, 1e10, HUGE_VAL})
    values.push_back(static_cast<T>(value));
  for (T value :
       {Limits::max(), Limits::max() / 2, Limits::min(), Limits::denorm_min(), Limits::min() / 4, Limits::epsilon()})
    values.push_back(value);
  for (std::size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
  values.push_back(Limits::quiet_NaN());
  // NaNs whose upper bits are those of an infinity: functions that drop lower bits must not take them for one.
  constexpr std::uint64_t infinity = ((std::uint64_t{1} << (8 * sizeof(T) - Limits::digits)) - 1)
                                     << (Limits::digits - 1);
  for (const std::uint64_t nan : {infinity + 1, infinity | std::uint64_t{1} << (Limits::digits / 3)})
    for (const std::uint64_t sign : {std::uint64_t{0}, std::uint64_t{1} << (8 * sizeof(T) - 1)})
      values.push_back(fromBits<T>(nan | sign));
  values.push_back(std::nextafter(T(1), T(0)));
  return values;
}

template <typename T>
std::vector<T> sample(const Range& range, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> exponents(range.low, range.high);
  std::vector<T> values;
  for (int i = 0; i < 8000; ++i) {
    T magnitude = static_cast<T>(std::exp2(exponents(generator)));
    values.push_back(range.negative && (generator() & 1) ? -magnitude : magnitude);
    if (range.everywhere && i % 2 == 0) values.push_back(fromBits<T>(generator()));
  }
  if (range.everywhere) {
    for (T value : edgeValues<T>()) values.push_back(value);
  }
  while (values.size() % 16 != 0) values.push_back(T(1));
  return values;
}

/// The last arguments whose results are numbers, and the first whose are not, of a function that overflows somewhere
/// above 1.
template <typename T>
void addOverflow(std::vector<T>& values, Extended (*truth)(Extended)) {
  for (const T sign : {T(1), T(-1)}) {
    const auto overflows = [&](T magnitude) { return std::isinf(static_cast<T>(truth(sign * magnitude))); };
    T below = 1, above = 4096;
    if (overflows(below) || !overflows(above)) continue;
    while (std::nextafter(below, above) < above) {
      const T middle = below + (above - below) / 2;
      (overflows(middle) ? above : below) = middle;
    }
    for (int i = 0; i < 4; ++i) above = std::nextafter(above, T(4096));
    for (int i = 0; i < 304; ++i, above = std::nextafter(above, T(0))) values.push_back(sign * above);
  }
}

template <typename T>
using Unary = void (*)(const T*, T*, int, int*);
template <typename T>
using Binary = void (*)(const T*, const T*, T*, int, int*);
template <typename T>
using WithInt = void (*)(const T*, const int*, T*, int, int*);

/// Fails for the results that are too far from the truth, and names the first of them.
template <typename T, typename Y>
void report(const std::string& name, const Bound& bound, const std::vector<T>& x, const std::vector<Y>& y,
            const std::vector<T>& results, auto truth) {
  int wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Extended expected = truth(i);
    if (within(bound, results[i], expected, x[i]) || ++wrong > 3) continue;
    ADD_FAILURE() << name << " of " << (sizeof(T) == 4 ? "float (" : "double (") << std::hexfloat << x[i] << ", "
                  << y[i] << ") is " << results[i] << ", not " << static_cast<T>(expected) << std::defaultfloat << ", "
                  << std::fabs(results[i] - expected) / ulpOf<T>(expected) << " ulp";
  }
  EXPECT_EQ(wrong, 0) << name;
}

template <typename T>
void measure(const std::string& name, Unary<T> function, Extended (*truth)(Extended), const Bound& bound,
             const Range& range) {
  auto x = sample<T>(range, 1);
  if (range.everywhere) addOverflow(x, truth);
  std::vector<T> results(x.size());
  int mismatches = 0;
  function(x.data(), results.data(), static_cast<int>(x.size()), &mismatches);
  EXPECT_EQ(mismatches, 0) << name << ": lanes of a vector differ from the scalar";
  report(name, bound, x, x, results, [&](std::size_t i) { return truth(x[i]); });
}

template <typename T>
void measure(const std::string& name, Binary<T> function, Extended (*truth)(Extended, Extended), const Bound& bound,
             const Range& range) {
  auto x = sample<T>(range, 1), y = sample<T>(range, 2);
  if (range.everywhere) {
    for (T a : edgeValues<T>()) {
      for (T b : edgeValues<T>()) {
        x.push_back(a);
        y.push_back(b);
      }
    }
    x.resize(x.size() / 16 * 16);
    y.resize(x.size());
  }
  std::vector<T> results(x.size());
  int mismatches = 0;
  function(x.data(), y.data(), results.data(), static_cast<int>(x.size()), &mismatches);
  EXPECT_EQ(mismatches, 0) << name << ": lanes of a vector differ from the scalar";
  report(name, bound, x, y, results, [&](std::size_t i) { return truth(x[i], y[i]); });
}

template <typename T>
void measure(const std::string& name, WithInt<T> function, Extended (*truth)(Extended, int), const Bound& bound,
             const Range& range) {
  auto x = sample<T>(range, 1);
  std::vector<int> n(x.size());
  std::mt19937_64 generator(3);
  const int spreads[] = {3, 20, 2000, 1 << 24, INT_MAX};
  for (int& value : n) {
    const long spread = spreads[generator() % 5];
    value = static_cast<int>(static_cast<long>(generator() % (2 * spread + 1)) - spread);
  }
  // Close to 1, where the power by a large integer is a number.
  for (std::size_t i = 0; i < x.size(); i += 8)
    x[i] = static_cast<T>(1 + std::ldexp(static_cast<double>(generator() % 1000) - 500, -25));
  if (range.everywhere) {
    for (T a : edgeValues<T>()) {
      for (int b : {0, 1, -1, 2, -2, 3, -3, INT_MAX, INT_MIN, INT_MIN + 1, 0x1000001, -0x1000001}) {
        x.push_back(a);
        n.push_back(b);
      }
    }
    x.resize(x.size() / 16 * 16);
    n.resize(x.size());
  }
  std::vector<T> results(x.size());
  int mismatches = 0;
  function(x.data(), n.data(), results.data(), static_cast<int>(x.size()), &mismatches);
  EXPECT_EQ(mismatches, 0) << name << ": lanes of a vector differ from the scalar";
  report(name, bound, x, n, results, [&](std::size_t i) { return truth(x[i], n[i]); });
}

}  // namespace

extern "C" {
#define NAMED(suite, name, T) suite##_##name##_##T
#define DECLARE_1(name, T)                            \
  void NAMED(math, name, T)(const T*, T*, int, int*); \
  void NAMED(math_fused, name, T)(const T*, T*, int, int*);
#define DECLARE_2(name, T)                                      \
  void NAMED(math, name, T)(const T*, const T*, T*, int, int*); \
  void NAMED(math_fused, name, T)(const T*, const T*, T*, int, int*);
#define DECLARE_INT(name, T)                                      \
  void NAMED(math, name, T)(const T*, const int*, T*, int, int*); \
  void NAMED(math_fused, name, T)(const T*, const int*, T*, int, int*);
#define MATH_1(name) DECLARE_1(name, float) DECLARE_1(name, double)
#define MATH_2(name) DECLARE_2(name, float) DECLARE_2(name, double)
#define MATH_INT(name) DECLARE_INT(name, float) DECLARE_INT(name, double)
#define SINGLE_1(name) DECLARE_1(name, float)
#define SINGLE_2(name) DECLARE_2(name, float)
#define RELAXED_1(name) DECLARE_1(__clarity_relaxed_##name, float)
#define RELAXED_2(name) DECLARE_2(__clarity_relaxed_##name, float)
#define RELAXED_INT(name) DECLARE_INT(__clarity_relaxed_##name, float)
#include "library/math.def"
}

// ---- the functions with bounds of their own
// ------------------------------------------------------------------------------

#define TRUTH(name) [](Extended x) -> Extended { return std::name(x); }
#define TRUTH_2(name) [](Extended x, Extended y) -> Extended { return std::name(x, y); }
#define MEASURE(T, suite, name, truth, bound, ...) \
  measure<T>(#suite " " #name, &NAMED(suite, name, T), truth, Bound bound, Range{__VA_ARGS__})
/// Both suites; the processor must have what the second is compiled for.
#define CHECK_AS(T, name, truth, bound, ...)                                                          \
  {                                                                                                   \
    MEASURE(T, math, name, truth, bound, __VA_ARGS__);                                                \
    if (__builtin_cpu_supports("x86-64-v3")) MEASURE(T, math_fused, name, truth, bound, __VA_ARGS__); \
  }
#define CHECK(name, truth, bound, ...)             \
  CHECK_AS(float, name, truth, bound, __VA_ARGS__) \
  CHECK_AS(double, name, truth, bound, __VA_ARGS__)
#define CHECK_SINGLE(name, truth, bound, ...) CHECK_AS(float, name, truth, bound, __VA_ARGS__)

TEST(Math, TrigonometryWithinTheTable) {
  CHECK(sin, TRUTH(sin), {4}, -30, 60);
  CHECK(cos, TRUTH(cos), {4}, -30, 60);
  CHECK(tan, TRUTH(tan), {5}, -30, 60);
  CHECK(asin, TRUTH(asin), {4}, -30, 0);
  CHECK(acos, TRUTH(acos), {4}, -30, 0);
  CHECK(atan, TRUTH(atan), {5}, -30, 40);
  CHECK(sinpi, sinpi, {4}, -30, 18);
  CHECK(cospi, cospi, {4}, -30, 18);
  CHECK(tanpi, tanpi, {6}, -30, 18);
  CHECK(asinpi, asinpi, {5}, -30, 0);
  CHECK(acospi, acospi, {5}, -30, 0);
  CHECK(atanpi, atanpi, {5}, -30, 40);
  CHECK(atan2, TRUTH_2(atan2), {6}, -40, 40);
  CHECK(atan2pi, atan2pi, {6}, -40, 40);
}

TEST(Math, ExponentialsWithinTheTable) {
  CHECK(exp, TRUTH(exp), {3}, -30, 10);
  CHECK(exp2, TRUTH(exp2), {3}, -30, 11);
  CHECK(exp10, exp10, {3}, -30, 9);
  CHECK(expm1, TRUTH(expm1), {3}, -30, 10);
  CHECK(log, TRUTH(log), {3}, -120, 120);
  CHECK(log2, TRUTH(log2), {3}, -120, 120);
  CHECK(log10, TRUTH(log10), {3}, -120, 120);
  CHECK(log1p, TRUTH(log1p), {2}, -30, 120);
  CHECK(cbrt, TRUTH(cbrt), {2}, -120, 120);
  CHECK(rsqrt, rsqrt, {2}, -120, 120);
  CHECK(hypot, TRUTH_2(hypot), {4}, -120, 120);
  CHECK(pow, TRUTH_2(pow), {16}, -8, 8);
  CHECK(powr, powr, {16}, -8, 8);
  CHECK(pown, pown, {16}, -6, 6);
  CHECK(rootn, rootn, {16}, -120, 120);
}

TEST(Math, HyperbolicAndSpecialWithinTheTable) {
  CHECK(sinh, TRUTH(sinh), {4}, -30, 10);
  CHECK(cosh, TRUTH(cosh), {4}, -30, 10);
  CHECK(tanh, TRUTH(tanh), {5}, -30, 6);
  CHECK(asinh, TRUTH(asinh), {4}, -30, 100);
  CHECK(acosh, TRUTH(acosh), {4}, 0, 100);
  CHECK(atanh, TRUTH(atanh), {5}, -30, 0);
  CHECK(erf, TRUTH(erf), {16}, -30, 3);
  CHECK(erfc, TRUTH(erfc), {16}, -30, 5);
  CHECK(tgamma, TRUTH(tgamma), {16}, -30, 8);
  // The standard sets no bound; near the zeros between poles there is none.
  CHECK(lgamma, TRUTH(lgamma), {4}, 1.6, 121.5, false, false);
}

TEST(Math, RelaxedWithinTheTable) {
  // The standard asks for 2^-11 within [-pi, pi] and for nothing beyond.
  CHECK_SINGLE(__clarity_relaxed_sin, TRUTH(sin), ({0, 0x1p-22L}), -30, 13, true, false);
  CHECK_SINGLE(__clarity_relaxed_cos, TRUTH(cos), ({0, 0x1p-22L}), -30, 13, true, false);
  CHECK_SINGLE(__clarity_relaxed_tan, TRUTH(tan), {16}, -30, 13, true, false);
  CHECK_SINGLE(__clarity_relaxed_exp, TRUTH(exp), ({3, 0, 2}), -30, 10);
  CHECK_SINGLE(__clarity_relaxed_exp2, TRUTH(exp2), {3}, -30, 10);
  CHECK_SINGLE(__clarity_relaxed_exp10, exp10, ({3, 0, 6}), -30, 9);
  CHECK_SINGLE(__clarity_relaxed_log, TRUTH(log), {3}, -120, 120);
  CHECK_SINGLE(__clarity_relaxed_log2, TRUTH(log2), {3}, -120, 120);
  CHECK_SINGLE(__clarity_relaxed_log10, TRUTH(log10), {3}, -120, 120);
  CHECK_SINGLE(__clarity_relaxed_log, TRUTH(log), ({3, 0x1p-21L}), -0.1, 0.1, true, false);
  CHECK_SINGLE(__clarity_relaxed_pow, TRUTH_2(pow), {8192}, -8, 8, true, false);
  CHECK_SINGLE(__clarity_relaxed_powr, powr, {8192}, -8, 8, true, false);
  CHECK_SINGLE(__clarity_relaxed_pown, pown, {8192}, -6, 6, true, false);
  CHECK_SINGLE(__clarity_relaxed_asin, TRUTH(asin), {8}, -30, 0);
  CHECK_SINGLE(__clarity_relaxed_acos, TRUTH(acos), {8}, -30, 0);
  CHECK_SINGLE(__clarity_relaxed_atan, TRUTH(atan), {8}, -30, 40);
  CHECK_SINGLE(__clarity_relaxed_atan2, TRUTH_2(atan2), {8}, -40, 40);
  // As their definitions by exp in single precision would have it.
  CHECK_SINGLE(__clarity_relaxed_sinh, TRUTH(sinh), ({8, 0, 2}), -30, 6.4, true, false);
  CHECK_SINGLE(__clarity_relaxed_cosh, TRUTH(cosh), ({8, 0, 2}), -30, 6.4, true, false);
  CHECK_SINGLE(__clarity_relaxed_tanh, TRUTH(tanh), {8}, -30, 10);
}

TEST(Math, HalfWithin8192Ulp) {
  CHECK_SINGLE(half_sin, TRUTH(sin), {4}, -30, 16);
  CHECK_SINGLE(half_cos, TRUTH(cos), {4}, -30, 16);
  CHECK_SINGLE(half_tan, TRUTH(tan), {5}, -30, 16);
  CHECK_SINGLE(half_exp, TRUTH(exp), ({3, 0, 1}), -30, 10);
  CHECK_SINGLE(half_exp2, TRUTH(exp2), {3}, -30, 10);
  CHECK_SINGLE(half_exp10, exp10, ({3, 0, 2}), -30, 9);
  CHECK_SINGLE(half_log, TRUTH(log), {3}, -120, 120);
  CHECK_SINGLE(half_log2, TRUTH(log2), {3}, -120, 120);
  CHECK_SINGLE(half_log10, TRUTH(log10), {3}, -120, 120);
  CHECK_SINGLE(half_powr, powr, {8192}, -8, 8, true, false);
}

TEST(Math, NativeAsStated) {
  // A relative error of 2^-16 is at most 256 ulp.
  CHECK_SINGLE(native_sin, TRUTH(sin), ({0, 0x1p-18L}), -30, 7, true, false);
  CHECK_SINGLE(native_cos, TRUTH(cos), ({0, 0x1p-18L}), -30, 7, true, false);
  CHECK_SINGLE(native_tan, TRUTH(tan), {128}, -30, -0.35, true, false);
  CHECK_SINGLE(native_exp, TRUTH(exp), {128}, -30, 6.4, true, false);
  CHECK_SINGLE(native_exp2, TRUTH(exp2), {128}, -30, 6.97, true, false);
  CHECK_SINGLE(native_exp10, exp10, {128}, -30, 5.2, true, false);
  CHECK_SINGLE(native_log, TRUTH(log), {256}, -125, 127, false, false);
  CHECK_SINGLE(native_log2, TRUTH(log2), {256}, -125, 127, false, false);
  CHECK_SINGLE(native_log10, TRUTH(log10), {256}, -125, 127, false, false);
  CHECK_SINGLE(native_log, TRUTH(log), {256}, -0.1, 0.1, false, false);
  CHECK_SINGLE(native_powr, powr, {256}, -6, 4, false, false);
}

/// The results of the short forms where their reductions do not hold, and where they are exact.
TEST(Math, ShortFormsAtTheEdges) {
  const float inf = INFINITY, nan = NAN;
  const struct {
    const char* name;
    Unary<float> plain, fused;
    std::vector<std::pair<float, float>> cases;
  } rows[] = {
#define ROW(name, ...) {#name, &NAMED(math, name, float), &NAMED(math_fused, name, float), __VA_ARGS__}
#define EXPONENTIAL \
  {inf, inf}, {-inf, 0}, {nan, nan}, {0, 1}, {-0.0f, 1}, {1e30f, inf}, {-1e30f, 0}, {150, inf}, {-200, 0}
#define LOGARITHM {0, -inf}, {-0.0f, -inf}, {inf, inf}, {nan, nan}, {-1, nan}, {-inf, nan}, {1, 0}, {-1e-40f, nan}
#define ANGLE {inf, nan}, {-inf, nan}, {nan, nan}
      ROW(native_exp, {EXPONENTIAL}),
      ROW(native_exp2, {EXPONENTIAL, {1, 2}, {-1, 0.5f}, {10, 1024}, {-10, 0x1p-10f}}),
      ROW(native_exp10, {EXPONENTIAL}),
      ROW(native_log, {LOGARITHM}),
      ROW(native_log2, {LOGARITHM, {2, 1}, {0.5f, -1}, {1024, 10}, {0x1p-100f, -100}}),
      ROW(native_log10, {LOGARITHM}),
      ROW(native_sin, {ANGLE, {0, 0}, {-0.0f, 0}, {1e-20f, 1e-20f}}),
      ROW(native_cos, {ANGLE, {0, 1}, {-0.0f, 1}, {1e-20f, 1}, {-1e-20f, 1}}),
      ROW(native_tan, {ANGLE, {0, 0}, {1e-20f, 1e-20f}}),
      ROW(__clarity_relaxed_sin, {ANGLE, {0, 0}}),
      ROW(__clarity_relaxed_cos, {ANGLE, {0, 1}, {1e-20f, 1}}),
      ROW(__clarity_relaxed_tan, {ANGLE, {0, 0}}),
  };
  for (const auto& row : rows) {
    for (const auto& [x, expected] : row.cases) {
      for (Unary<float> function : {row.plain, __builtin_cpu_supports("x86-64-v3") ? row.fused : row.plain}) {
        float result = 0;
        int mismatches = 0;
        function(&x, &result, 1, &mismatches);
        const bool bothNan = std::isnan(result) && std::isnan(expected);
        EXPECT_TRUE(bothNan || result == expected) << row.name << "(" << x << ") is " << result << ", not " << expected;
      }
    }
  }
  for (float x : {1e7f, 1e10f, 1e38f, std::numeric_limits<float>::max()}) {
    for (Unary<float> function : {&math_native_sin_float, &math_native_cos_float, &math___clarity_relaxed_sin_float,
                                  &math___clarity_relaxed_cos_float}) {
      float result = 0;
      int mismatches = 0;
      function(&x, &result, 1, &mismatches);
      EXPECT_LE(std::fabs(result), 1.000001f) << x;
    }
  }
}
