// SPDX-License-Identifier: Apache-2.0
// This file knows of each entry point what its calls are recorded for, so that no call looks for names.
#pragma once

#include "check/host/host_call.h"

#include <cstdint>
#include <vector>

namespace clarity::profile {

struct EntryPlan {
  /// The work for a call, beside keeping it.
  enum class Makes : std::uint8_t { Nothing, Command, Queue, Source, Build };

  const check::CallInfo* info = nullptr;
  Makes makes = Makes::Nothing;
  bool isLaunch = false;
  bool isQuery = false;                                ///< it asks, and is often called again and again
  int event = -1, queue = -1, size = -1, region = -1;  ///< places of parameters; -1: it has none
  int dimensions = -1, globalSize = -1, waits = -1, waitCount = -1, blocking = -1;

  explicit EntryPlan(const check::CallInfo& info);
};

/// The plans of all entry points, by CallInfo::number.
const std::vector<EntryPlan>& entryPlans();

inline const EntryPlan& planOf(const check::HostCall& call) {
  static const std::vector<EntryPlan>& all = entryPlans();
  return all[call.info.number];
}

}  // namespace clarity::profile
