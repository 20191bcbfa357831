// SPDX-License-Identifier: Apache-2.0
// This file is the host's clock: that of profiling times, of the host timer, and of records that other programs read.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstdint>

namespace clarity::support {

/// Nanoseconds of CLOCK_MONOTONIC, which does not jump.
inline std::uint64_t hostTime() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

/// The nanoseconds between two times that it may tell apart, at least 1.
inline std::uint64_t hostTimeResolution() {
  timespec resolution{};
  if (clock_getres(CLOCK_MONOTONIC, &resolution) != 0) return 1;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(resolution.tv_nsec));
}

}  // namespace clarity::support
