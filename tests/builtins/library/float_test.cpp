// SPDX-License-Identifier: Apache-2.0
// This file compares the exact floating-point builtins, relations included, with the C library and with the formulas of
// OpenCL C 3.0, 6.15.2, 6.15.4 and 6.15.6.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>

#include "library/inputs.h"

namespace {

template <typename T>
using Computed = std::conditional_t<std::is_same_v<T, double>, double, float>;

// References take and give a type in which T's result is exact: half is computed in float.
namespace reference {
#define REFERENCE(name, ...)        \
  template <typename T, typename F> \
  F name(__VA_ARGS__)

REFERENCE(ceil, F x) { return std::ceil(x); }
REFERENCE(floor, F x) { return std::floor(x); }
REFERENCE(trunc, F x) { return std::trunc(x); }
REFERENCE(rint, F x) { return std::rint(x); }
REFERENCE(round, F x) { return std::round(x); }
REFERENCE(fabs, F x) { return std::fabs(x); }
REFERENCE(sqrt, F x) { return std::sqrt(x); }
REFERENCE(sign, F x) { return x > 0 ? 1 : x < 0 ? -1 : std::isnan(x) ? 0 : x; }
REFERENCE(logb, F x) { return std::logb(x); }
// The C library gives NaN for a signalling NaN; OpenCL knows no such thing.
REFERENCE(fmax, F x, F y) { return std::isnan(x) ? y : std::isnan(y) ? x : std::max(x, y); }
REFERENCE(fmin, F x, F y) { return std::isnan(x) ? y : std::isnan(y) ? x : std::min(x, y); }
REFERENCE(fdim, F x, F y) { return std::fdim(x, y); }
REFERENCE(copysign, F x, F y) { return std::copysign(x, y); }
REFERENCE(maxmag, F x, F y) {
  return std::fabs(x) > std::fabs(y) ? x : std::fabs(y) > std::fabs(x) ? y : fmax<T, F>(x, y);
}
REFERENCE(minmag, F x, F y) {
  return std::fabs(x) < std::fabs(y) ? x : std::fabs(y) < std::fabs(x) ? y : fmin<T, F>(x, y);
}
REFERENCE(nextafter, F x, F y) {
  if constexpr (std::is_same_v<T, half>) {
    if (std::isnan(x) || std::isnan(y)) return x + y;
    if (x == y) return y;
    if (x == 0) return std::copysign(0x1p-24f, y);
    auto bits = bitsOf(static_cast<half>(x));
    return static_cast<F>(fromBits<half>((x < y) == (x > 0) ? bits + 1 : bits - 1));
  } else {
    return std::nextafter(x, y);
  }
}
REFERENCE(fmod, F x, F y) { return std::fmod(x, y); }
REFERENCE(remainder, F x, F y) { return std::remainder(x, y); }
REFERENCE(step, F edge, F x) { return x < edge ? 0 : 1; }
// OpenCL C 3.0, 7.5.1, on arguments for which the power itself is exact.
REFERENCE(powr, F x, F y) {
  const F nan = std::numeric_limits<F>::quiet_NaN();
  if (std::isnan(x) || std::isnan(y) || x < 0) return nan;
  if (y == 0 && (x == 0 || std::isinf(x))) return nan;
  if (x == 1 && std::isinf(y)) return nan;
  return std::pow(std::fabs(x), y);
}
#undef REFERENCE

#define RELATION(name, expression, ...) \
  template <typename T, typename F>     \
  int name(__VA_ARGS__) {               \
    return expression;                  \
  }
RELATION(isnan, x != x, F x)
RELATION(isinf, x - x != 0 && x == x && std::isinf(x), F x)
RELATION(isfinite, std::isfinite(x), F x)
RELATION(isnormal,
         std::isfinite(x) && std::fabs(x) >= (sizeof(T) == 2   ? 0x1p-14
                                              : sizeof(T) == 4 ? 0x1p-126
                                                               : 0x1p-1022),
         F x)
RELATION(signbit, std::signbit(x), F x)
RELATION(isequal, x == y, F x, F y)
RELATION(isnotequal, x != y, F x, F y)
RELATION(isgreater, x > y, F x, F y)
RELATION(isgreaterequal, x >= y, F x, F y)
RELATION(isless, x < y, F x, F y)
RELATION(islessequal, x <= y, F x, F y)
RELATION(islessgreater, x<y || x> y, F x, F y)
RELATION(isordered, x == x && y == y, F x, F y)
RELATION(isunordered, x != x || y != y, F x, F y)
#undef RELATION
}  // namespace reference

template <typename T>
struct Operands {
  std::vector<T> a = inputs<T>(), b = inputs<T>();
  Operands() {
    std::shuffle(b.begin(), b.end(), std::mt19937_64(7));
    for (std::size_t i = 0; i < a.size(); i += 10) b[i] = a[i];
    for (std::size_t i = 5; i < a.size(); i += 10) b[i] = -a[i];
  }
};

template <typename T>
bool same(T got, T expected) {
  return bitsOf(got) == bitsOf(expected) || (got != got && expected != expected);
}

/// Zeros of either sign are the same for the functions whose result the standard does not sign.
template <typename T>
bool sameValue(T got, T expected) {
  return same(got, expected) || got == expected;
}

/// powr is the one function here whose result is rounded; its exact powers may be off by an ulp.
template <typename T>
bool nextTo(T got, T expected) {
  const double difference = std::fabs(static_cast<double>(got) - static_cast<double>(expected));
  const double ulp = sizeof(T) == 2 ? 0x1p-10 : sizeof(T) == 4 ? 0x1p-23 : 0x1p-52;
  return same(got, expected) || difference <= ulp * std::fabs(static_cast<double>(expected));
}

template <typename T, typename R>
void compare(std::string_view name, const Operands<T>& in, const std::vector<R>& out, int mismatches, auto expected) {
  EXPECT_EQ(mismatches, 0) << name << ": lanes of a vector differ from the scalar";
  bool unsignedZero = name == "fmax" || name == "fmin" || name == "maxmag" || name == "minmag";
  int wrong = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    R want = static_cast<R>(expected(i));
    if (!(unsignedZero     ? sameValue(out[i], want)
          : name == "powr" ? nextTo(out[i], want)
                           : same(out[i], want)) &&
        ++wrong <= 3) {
      ADD_FAILURE() << name << " of " << sizeof(T) * 8 << " bits (" << std::hexfloat << static_cast<double>(in.a[i])
                    << ", " << static_cast<double>(in.b[i]) << ") is " << static_cast<double>(out[i]) << ", not "
                    << static_cast<double>(want);
    }
  }
  EXPECT_EQ(wrong, 0) << name;
}

}  // namespace

