// SPDX-License-Identifier: Apache-2.0
// This file reads the formats by which Python's buffers say what their elements are (PEP 3118).
#pragma once

#include "check/host/debug_lines.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace clarity::check {

/// The numbers in an element of so many bytes: "f", "<i", "T{f:x:f:y:i:id:}"; none for what is no number.
std::optional<DebugVariable> elementOfFormat(std::string_view format, std::uint64_t bytes);

}  // namespace clarity::check
