// SPDX-License-Identifier: Apache-2.0
// This file is a rectangular region of memory as the Rect functions take it, and the serial copy that their results
// are compared with.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace clarity::test {

using Triple = std::array<size_t, 3>;  ///< bytes, rows, slices

/// Where a rectangle lies in one memory: its origin and the pitches in bytes, 0 for tightly packed.
struct Layout {
  Triple origin{};
  size_t rowPitch = 0;
  size_t slicePitch = 0;

  size_t row(const Triple& region) const { return rowPitch != 0 ? rowPitch : region[0]; }
  size_t slice(const Triple& region) const { return slicePitch != 0 ? slicePitch : region[1] * row(region); }
  size_t at(const Triple& region, size_t x, size_t y, size_t z) const {
    return (origin[2] + z) * slice(region) + (origin[1] + y) * row(region) + origin[0] + x;
  }
  /// One past the last byte of the rectangle.
  size_t end(const Triple& region) const { return at(region, region[0] - 1, region[1] - 1, region[2] - 1) + 1; }
};

struct Rectangle {
  const char* what;
  Triple region;
  Layout from, to;
};

/// The shapes that every Rect function is tried with.
inline std::vector<Rectangle> rectangles() {
  return {
      {"one byte", {1, 1, 1}, {}, {}},
      {"one row", {37, 1, 1}, {{3, 0, 0}, 0, 0}, {{5, 0, 0}, 0, 0}},
      {"tightly packed plane", {16, 8, 1}, {}, {}},
      {"tightly packed box", {8, 4, 3}, {}, {}},
      {"plane out of a wider one", {16, 8, 1}, {{4, 2, 0}, 40, 0}, {}},
      {"plane into a wider one", {16, 8, 1}, {}, {{4, 2, 0}, 40, 0}},
      {"different pitches", {10, 6, 1}, {{1, 1, 0}, 32, 0}, {{2, 3, 0}, 24, 0}},
      {"box with pitches of rows and slices", {12, 5, 4}, {{2, 1, 1}, 20, 200}, {{1, 2, 0}, 16, 160}},
      {"slice pitch alone", {12, 5, 3}, {{0, 0, 0}, 0, 96}, {{0, 0, 0}, 0, 60}},
      {"slices far apart", {7, 2, 3}, {{0, 0, 0}, 8, 512}, {{0, 0, 1}, 9, 90}},
  };
}

inline void copySerially(const Rectangle& shape, const std::vector<unsigned char>& from,
                         std::vector<unsigned char>& to) {
  for (size_t z = 0; z < shape.region[2]; ++z)
    for (size_t y = 0; y < shape.region[1]; ++y)
      for (size_t x = 0; x < shape.region[0]; ++x)
        to[shape.to.at(shape.region, x, y, z)] = from[shape.from.at(shape.region, x, y, z)];
}

}  // namespace clarity::test
