// SPDX-License-Identifier: Apache-2.0
// This file is rectangles of bytes, as transfers of buffers and images have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace clarity::check {

/// Rows of bytes, in slices.
struct Rows {
  std::uint64_t first = 0;  ///< the offset of the first byte
  std::uint64_t rowBytes = 0, rows = 1, rowPitch = 0, slices = 1, slicePitch = 0;

  /// From the first byte to the last one.
  std::uint64_t extent() const { return (slices - 1) * slicePitch + (rows - 1) * rowPitch + rowBytes; }
  /// Whether nothing lies between the rows.
  bool isWhole() const { return (rows == 1 || rowPitch == rowBytes) && (slices == 1 || slicePitch == rows * rowPitch); }
  /// Calls visit(offset from the first byte, bytes) for each piece without gaps; until it returns false.
  template <class Visit>
  bool forEach(Visit visit) const {
    if (isWhole()) return visit(std::uint64_t{0}, extent());
    for (std::uint64_t z = 0; z < slices; ++z)
      for (std::uint64_t y = 0; y < rows; ++y)
        if (!visit(z * slicePitch + y * rowPitch, rowBytes)) return false;
    return true;
  }
};

/// A rectangle as calls have it: bytes, rows and slices; a pitch of 0 stands for rows or slices without gaps. Nothing
/// if a list is null or the rectangle empty.
inline std::optional<Rows> rowsOf(const std::size_t* origin, const std::size_t* region, std::uint64_t rowPitch,
                                  std::uint64_t slicePitch) {
  if (!origin || !region || region[0] == 0 || region[1] == 0 || region[2] == 0) return std::nullopt;
  Rows rows{.rowBytes = region[0], .rows = region[1], .slices = region[2]};
  rows.rowPitch = rowPitch ? rowPitch : rows.rowBytes;
  rows.slicePitch = slicePitch ? slicePitch : rows.rowPitch * rows.rows;
  rows.first = origin[0] + origin[1] * rows.rowPitch + origin[2] * rows.slicePitch;
  return rows;
}

}  // namespace clarity::check
