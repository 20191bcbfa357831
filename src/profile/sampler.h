// SPDX-License-Identifier: Apache-2.0
// This file interrupts each thread of the process after every millisecond of processor time that it has used, later
// after every fourth, and notes which instruction it was at.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace clarity::profile {

/// Begins to sample. False: the signal is the application's, or there are no timers of threads.
bool beginSampling();
/// Ends it.
void endSampling();

/// Samples in kernels: by kernel, file, line, function, and lines that called it (compiler::CodePlace::callers).
struct Samples {
  using Place = std::tuple<std::string, std::string, std::uint32_t, std::string, std::vector<std::uint32_t>>;
  struct Counts {
    std::uint64_t all = 0;
    std::uint64_t denormal = 0;  ///< since whose last one there was arithmetic with denormal operands
  };
  std::map<Place, Counts> inKernels;
  std::uint64_t elsewhere = 0;
  std::uint64_t nanoseconds = 0;  ///< processor time for each of Counts
};
Samples samples();

}  // namespace clarity::profile
