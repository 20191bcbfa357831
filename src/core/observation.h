// SPDX-License-Identifier: Apache-2.0
// This file is the observer that the user asked for with CLARITY_OBSERVE.
#pragma once

#include "device/observer.h"

#include <string>

namespace clarity::core {

/// The observer of all launches of this process; null where nothing is observed.
device::Observer* observer();

/// Build options as the compiler gets them: with what it takes to observe the program's launches.
std::string observableOptions(std::string options);

}  // namespace clarity::core
