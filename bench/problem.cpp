// SPDX-License-Identifier: Apache-2.0
// This file allocates, fills and compares the arrays of a measured kernel.
#include "problem.h"

#include <cmath>
#include <new>
#include <random>
#include <sstream>
#include <type_traits>

namespace bench {

Storage::Storage(std::size_t bytes) : bytes_(bytes) {
  constexpr std::size_t line = 64;
  data_.reset(std::aligned_alloc(line, (bytes + line) / line * line));
  if (!data_) throw std::bad_alloc();
  std::memset(data_.get(), 0, bytes);
}

/// A number as streams print it.
template <typename T>
auto shown(T value) {
  if constexpr (std::is_same_v<T, _Float16>)
    return static_cast<float>(value);
  else
    return +value;
}

template <typename T>
std::string differenceOf(const T* result, const T* reference, std::size_t count, Tolerance tolerance) {
  std::size_t different = 0, first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (result[i] == reference[i]) continue;
    // 64-bit integers are compared exactly: double cannot represent all of them.
    const double value = static_cast<double>(result[i]), expected = static_cast<double>(reference[i]);
    if (tolerance.nan && std::isnan(value) && std::isnan(expected)) continue;
    const bool exact = std::is_integral_v<T> && sizeof(T) == 8;
    if (!exact && std::abs(value - expected) <= tolerance.absolute + tolerance.relative * std::abs(expected)) continue;
    if (different++ == 0) first = i;
  }
  if (static_cast<double>(different) <= tolerance.share * static_cast<double>(count)) return {};
  std::ostringstream text;
  text.precision(9);
  text << different << " of " << count << " elements, element " << first << " is " << shown(result[first])
       << " instead of " << shown(reference[first]);
  return text.str();
}

#define DIFFERENCE_OF(T) template std::string differenceOf<T>(const T*, const T*, std::size_t, Tolerance);
DIFFERENCE_OF(_Float16)
DIFFERENCE_OF(float)
DIFFERENCE_OF(double)
DIFFERENCE_OF(std::int8_t)
DIFFERENCE_OF(std::uint8_t)
DIFFERENCE_OF(std::int16_t)
DIFFERENCE_OF(std::uint16_t)
DIFFERENCE_OF(std::int32_t)
DIFFERENCE_OF(std::uint32_t)
DIFFERENCE_OF(std::int64_t)
DIFFERENCE_OF(std::uint64_t)
#undef DIFFERENCE_OF

std::vector<double> randomDoubles(std::size_t count, unsigned seed, double low, double high) {
  std::mt19937_64 generator(seed);
  std::vector<double> elements(count);
  // The distributions of the standard library depend on the implementation, the generator does not.
  for (double& element : elements) element = low + (high - low) * (static_cast<double>(generator() >> 11) * 0x1p-53);
  return elements;
}

std::vector<float> randomFloats(std::size_t count, unsigned seed, float low, float high) {
  const std::vector<double> elements = randomDoubles(count, seed, low, high);
  return {elements.begin(), elements.end()};
}

std::vector<_Float16> randomHalves(std::size_t count, unsigned seed) {
  const std::vector<float> elements = randomFloats(count, seed, -1, 1);
  return {elements.begin(), elements.end()};
}

template <typename T>
std::vector<T> randomIntegers(std::size_t count, unsigned seed, std::uint64_t low, std::uint64_t high) {
  std::mt19937_64 generator(seed);
  std::vector<T> elements(count);
  const std::uint64_t values = high - low + 1;  // 0: all of them
  for (T& element : elements) element = static_cast<T>(low + (values ? generator() % values : generator()));
  return elements;
}

template std::vector<std::uint8_t> randomIntegers(std::size_t, unsigned, std::uint64_t, std::uint64_t);
template std::vector<std::int32_t> randomIntegers(std::size_t, unsigned, std::uint64_t, std::uint64_t);
template std::vector<std::uint32_t> randomIntegers(std::size_t, unsigned, std::uint64_t, std::uint64_t);
template std::vector<std::uint64_t> randomIntegers(std::size_t, unsigned, std::uint64_t, std::uint64_t);

}  // namespace bench