extern "C" {
#define EVALUATE(M, ...) M(__VA_ARGS__)
#define UNARY_OF(name, T) void apply_##name##_##T(const T*, T*, int, int*);
#define BINARY_OF(name, T) void apply_##name##_##T(const T*, const T*, T*, int, int*);
#define CLASSIFY_OF(name, T) void apply_##name##_##T(const T*, int*, int, int*);
#define COMPARE_OF(name, T) void apply_##name##_##T(const T*, const T*, int*, int, int*);
#define UNARY(name) EVALUATE(UNARY_OF, name, T)
#define BINARY(name) EVALUATE(BINARY_OF, name, T)
#define CLASSIFY(name) EVALUATE(CLASSIFY_OF, name, T)
#define COMPARE(name) EVALUATE(COMPARE_OF, name, T)
#include "library/each_float.inc"
#undef UNARY_OF
#undef BINARY_OF
#undef CLASSIFY_OF
#undef COMPARE_OF
#define POINTERS(T)                                       \
  void apply_frexp_##T(const T*, T*, int*, int, int*);    \
  void apply_modf_##T(const T*, T*, T*, int, int*);       \
  void apply_fract_##T(const T*, T*, T*, int, int*);      \
  void apply_lgamma_r_##T(const T*, T*, int*, int, int*); \
  void apply_ilogb_##T(const T*, int*, int, int*);        \
  void apply_ldexp_##T(const T*, const int*, T*, int, int*);
POINTERS(float)
POINTERS(double)
POINTERS(half)
#undef POINTERS
}

