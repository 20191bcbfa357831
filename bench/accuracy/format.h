// SPDX-License-Identifier: Apache-2.0
// This file defines the floating-point formats of OpenCL C, the wider format in which each is judged, and errors in
// units in the last place.
//
// The wider format of double is long double. On x86 it has 64 bits, so that an error in the last place of a reference
// is 2^-11 ulp of double. Where long double is binary128, references are more exact and slower. Where it is double,
// results of double cannot be judged, and math_accuracy omits them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace accuracy {

using Half = _Float16;

template <class T>
struct Format;

template <>
struct Format<Half> {
  using Bits = std::uint16_t;
  using Wide = double;
  static constexpr const char* name = "half";
  static constexpr int mantissaBits = 10, minExponent = -14,
                       maxExponent = 15;  // of the stored mantissa; of normal numbers
};

template <>
struct Format<float> {
  using Bits = std::uint32_t;
  using Wide = double;
  static constexpr const char* name = "float";
  static constexpr int mantissaBits = 23, minExponent = -126, maxExponent = 127;
};

template <>
struct Format<double> {
  using Bits = std::uint64_t;
  using Wide = long double;
  static constexpr const char* name = "double";
  static constexpr int mantissaBits = 52, minExponent = -1022, maxExponent = 1023;
};

template <class T>
using BitsOf = typename Format<T>::Bits;
template <class T>
using Wide = typename Format<T>::Wide;

template <class T>
constexpr BitsOf<T> bitsOf(T value) {
  return std::bit_cast<BitsOf<T>>(value);
}
template <class T>
constexpr T fromBits(BitsOf<T> bits) {
  return std::bit_cast<T>(bits);
}

template <class T>
constexpr int signBit = sizeof(T) * 8 - 1;
template <class T>
constexpr BitsOf<T> infinityBits =
    static_cast<BitsOf<T>>(((BitsOf<T>{1} << (signBit<T> - Format<T>::mantissaBits)) - 1) << Format<T>::mantissaBits);

template <class T>
BitsOf<T> magnitudeBits(T value) {
  return static_cast<BitsOf<T>>(bitsOf(value) & ~(BitsOf<T>{1} << signBit<T>));
}
template <class T>
bool isNegative(T value) {
  return bitsOf(value) >> signBit<T>;
}
template <class T>
bool isZero(T value) {
  return magnitudeBits(value) == 0;
}
template <class T>
bool isSubnormal(T value) {
  const BitsOf<T> magnitude = magnitudeBits(value);
  return magnitude != 0 && magnitude < (BitsOf<T>{1} << Format<T>::mantissaBits);
}
template <class T>
bool isFinite(T value) {
  return magnitudeBits(value) < infinityBits<T>;
}
template <class T>
bool isNan(T value) {
  return magnitudeBits(value) > infinityBits<T>;
}

// The next number after the largest finite one, if the format had it: the value of infinity in errors.
template <class T>
constexpr Wide<T> beyondLargest() {
  return Wide<T>(2) * static_cast<Wide<T>>(fromBits<T>(static_cast<BitsOf<T>>(
                          BitsOf<T>(Format<T>::maxExponent - Format<T>::minExponent + 1) << Format<T>::mantissaBits)));
}

// 1 / ulp(truth), for finite numbers (OpenCL C 3.0, section 7.4): numbers at powers of two have the distance to the
// smaller neighbour, numbers below the smallest normal one that of subnormals.
template <class T>
double inverseUlp(double truth) {
  using F = Format<T>;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(truth), fraction = bits & ((std::uint64_t{1} << 52) - 1);
  constexpr std::int64_t lowest = F::minExponent + 1023, highest = F::maxExponent + 1023;
  const std::int64_t biased = static_cast<std::int64_t>(bits >> 52 & 0x7ff) - (fraction == 0);
  const std::int64_t limited = biased < lowest ? lowest : biased > highest ? highest : biased;
  return std::bit_cast<double>(static_cast<std::uint64_t>(2046 + F::mantissaBits - limited) << 52);
}

template <class T>
long double inverseUlp(long double truth) {
  using F = Format<T>;
  if (truth == 0) return std::ldexp(1.0L, F::mantissaBits - F::minExponent);
  int exponent;
  const long double fraction = std::frexp(std::fabs(truth), &exponent);  // from 1/2 on
  exponent = std::clamp(exponent - 1 - (fraction == 0.5L), F::minExponent, F::maxExponent);
  return std::ldexp(1.0L, F::mantissaBits - exponent);
}

// The distance of a result from the exact value, in ulps. Neither is NaN, and not both are infinite.
template <class T>
double ulpsBetween(T result, Wide<T> truth) {
  const Wide<T> largest = beyondLargest<T>();
  const Wide<T> value =
      isFinite(result) ? static_cast<Wide<T>>(result) : std::copysign(largest, static_cast<Wide<T>>(result));
  const Wide<T> limited = std::clamp(truth, -largest, largest);
  return static_cast<double>(std::fabs(value - limited) * inverseUlp<T>(limited));
}

}  // namespace accuracy
