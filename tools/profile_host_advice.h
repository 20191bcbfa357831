// SPDX-License-Identifier: Apache-2.0
// This file declares what a profile says of the time that the host and the device spend without each other.
#pragma once

#include "profile_advice.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
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

/// The place of the calls that a question is about, where one place makes most of them.
std::string placeOfCalls(const ProfiledProcess& process, const std::function<bool(const ProfiledCall&)>& isIt);

/// Bytes that commands have moved, of those that have enough to be worth a call.
struct Moved {
  std::size_t count = 0;
  std::uint64_t bytes = 0, time = 0;
};
Moved movedBy(const ProfiledProcess& process, std::initializer_list<std::string_view> names);

/// Content is copied, or memory filled, between two launches although kernels could read or write it where it is.
std::optional<Advice> adviseOnCopies(const ProfiledProcess& process);
std::optional<Advice> adviseOnFills(const ProfiledProcess& process);
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
