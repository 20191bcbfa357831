// SPDX-License-Identifier: Apache-2.0
// This file says which bytes of the host's memory a transfer reads or writes.
#pragma once

#include "check/host_call.h"
#include "check/host_order.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace clarity::check {

/// Rows of bytes, counted from the pointer that a call gets.
struct HostRows {
  std::string_view parameter;  ///< the pointer's name
  std::uint64_t pointer = 0;
  bool isWritten = false;   ///< by the device
  std::uint64_t first = 0;  ///< the offset of the first byte
  std::uint64_t rowBytes = 0, rows = 1, rowPitch = 0, slices = 1, slicePitch = 0;

  std::uint64_t begin() const { return pointer + first; }
  /// From the first byte to the last one.
  std::uint64_t extent() const { return (slices - 1) * slicePitch + (rows - 1) * rowPitch + rowBytes; }
  /// Whether nothing lies between the rows.
  bool isWhole() const { return (rows == 1 || rowPitch == rowBytes) && (slices == 1 || slicePitch == rows * rowPitch); }
  /// Calls visit(offset from begin(), bytes) for each piece without gaps; until it returns false.
  template <class Visit>
  bool forEach(Visit visit) const {
    if (isWhole()) return visit(std::uint64_t{0}, extent());
    for (std::uint64_t z = 0; z < slices; ++z)
      for (std::uint64_t y = 0; y < rows; ++y)
        if (!visit(z * slicePitch + y * rowPitch, rowBytes)) return false;
    return true;
  }
};

/// None for calls that are no such transfer.
std::optional<HostRows> hostRowsOf(const HostCall& call, const HostServices& services);

}  // namespace clarity::check
