// SPDX-License-Identifier: Apache-2.0
// This file declares the machine's limits as profiles use them: measured a few times, and kept in the folder of
// compiled code.
#pragma once

#include "machine.h"

#include <optional>
#include <string>

namespace clarity::tools {

/// The most that the machine's processors or a GPU do: traffic with memory and multiply-adds of float, caches, other
/// types.
struct MachineLimits : MachineRates {
  MachineCeilings ceilings;
};

/// Those of this machine's processors. In the first profiles they are measured, which takes about a second.
MachineLimits keptMachineLimits();
/// Those of the GPU of this name; nothing if this machine has none, or it cannot be measured.
std::optional<MachineLimits> keptGpuLimits(const std::string& name);

}  // namespace clarity::tools
