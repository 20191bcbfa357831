// SPDX-License-Identifier: Apache-2.0
// This file is cl_mem_fence_flags as the checks of kernels' events have them.
#pragma once

#include <cstdint>

namespace clarity::check {

inline constexpr std::uint32_t noFence = 0, localFence = 1, globalFence = 2;

}  // namespace clarity::check