TEST(Float, ExactFunctionsAndRelations) {
#define COMMON(name, T, R, CALL, REFERENCE)                                 \
  {                                                                         \
    Operands<T> in;                                                         \
    using F = Computed<T>;                                                  \
    std::vector<R> out(in.a.size());                                        \
    int bad = 0, n = static_cast<int>(out.size());                          \
    CALL;                                                                   \
    compare(#name, in, out, bad, [&](std::size_t i) { return REFERENCE; }); \
  }
#define UNARY_OF(name, T) \
  COMMON(name, T, T, apply_##name##_##T(in.a.data(), out.data(), n, &bad), (reference::name<T, F>(in.a[i])))
#define BINARY_OF(name, T)                                                                                         \
  COMMON(name, T, T,                                                                                               \
         if (std::string_view(#name) == "powr") for (T & y : in.b) y = std::fabs(float(y)) > 1 ? T(1)              \
                                                                       : y == y && y != 0 && !std::isinf(float(y)) \
                                                                           ? T(2)                                  \
                                                                           : y;                                    \
         apply_##name##_##T(in.a.data(), in.b.data(), out.data(), n, &bad), (reference::name<T, F>(in.a[i], in.b[i])))
#define CLASSIFY_OF(name, T) \
  COMMON(name, T, int, apply_##name##_##T(in.a.data(), out.data(), n, &bad), (reference::name<T, F>(in.a[i])))
#define COMPARE_OF(name, T)                                                               \
  COMMON(name, T, int, apply_##name##_##T(in.a.data(), in.b.data(), out.data(), n, &bad), \
         (reference::name<T, F>(in.a[i], in.b[i])))
#include "library/each_float.inc"
}

template <typename T>
struct Parts {
  void (*frexp)(const T*, T*, int*, int, int*);
  void (*modf)(const T*, T*, T*, int, int*);
  void (*fract)(const T*, T*, T*, int, int*);
  void (*lgamma_r)(const T*, T*, int*, int, int*);
  void (*ilogb)(const T*, int*, int, int*);
  void (*ldexp)(const T*, const int*, T*, int, int*);
};

template <typename T>
void checkParts(const Parts<T>& parts) {
  using F = Computed<T>;
  auto in = inputs<T>();
  const int n = static_cast<int>(in.size());
  std::vector<T> out(in.size()), second(in.size());
  std::vector<int> integers(in.size());
  int bad = 0;

  parts.frexp(in.data(), out.data(), integers.data(), n, &bad);
  for (int i = 0; i < n; ++i) {
    int exponent = 0;
    T fraction = static_cast<T>(std::frexp(static_cast<F>(in[i]), &exponent));
    if (!std::isfinite(static_cast<F>(in[i]))) exponent = 0;
    ASSERT_TRUE(same(out[i], fraction) && integers[i] == exponent) << "frexp " << double(in[i]) << " " << integers[i];
  }
  parts.modf(in.data(), out.data(), second.data(), n, &bad);
  for (int i = 0; i < n; ++i) {
    F whole = 0;
    T fraction = static_cast<T>(std::modf(static_cast<F>(in[i]), &whole));
    ASSERT_TRUE(same(out[i], fraction) && same(second[i], static_cast<T>(whole))) << "modf " << double(in[i]);
  }
  parts.fract(in.data(), out.data(), second.data(), n, &bad);
  const T belowOne = static_cast<T>(1 - std::ldexp(1.0, sizeof(T) == 2 ? -11 : sizeof(T) == 4 ? -24 : -53));
  for (int i = 0; i < n; ++i) {
    F x = in[i];
    T fraction = std::isinf(x) || x == 0 ? static_cast<T>(std::copysign(F{0}, x)) : static_cast<T>(x - std::floor(x));
    if (fraction > belowOne) fraction = belowOne;
    ASSERT_TRUE(same(out[i], fraction) && same(second[i], static_cast<T>(std::floor(x)))) << "fract " << double(x);
  }
  parts.lgamma_r(in.data(), out.data(), integers.data(), n, &bad);
  for (int i = 0; i < n; ++i) {
    F x = in[i];
    bool pole = x <= 0 && x == std::floor(x);
    int sign = std::isnan(x) || pole ? 0 : x < 0 && std::fmod(std::floor(x), 2) != 0 ? -1 : 1;
    ASSERT_EQ(integers[i], sign) << "lgamma_r " << double(x);
  }
  parts.ilogb(in.data(), integers.data(), n, &bad);
  for (int i = 0; i < n; ++i) {
    F x = in[i];
    int expected = x == 0 ? INT_MIN : !std::isfinite(x) ? INT_MAX : std::ilogb(x);
    ASSERT_EQ(integers[i], expected) << "ilogb " << double(x);
  }
  std::mt19937_64 generator(3);
  for (int spread : {5, 40, 300, 2300, INT_MAX}) {
    for (int& k : integers) k = static_cast<int>(static_cast<long>(generator() % (2ul * spread + 1)) - spread);
    parts.ldexp(in.data(), integers.data(), out.data(), n, &bad);
    for (int i = 0; i < n; ++i) {
      // One rounding from extended precision, which holds the product exactly unless it is far out of range.
      long double product = std::scalbn(static_cast<long double>(in[i]), std::clamp(integers[i], -8000, 8000));
      T expected = sizeof(T) == 2 ? static_cast<T>(static_cast<float>(product)) : static_cast<T>(product);
      ASSERT_TRUE(same(out[i], expected)) << "ldexp " << std::hexfloat << double(in[i]) << " " << integers[i] << " is "
                                          << double(out[i]) << ", not " << double(expected);
    }
  }
  EXPECT_EQ(bad, 0) << "lanes of a vector differ from the scalar";
}

#define PARTS(T)                                                                                                 \
  Parts<T> {                                                                                                     \
    &apply_frexp_##T, &apply_modf_##T, &apply_fract_##T, &apply_lgamma_r_##T, &apply_ilogb_##T, &apply_ldexp_##T \
  }

TEST(Float, PartsOfFloat) { checkParts(PARTS(float)); }
TEST(Float, PartsOfDouble) { checkParts(PARTS(double)); }
TEST(Float, PartsOfHalf) { checkParts(PARTS(half)); }
