// SPDX-License-Identifier: Apache-2.0
// This file says which bytes of the host's memory a transfer reads or writes.
#pragma once

#include "check/host/host_call.h"
#include "check/host/host_order.h"
#include "check/host/rows.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace clarity::check {

/// Rows of bytes, counted from the pointer that a call gets.
struct HostRows : Rows {
  std::string_view parameter;  ///< the pointer's name
  std::uint64_t pointer = 0;
  bool isWritten = false;  ///< by the device

  std::uint64_t begin() const { return pointer + first; }
};

/// None for calls that are no such transfer.
std::optional<HostRows> hostRowsOf(const HostCall& call, const HostServices& services);

}  // namespace clarity::check
