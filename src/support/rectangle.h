// SPDX-License-Identifier: Apache-2.0
// This file is a rectangle of bytes in linear memory: what rectangular transfers, images and their mapped regions
// touch.
#pragma once

#include <array>
#include <cstddef>

namespace clarity::support {

/// Rows of bytes, which may have gaps between them. Rows follow each other in memory: a row pitch is at least a row, a
/// slice pitch at least a slice, where there is more than one.
struct Rectangle {
  std::size_t begin = 0;                     ///< where the first byte is
  std::array<std::size_t, 3> size{0, 1, 1};  ///< bytes, rows, slices
  std::size_t rowPitch = 0, slicePitch = 0;

  /// One past the last byte.
  std::size_t end() const { return begin + (size[2] - 1) * slicePitch + (size[1] - 1) * rowPitch + size[0]; }
  /// Whether there are no gaps.
  bool isContiguous() const { return end() - begin == size[0] * size[1] * size[2]; }
};

/// Whether two rectangles in one memory share a byte.
inline bool overlap(const Rectangle& a, const Rectangle& b) {
  if (a.end() <= b.begin || b.end() <= a.begin) return false;
  const auto row = [](const Rectangle& r, std::size_t i) {
    return r.begin + i % r.size[1] * r.rowPitch + i / r.size[1] * r.slicePitch;
  };
  const std::size_t rowsOfA = a.size[1] * a.size[2], rowsOfB = b.size[1] * b.size[2];
  for (std::size_t i = 0, j = 0; i < rowsOfA && j < rowsOfB;) {
    const std::size_t ofA = row(a, i), ofB = row(b, j);
    if (ofA + a.size[0] <= ofB)
      ++i;
    else if (ofB + b.size[0] <= ofA)
      ++j;
    else
      return true;
  }
  return false;
}

}  // namespace clarity::support
