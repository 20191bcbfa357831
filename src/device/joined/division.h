// SPDX-License-Identifier: Apache-2.0
// This file decides how a launch is divided among the parts of a joined device: which work-groups each executes, and
// which memory it reads and writes.
#pragma once

#include "device/joined/executable.h"

#include <string>
#include <vector>

namespace clarity::device::joined {

/// A range of memory that a part of a launch uses.
struct RangeUse {
  JoinedAllocation* allocation = nullptr;
  support::Interval range;
  bool isWrite = false;
};

/// The share of a part in a launch.
struct Share {
  PartIndex part = 0;
  GroupBox groups{};  ///< all of them if the launch is not divided
  double items = 0;   ///< work-items
  std::vector<RangeUse> uses;
};

/// A launch and who executes it. One share: it runs whole.
struct Division {
  std::vector<Share> shares;
  std::string objection;  ///< why it runs whole, if no smaller division of it would do either
};

/// Divides a launch, or leaves it whole: where its parts could not be told apart by what they write, and where dividing
/// it does not pay.
Division divide(const Launch& launch, Parts& parts);

/// All memory of a launch, for a part that executes it whole.
void addUses(const Launch& launch, std::vector<RangeUse>& uses);

/// The part that has most of the memory.
PartIndex partWithMost(const std::vector<RangeUse>& uses, PartIndex parts);

}  // namespace clarity::device::joined
