// SPDX-License-Identifier: Apache-2.0
// This file makes the observer of this process.
#include "core/observation.h"

#include "core/config.h"
#include "device/access_table.h"

#include <fmt/format.h>

#include <cstdio>

namespace clarity::core {

device::Observer* observer() {
  // Never destroyed: launches may run until the process is gone.
  static device::Observer* const instance = []() -> device::Observer* {
    const std::string& wanted = config().observe;
    if (wanted == "accesses")
      return new device::AccessTable([](const std::string& text) { fmt::print(stderr, "{}", text); });
    if (!wanted.empty())
      fmt::print(stderr, "clarity: CLARITY_OBSERVE='{}' is not understood; there is: accesses\n", wanted);
    return nullptr;
  }();
  return instance;
}

std::string observableOptions(std::string options) {
  if (observer()) options += options.empty() ? "-cl-clarity-instrument" : " -cl-clarity-instrument";
  return options;
}

}  // namespace clarity::core
