// SPDX-License-Identifier: Apache-2.0
// This file declares what a profile says of the time that the host and the device spend without each other.
#pragma once

#include "profile_advice.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace clarity::tools {

/// From when to when something was, in order and without overlap.
using Intervals = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
/// Any intervals in that form.
Intervals joined(Intervals intervals);
std::uint64_t lengthOf(const Intervals& intervals);
/// The times that are in the first and not in the second ones.
Intervals without(const Intervals& from, const Intervals& what);

/// When commands ran, or the compiler.
Intervals busyTimes(const ProfiledProcess& process);

/// The times between two launches of a command-queue, one behind the other. Those in which the host was still waiting
/// for an earlier command are not there: the host is what the device waits for then.
Times gapsOfLaunches(const ProfiledProcess& process);

/// The host asks in a loop whether a command has ended.
std::optional<Advice> adviseOnPolling(const ProfiledProcess& process);
/// The device waits for what the host does between two steps.
std::optional<Advice> adviseOnHostWork(const ProfiledProcess& process);

}  // namespace clarity::tools
