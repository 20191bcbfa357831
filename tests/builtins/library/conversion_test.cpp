// SPDX-License-Identifier: Apache-2.0
// This file compares every explicit conversion of the library with one computed in extended precision.
#include <gtest/gtest.h>

#include <cfenv>

#include "library/inputs.h"

namespace {

enum class Rounding { none, rte, rtz, rtp, rtn };

int directionOf(Rounding rounding) {
  switch (rounding) {
    case Rounding::rtz: return FE_TOWARDZERO;
    case Rounding::rtp: return FE_UPWARD;
    case Rounding::rtn: return FE_DOWNWARD;
    default: return FE_TONEAREST;
  }
}

struct Direction {
  explicit Direction(Rounding rounding) { std::fesetround(directionOf(rounding)); }
  ~Direction() { std::fesetround(FE_TONEAREST); }
};

/// value as a multiple of the spacing of halves where it lies, in the given direction.
half roundedToHalf(long double value, Rounding rounding) {
  if (value == 0 || !std::isfinite(value)) {
    return static_cast<half>(static_cast<float>(value));
  }
  int exponent = std::max(std::ilogb(value), -14);
  volatile long double scaled = std::ldexp(value, 10 - exponent);
  long double rounded;
  {
    Direction direction(rounding);
    rounded = std::nearbyint(scaled);
  }
  long double result = std::ldexp(rounded, exponent - 10);
  if (std::fabs(result) > 65504) {
    bool negative = value < 0;
    bool finite = rounding == Rounding::rtz || (rounding == Rounding::rtp && negative) ||
                  (rounding == Rounding::rtn && !negative);
    result = std::copysign(finite ? 65504.0L : std::numeric_limits<long double>::infinity(), value);
  }
  half narrow = static_cast<half>(static_cast<float>(result));
  return value < 0 && narrow == 0 ? -half{0} : narrow;
}

template <typename To>
To roundedTo(long double value, Rounding rounding) {
  if constexpr (std::is_same_v<To, half>) {
    return roundedToHalf(value, rounding);
  } else {
    volatile long double input = value;
    Direction direction(rounding);
    volatile To result = static_cast<To>(input);
    return result;
  }
}

/// The result that the specification asks for; false where it leaves it open.
template <typename To, typename From>
bool reference(From x, bool saturate, Rounding rounding, To& result) {
  if constexpr (!isFloating<To> && !isFloating<From>) {
    if (!saturate) {
      result = static_cast<To>(x);
      return true;
    }
  }
  long double value = static_cast<long double>(x);
  if constexpr (isFloating<To>) {
    result = roundedTo<To>(value, rounding);
    return true;
  } else {
    if (std::isnan(value)) {
      result = 0;
      return saturate;
    }
    if (rounding == Rounding::none) {
      rounding = Rounding::rtz;
    }
    volatile long double input = value;
    {
      Direction direction(rounding);
      value = std::nearbyint(input);
    }
    const long double lowest = static_cast<long double>(std::numeric_limits<To>::min());
    const long double highest = static_cast<long double>(std::numeric_limits<To>::max());
    bool inRange = value >= lowest && value <= highest;
    result = value < lowest    ? std::numeric_limits<To>::min()
             : value > highest ? std::numeric_limits<To>::max()
                               : static_cast<To>(value);
    return inRange || saturate;
  }
}

template <typename To, typename From>
using Check = void (*)(const From*, To*, int, int*);

template <typename To, typename From>
void check(const char* name, Check<To, From> convert, bool saturate, Rounding rounding) {
  std::vector<From> in;
  for (From x : inputs<From>(300)) {
    To ignored;
    if (reference(x, saturate, rounding, ignored)) {
      in.push_back(x);
    }
  }
  while (in.size() % 16 != 0) {
    in.push_back(From{});
  }
  ASSERT_GT(in.size(), 100u) << name;
  std::vector<To> out(in.size());
  int mismatches = 0;
  convert(in.data(), out.data(), static_cast<int>(in.size()), &mismatches);
  EXPECT_EQ(mismatches, 0) << name << ": elements in which a vector conversion differs from the scalar one";
  int wrong = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    To expected{};
    reference(in[i], saturate, rounding, expected);
    bool bothNan = expected != expected && out[i] != out[i];
    if (bitsOf(expected) != bitsOf(out[i]) && !bothNan && ++wrong <= 3) {
      ADD_FAILURE() << name << "(" << static_cast<long double>(in[i]) << ") is " << static_cast<long double>(out[i])
                    << ", not " << static_cast<long double>(expected);
    }
  }
  EXPECT_EQ(wrong, 0) << name;
}

}  // namespace

extern "C" {
#define CONVERSION(name, to, from, saturate, rounding) void name(const from*, to*, int, int*);
#include "conversions.def"
#undef CONVERSION
}

TEST(Conversion, EveryTypeModeAndWidth) {
#define CONVERSION(name, to, from, saturate, rounding) check<to, from>(#name, &name, saturate, Rounding::rounding);
#include "conversions.def"
#undef CONVERSION
}
