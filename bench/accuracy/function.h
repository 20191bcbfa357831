// SPDX-License-Identifier: Apache-2.0
// This file defines a measured function of one type, and the block of inputs and outputs that the generator of inputs,
// the device, the reference and the judge share.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "accuracy/format.h"

namespace accuracy {

enum class Shape : std::uint8_t { X_X, X_XX, X_XN, X_N, XY_X, XY_XN, XN_X, XYZ_X };

constexpr bool takesY(Shape shape) { return shape == Shape::XY_X || shape == Shape::XY_XN || shape == Shape::XYZ_X; }
constexpr bool takesZ(Shape shape) { return shape == Shape::XYZ_X; }
constexpr bool takesInt(Shape shape) { return shape == Shape::XN_X; }
constexpr bool givesInt(Shape shape) { return shape == Shape::X_N; }  // as its only result
constexpr bool givesSecondInt(Shape shape) { return shape == Shape::X_XN || shape == Shape::XY_XN; }
constexpr bool givesSecondNumber(Shape shape) { return shape == Shape::X_XX; }
constexpr bool takesOneNumber(Shape shape) { return !takesY(shape) && !takesInt(shape); }

// Bounds that are not a number of ulps: the result is correctly rounded, or not judged, or the type has no such
// function.
constexpr double exact = 0, unbounded = std::numeric_limits<double>::infinity(), absent = -1;

// The arguments of one call; those that a function does not have are 0.
template <class T>
struct Arguments {
  T x{}, y{}, z{};
  std::int32_t n = 0;
};

// The expected results of a call. Integers are stored in the wider format, which represents all of them.
template <class T>
struct Truth {
  Wide<T> first = 0, second = 0;
};

// The arguments and results of many calls. Arrays of arguments and results that a function does not have are zero.
template <class T>
struct Block {
  explicit Block(std::size_t capacity)
      : x(capacity),
        y(capacity),
        z(capacity),
        first(capacity),
        second(capacity),
        n(capacity),
        firstInt(capacity),
        secondInt(capacity) {}
  std::size_t count = 0;
  std::vector<T> x, y, z, first, second;
  std::vector<std::int32_t> n, firstInt, secondInt;
  Arguments<T> arguments(std::size_t i) const { return {x[i], y[i], z[i], n[i]}; }
};

template <class T>
struct Function {
  const char* name;
  Shape shape;
  const char* call;
  double limit;
  // Writes the expected results to arrays of block.count elements.
  void (*reference)(const Block<T>& block, Truth<T>* truth);
  Truth<T> (*referenceOfOne)(const Arguments<T>& arguments);
  // The same, faster and with errors far below an ulp; null if there is no such function.
  void (*quick)(const Block<T>& block, Truth<T>* truth);
  std::string fullName() const { return std::string(Format<T>::name) + ' ' + name; }
};

// SLEEF's (quick_references.cpp), or null.
void (*quickReference(const char* function))(const Block<float>& block, Truth<float>* truth);

// Every function of functions.def that the type has.
template <class T>
const std::vector<Function<T>>& functions();

}  // namespace accuracy
