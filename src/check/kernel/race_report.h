// SPDX-License-Identifier: Apache-2.0
// This file words a data race.
#pragma once

#include "check/kernel/checks.h"

#include <cstdint>

namespace clarity::check {

/// Two accesses to the same memory that nothing orders. The other one came first.
struct Race {
  const compiler::Site& site;
  const compiler::Site& otherSite;
  device::GlobalId id{}, otherId{};
  std::uint64_t address = 0;  ///< the address of the first element that both access
  bool isLocal = false;       ///< in local memory
  bool isBehindBarrier = false;
  bool isUnderWay = false;  ///< the other one is by a copy that its work-item has not waited for
  bool writesSameValue = false;
};

void reportRace(const LaunchScene&, const Race&);

}  // namespace clarity::check
