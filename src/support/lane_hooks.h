// SPDX-License-Identifier: Apache-2.0
// This file declares what counted code calls about the lanes of its packets, besides what observer_hooks.h has.
#pragma once

#include <cstdint>

extern "C" {
/// Code for Instrumentation::Count ends a slice, ahead of __clarity_counts: device::CountedLanes.
void __clarity_lanes(std::uint64_t active, std::uint64_t lanes);
}
