// SPDX-License-Identifier: Apache-2.0
// This file holds the thresholds and costs that the compiler decides by.
#pragma once

#include <cstdint>

namespace clarity::compiler::cost {

inline constexpr unsigned cacheLine = 64;
inline constexpr std::int64_t mostShuffledStride = 4;
inline constexpr std::int64_t mostGroupMembers = 16;
inline constexpr unsigned mostLaneCopies = 16;
inline constexpr unsigned mostTwoFormInstructions = 400;
inline constexpr std::uint64_t mostBlocksSearched = 1'000'000;

}  // namespace clarity::compiler::cost
