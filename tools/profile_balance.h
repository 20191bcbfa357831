// SPDX-License-Identifier: Apache-2.0
// This file declares how the work of a launch is spread among the threads of its device.
#pragma once

#include "profile_record.h"

#include <cstdint>
#include <optional>

namespace clarity::tools {

/// The launch of a kernel with one size that was spread best: in others, threads may have been interrupted.
struct Balance {
  std::uint64_t launch = 0;      ///< nanoseconds
  unsigned workers = 0;          ///< threads that execute launches
  double waste = 0;              ///< the part of the launch that an even division of the work would save
  double partOfLongest = 0;      ///< the longest part's share of all work
  double place = 0, pieces = 0;  ///< where that begins, and how much of the range it is, from 0 to 1
};
/// Nothing if the launches are short, too few or were executed by one thread.
std::optional<Balance> balanceOf(const ProfiledProcess& process, const KernelSummary& kernel);

}  // namespace clarity::tools
