// SPDX-License-Identifier: Apache-2.0
// This file is what observes this process, as the user asked with CLARITY_CHECK, CLARITY_OBSERVE and
// CLARITY_PROFILE.
#pragma once

#include "check/host/host_checker.h"
#include "device/observer.h"

#include <cstdint>
#include <string>

namespace clarity::core {

/// The observer of all launches of this process; null where nothing is observed.
device::Observer* observer();

/// Whether calls of the application are checked: `host` or `races` in CLARITY_CHECK.
bool checksHost();
/// The checker of the application's calls; null where nothing checks them.
check::HostChecker* makeHostChecker(const check::HostServices& services);
/// The number by which the call that this thread makes is known to what checks it; 0: it is not.
std::uint64_t observedCommand();
/// The process ends: what was found is counted.
void endOfChecks();

/// Build options as the compiler gets them: with what it takes to observe the program's launches.
std::string observableOptions(std::string options);

}  // namespace clarity::core
