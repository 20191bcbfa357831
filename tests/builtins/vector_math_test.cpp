// SPDX-License-Identifier: Apache-2.0
// This file measures the runtime math at every width against extended precision, and checks that a function gives the
// same bits at all of them, for every vector unit that this processor has.
#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
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
      {"asin", {ONE(asin), 1, 4, -30, 0}},
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
      {"fmod", {TWO(fmod), 2, 0, -60, 60}},
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
  for (T special :
       {T(0), T(-0.0), T(1), T(-1), T(INFINITY), T(-INFINITY), T(NAN), std::numeric_limits<T>::denorm_min()}) {
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

/// Any bit pattern, so that NaN, infinities, subnormal numbers and huge ones are among them.
template <typename T>
std::vector<T> anyBits(unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<T> values(16 * 200);
  for (T& value : values) {
    const auto bits = static_cast<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>(generator());
    std::memcpy(&value, &bits, sizeof(T));
  }
  for (T special : {T(0), T(-0.0), T(1), T(-1), T(INFINITY), T(-INFINITY), T(NAN), std::numeric_limits<T>::denorm_min(),
                    std::numeric_limits<T>::max(), std::numeric_limits<T>::min()}) {
    for (int i = 0; i < 20; ++i) values[generator() % values.size()] = special;
  }
  return values;
}

/// Checks the results of one form: the same bits as the forms before, and within the table.
template <typename T>
class Checker {
public:
  void check(const builtins::VectorMath& function, const std::string& name) {
    ASSERT_TRUE(references().contains(name)) << name << " has no reference";
    const Reference& reference = references().at(name);
    const bool binary = reference.operands == 2;
    const auto x = sample<T>(reference, 1), y = sample<T>(reference, 2), u = anyBits<T>(3), v = anyBits<T>(4);
    const auto results = evaluate(function, x, binary ? &y : nullptr);
    compare(ordinary_[name], results, x, function);
    compare(any_[name], evaluate(function, u, binary ? &v : nullptr), u, function);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Extended error = errorInUlps(results[i], reference.truth(x[i], y[i]));
      ASSERT_LE(error, reference.ulps) << function.name << " at " << std::hexfloat << x[i] << ", " << y[i] << " is "
                                       << results[i];
    }
  }

private:
  using Results = std::vector<T>;

  static bool same(T a, T b) { return std::memcmp(&a, &b, sizeof(T)) == 0 || (std::isnan(a) && std::isnan(b)); }

  static void compare(Results& known, const Results& results, const Results& arguments,
                      const builtins::VectorMath& function) {
    if (known.empty()) known = results;
    for (std::size_t i = 0; i < results.size(); ++i) {
      ASSERT_TRUE(same(known[i], results[i])) << function.name << " of " << std::hexfloat << arguments[i] << " is "
                                              << results[i] << " and " << known[i] << " at another width";
    }
  }

  std::map<std::string, Results> ordinary_, any_;
};

template <typename T>
void checkEvery(builtins::VectorUnit unit) {
  const std::string suffix = sizeof(T) == 4 ? "_f32" : "_f64";
  Checker<T> checker;
  for (const auto& function : builtins::vectorMath(unit)) {
    const std::string scalar = function.scalar;
    if (scalar.ends_with(suffix)) checker.check(function, scalar.substr(10, scalar.size() - 10 - suffix.size()));
  }
}

/// A multiple of another number, halfway between two, next to one, or of its size and up to 2^130 times larger.
template <typename T>
T nearby(T other, std::mt19937_64& generator) {
  const auto unit = [&] { return std::ldexp(static_cast<T>(generator() >> 11 | 1), -53); };
  switch (generator() % 4) {
    case 0: return other * static_cast<T>(generator() % 1000);
    case 1: return other * (static_cast<T>(generator() % 1000) + T(0.5));
    case 2: return std::nextafter(other * static_cast<T>(generator() % 1000), generator() % 2 ? T(INFINITY) : T(0));
    default: return std::ldexp(other * unit(), static_cast<int>(generator() % 130));
  }
}

/// Every form of fmod against the C library's, which is exact.
template <typename T>
void checkRemainder(builtins::VectorUnit unit) {
  std::vector<T> x = anyBits<T>(5), y = anyBits<T>(6), others = anyBits<T>(8);
  const std::size_t count = x.size();
  std::mt19937_64 generator(7);
  for (std::size_t i = 0; i < count; ++i) {
    // Divisors of any size, some of them subnormal, some with few bits.
    T divisor = generator() % 4 ? y[i]
                                : std::ldexp(static_cast<T>(generator() % 4096),
                                             std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits);
    x.push_back(nearby(divisor, generator));
    y.push_back(divisor);
    x.push_back(others[i]);
    y.push_back(divisor);
  }
  ASSERT_EQ(x.size() % 16, 0u);
  unsigned found = 0;
  for (const auto& function : builtins::vectorMath(unit)) {
    if (std::string(function.scalar) != (sizeof(T) == 4 ? "__clarity_fmod_f32" : "__clarity_fmod_f64")) continue;
    ++found;
    const auto results = evaluate(function, x, &y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const T truth = std::fmod(x[i], y[i]);
      ASSERT_TRUE(std::isnan(truth) ? std::isnan(results[i]) : std::memcmp(&results[i], &truth, sizeof(T)) == 0)
          << function.name << " of " << std::hexfloat << x[i] << ", " << y[i] << " is " << results[i] << ", not "
          << truth;
    }
  }
  EXPECT_GT(found, 0u);
}

