// SPDX-License-Identifier: Apache-2.0
// This file is the clock of profiling times: the host's.
#pragma once

#include <time.h>

#include <cstdint>

namespace clarity::device::host {

/// Nanoseconds, monotonic.
inline std::uint64_t hostTime() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace clarity::device::host
