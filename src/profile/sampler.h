// SPDX-License-Identifier: Apache-2.0
// This file interrupts each thread of the process after every millisecond of processor time that it has used, and notes
// which instruction it was at.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace clarity::profile {

/// Begins to sample. False: the signal is the application's, or there are no timers of threads.
bool beginSampling();
/// Ends it.
void endSampling();

/// Samples in kernels: by kernel, file, line and function.
struct Samples {
  using Place = std::tuple<std::string, std::string, std::uint32_t, std::string>;
  std::map<Place, std::uint64_t> inKernels;
  std::uint64_t elsewhere = 0;
  std::uint64_t nanoseconds = 0;  ///< of processor time for each sample
};
Samples samples();

}  // namespace clarity::profile