/// Angles of float next to multiples of pi/2, those of neighbouring lanes far apart: below and above where the
/// reduction changes (vector_angles.h), on either side of it, and huge.
std::vector<float> anglesNextToQuarterTurns() {
  std::mt19937_64 generator(9);
  std::vector<float> values(16 * 2000);
  for (float& value : values) {
    const auto quarters = static_cast<double>(generator() >> (44 + generator() % 12));
    value = static_cast<float>(quarters * 1.5707963267948966);
    if (generator() % 8 == 0) value = std::nextafter(0x1p20f, generator() % 2 ? 0.0f : INFINITY);
    if (generator() % 16 == 0) value = std::ldexp(value, 80);
    if (generator() % 2) value = -value;
  }
  return values;
}

std::string unitName(builtins::VectorUnit unit) {
  constexpr const char* names[] = {"Sse2", "Avx", "Avx2", "Avx512"};
  return names[static_cast<int>(unit)];
}

/// This processor's unit and the lesser ones.
class VectorMath : public testing::TestWithParam<builtins::VectorUnit> {
protected:
  void SetUp() override {
    if (GetParam() > builtins::vectorUnit()) GTEST_SKIP() << "this processor does not have the unit";
  }
};

}  // namespace

TEST_P(VectorMath, HasEveryWidth) {
  std::map<std::string, unsigned> widths;
  for (const auto& function : builtins::vectorMath(GetParam())) widths[function.scalar] += function.lanes;
  EXPECT_EQ(widths.size(), 2 * references().size());
  const std::map<builtins::VectorUnit, unsigned> lanes = {{builtins::VectorUnit::Sse2, 4},
                                                          {builtins::VectorUnit::Avx, 8},
                                                          {builtins::VectorUnit::Avx2, 8},
                                                          {builtins::VectorUnit::Avx512, 16}};
  const unsigned most = lanes.at(GetParam());
  for (const auto& [scalar, sum] : widths) {
    // 1 + 4 + 8 + ... of float, 1 + 2 + 4 + ... of double.
    EXPECT_EQ(sum, scalar.ends_with("f32") ? 2 * most - 3 : most - 1) << scalar;
  }
}

TEST_P(VectorMath, FloatWithinTheTableAndTheSameAtEveryWidth) { checkEvery<float>(GetParam()); }
TEST_P(VectorMath, DoubleWithinTheTableAndTheSameAtEveryWidth) { checkEvery<double>(GetParam()); }

TEST_P(VectorMath, FloatAnglesNextToQuarterTurns) {
  const std::vector<float> x = anglesNextToQuarterTurns();
  for (const std::string name : {"sin", "cos", "tan"}) {
    const Reference& reference = references().at(name);
    std::vector<float> known;
    for (const auto& function : builtins::vectorMath(GetParam())) {
      if (function.scalar != "__clarity_" + name + "_f32") continue;
      const auto results = evaluate<float>(function, x, nullptr);
      if (known.empty()) known = results;
      for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(std::memcmp(&known[i], &results[i], sizeof(float)), 0)
            << function.name << " of " << std::hexfloat << x[i] << " differs at another width";
        ASSERT_LE(errorInUlps(results[i], reference.truth(x[i], 0)), reference.ulps)
            << function.name << " at " << std::hexfloat << x[i] << " is " << results[i];
      }
    }
    EXPECT_FALSE(known.empty()) << name;
  }
}
TEST_P(VectorMath, FloatRemainderIsExact) { checkRemainder<float>(GetParam()); }
TEST_P(VectorMath, DoubleRemainderIsExact) { checkRemainder<double>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Units, VectorMath,
                         testing::Values(builtins::VectorUnit::Sse2, builtins::VectorUnit::Avx,
                                         builtins::VectorUnit::Avx2, builtins::VectorUnit::Avx512),
                         [](const auto& test) { return unitName(test.param); });

TEST(RuntimeSymbols, AreUniqueAndPresent) {
  std::set<std::string_view> names;
  for (const auto& symbol : builtins::runtimeSymbols()) {
    EXPECT_NE(symbol.address, nullptr) << symbol.name;
    EXPECT_TRUE(names.insert(symbol.name).second) << symbol.name << " is listed twice";
  }
  for (const char* name : {"__clarity_sin_f32", "__clarity_fmod_f64", "__clarity_pow_f32_v4", "__truncdfhf2", "fmaf"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(RuntimeSymbols, AScalarIsTheFormOfOneLane) {
  std::map<std::string_view, void*> addresses;
  for (const auto& symbol : builtins::runtimeSymbols()) addresses[symbol.name] = symbol.address;
  for (const auto& function : builtins::vectorMath()) {
    EXPECT_EQ(addresses.at(function.name), function.address);
    if (function.lanes == 1) {
      EXPECT_EQ(addresses.at(function.scalar), function.address) << function.scalar;
    }
  }
}
