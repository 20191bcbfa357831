// SPDX-License-Identifier: Apache-2.0
// This file measures the vector forms of the runtime math against extended precision, and checks that a function gives the
// same bits at every width.
#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "builtins/builtins.h"
#include "vector_calls.h"

namespace builtins = clarity::builtins;

namespace {

using Extended = long double;

template <typename T>
void call(unsigned lanes, void* function, const T* x, const T* y, T* result) {
  if (lanes == 1) {
    *result = y ? reinterpret_cast<T (*)(T, T)>(function)(*x, *y) : reinterpret_cast<T (*)(T)>(function)(*x);
    return;
  }
  if constexpr (sizeof(T) == 4) {
    return (lanes == 4 ? call4float : lanes == 8 ? call8float : call16float)(function, x, y, result);
  } else {
    return (lanes == 2 ? call2double : lanes == 4 ? call4double : call8double)(function, x, y, result);
  }
}

struct Reference {
  std::function<Extended(Extended, Extended)> truth;
  int operands = 1;
  Extended ulps = 4;           ///< the table of OpenCL C 3.0, 7.4
  double low = -30, high = 5;  ///< exponents of the arguments
  bool negative = true;
};

#define ONE(name) [](Extended x, Extended) -> Extended { return std::name(x); }
#define TWO(name) [](Extended x, Extended y) -> Extended { return std::name(x, y); }

const std::map<std::string, Reference>& references() {
  static const std::map<std::string, Reference> table = {
      {"acos", {ONE(acos), 1, 4, -30, 0}},
      {"acosh", {ONE(acosh), 1, 4, 0, 60, false}},
      {"asin", {ONE(asin), 1, 4, -30, 0}},
      {"asinh", {ONE(asinh), 1, 4, -30, 60}},
      {"atan", {ONE(atan), 1, 5, -30, 40}},
      {"atanh", {ONE(atanh), 1, 5, -30, -0.001}},
      {"cbrt", {ONE(cbrt), 1, 2, -100, 100}},
      {"cos", {ONE(cos), 1, 4, -30, 30}},
      {"cosh", {ONE(cosh), 1, 4, -30, 6}},
      {"erf", {ONE(erf), 1, 16, -30, 3}},
      {"erfc", {ONE(erfc), 1, 16, -30, 3}},
      {"exp", {ONE(exp), 1, 3, -30, 6}},
      {"exp10", {[](Extended x, Extended) -> Extended { return ::exp10l(x); }, 1, 3, -30, 5}},
      {"exp2", {ONE(exp2), 1, 3, -30, 6.9}},
      {"expm1", {ONE(expm1), 1, 3, -30, 6}},
      {"lgamma", {ONE(lgamma), 1, 16, 1.6, 60, false}},
      {"log", {ONE(log), 1, 3, -120, 120, false}},
      {"log10", {ONE(log10), 1, 3, -120, 120, false}},
      {"log1p", {ONE(log1p), 1, 2, -30, 100, false}},
      {"log2", {ONE(log2), 1, 3, -120, 120, false}},
      {"sin", {ONE(sin), 1, 4, -30, 30}},
      {"sinh", {ONE(sinh), 1, 4, -30, 6}},
      {"tan", {ONE(tan), 1, 5, -30, 30}},
      {"tanh", {ONE(tanh), 1, 5, -30, 6}},
      {"tgamma", {ONE(tgamma), 1, 16, -6, 5, false}},
      {"atan2", {TWO(atan2), 2, 6, -30, 30}},
      {"hypot", {TWO(hypot), 2, 4, -60, 60}},
      {"pow", {TWO(pow), 2, 16, -5, 5, false}},
  };
  return table;
}

template <typename T>
Extended errorInUlps(T got, Extended truth) {
  if (std::isnan(truth) || std::isnan(got)) return std::isnan(truth) && std::isnan(got) ? 0 : HUGE_VALL;
  if (static_cast<T>(truth) == got) return 0;
  if (std::isinf(got) || std::isinf(truth)) return HUGE_VALL;
  int exponent = std::max(truth == 0 ? INT_MIN / 2 : std::ilogb(truth), std::numeric_limits<T>::min_exponent - 1);
  return std::fabs(got - truth) / std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits + 1);
}

template <typename T>
std::vector<T> sample(const Reference& reference, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> exponents(reference.low, reference.high);
  std::vector<T> values(16 * 200);
  for (T& value : values) {
    value = static_cast<T>(std::exp2(exponents(generator)));
    if (reference.negative && (generator() & 1)) value = -value;
  }
  for (T special : {T(0), T(-0.0), T(1), T(-1), T(INFINITY), T(-INFINITY), T(NAN), std::numeric_limits<T>::denorm_min()}) {
    values[generator() % values.size()] = special;
  }
  return values;
}

template <typename T>
std::vector<T> evaluate(const builtins::VectorMath& function, const std::vector<T>& x, const std::vector<T>* y) {
  std::vector<T> results(x.size());
  for (std::size_t i = 0; i < x.size(); i += function.lanes) {
    call<T>(function.lanes, function.address, &x[i], y ? &(*y)[i] : nullptr, &results[i]);
  }
  return results;
}

template <typename T>
void checkEvery(const std::string& suffix) {
  std::map<std::string, std::vector<T>> first;
  for (const auto& function : builtins::vectorMath()) {
    const std::string scalar = function.scalar;
    if (!scalar.ends_with(suffix)) continue;
    const std::string name = scalar.substr(10, scalar.size() - 10 - suffix.size());
    ASSERT_TRUE(references().contains(name)) << name << " has no reference";
    const Reference& reference = references().at(name);
    auto x = sample<T>(reference, 1), y = sample<T>(reference, 2);
    auto results = evaluate(function, x, reference.operands == 2 ? &y : nullptr);
    for (T& result : results) {
      if (std::isnan(result)) result = std::numeric_limits<T>::quiet_NaN();  // its sign and payload may differ
    }
    if (auto& known = first[name]; known.empty()) {
      known = results;
    } else {
      EXPECT_EQ(std::memcmp(known.data(), results.data(), results.size() * sizeof(T)), 0)
          << function.name << " differs from the form of other widths";
    }
    Extended worst = 0;
    std::size_t where = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (Extended error = errorInUlps(results[i], reference.truth(x[i], y[i])); error > worst) {
        worst = error;
        where = i;
      }
    }
    EXPECT_LE(worst, reference.ulps) << function.name << " at " << std::hexfloat << x[where] << ", " << y[where] << " is "
                                     << results[where];
  }
}

bool supported() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

}  // namespace

TEST(VectorMath, CoversTheProcessor) {
  if (!supported()) {
    EXPECT_TRUE(builtins::vectorMath().empty());
    GTEST_SKIP() << "this processor has neither AVX2 nor FMA";
  }
  std::map<std::string, unsigned> widths;
  for (const auto& function : builtins::vectorMath()) widths[function.scalar] += function.lanes;
  EXPECT_EQ(widths.size(), 2 * references().size());
  for (const auto& [scalar, sum] : widths) {
    bool wide = __builtin_cpu_supports("avx512f"), single = scalar.ends_with("f32");
    EXPECT_EQ(sum, single ? (wide ? 29u : 13u) : (wide ? 15u : 7u)) << scalar;
  }
}

TEST(VectorMath, FloatWithinTheTableAndTheSameAtEveryWidth) { checkEvery<float>("_f32"); }
TEST(VectorMath, DoubleWithinTheTableAndTheSameAtEveryWidth) { checkEvery<double>("_f64"); }
