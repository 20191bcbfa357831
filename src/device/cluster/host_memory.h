// SPDX-License-Identifier: Apache-2.0
// This file reads and writes memory of the application, whose addresses may be wrong: a fault is a Result.
#pragma once

#include "device/cluster/protocol.h"
#include "device/result.h"

#include <cstddef>

namespace clarity::device::cluster {

Result copyGuarded(std::byte* to, const std::byte* from, std::size_t bytes);
/// Rows of RectShape::other, in the host's memory, to bytes without gaps and back.
Result gather(std::byte* to, const std::byte* from, const RectShape&);
Result scatter(std::byte* to, const std::byte* from, const RectShape&);
}  // namespace clarity::device::cluster
