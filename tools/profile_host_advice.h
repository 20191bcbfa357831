// SPDX-License-Identifier: Apache-2.0
// This file declares what a profile says of the time that the host and the device spend without each other.
#pragma once

#include "profile_advice.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
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

/// From so long on, a pause between two calls of a thread is work of the host's own. Bindings of Python take longer.
std::uint64_t longPauseOf(const ProfiledProcess& process);

/// When commands ran, or the compiler.
Intervals busyTimes(const ProfiledProcess& process);

/// The times between two launches of a command-queue, one behind the other. Those in which the host was still waiting
/// for an earlier command are not there: the host is what the device waits for then.
Times gapsOfLaunches(const ProfiledProcess& process);

/// The place of the calls that a question is about: the one in which they take longest.
std::string placeOfCalls(const ProfiledProcess& process, const std::function<bool(const ProfiledCall&)>& isIt);

/// Content is copied, or memory filled, between two launches although kernels could read or write it where it is.
std::optional<Advice> adviseOnCopies(const ProfiledProcess& process);
std::optional<Advice> adviseOnFills(const ProfiledProcess& process);
/// Large contents are copied where the device could have them in the host's memory, or small ones one by one.
std::optional<Advice> adviseOnBufferCopies(const ProfiledProcess& process);
std::optional<Advice> adviseOnImageCopies(const ProfiledProcess& process);
std::optional<Advice> adviseOnSmallTransfers(const ProfiledProcess& process);
/// A GPU cannot access the memory of the host by itself.
std::optional<Advice> adviseOnPinning(const ProfiledProcess& process);
/// The host asks now and then whether a command has ended, and nothing runs meanwhile.
std::optional<Advice> adviseOnSleep(const ProfiledProcess& process);
/// The host asks in a loop whether a command has ended.
std::optional<Advice> adviseOnPolling(const ProfiledProcess& process);
/// The host asks again and again for what stays the same.
std::optional<Advice> adviseOnQuestions(const ProfiledProcess& process);
/// Launches of many kernels wait for their code, one after the other.
std::optional<Advice> adviseOnFirstLaunches(const ProfiledProcess& process);
/// The device waits for what the host does between two steps.
std::optional<Advice> adviseOnHostWork(const ProfiledProcess& process);

}  // namespace clarity::tools
