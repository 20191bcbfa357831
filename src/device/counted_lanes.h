// SPDX-License-Identifier: Apache-2.0
// This file declares how counted code tells of the lanes of its packets.
#pragma once

#include <cstdint>

namespace clarity::device {

/// Where branches and loops diverge in a slice of counted code: the lanes that were on, and all. Ahead of
/// LaunchObserver::counts(), on the same thread.
struct CountedLanes {
  std::uint64_t active = 0, all = 0;
};
inline thread_local CountedLanes countedLanes;

}  // namespace clarity::device
