// SPDX-License-Identifier: Apache-2.0
// This file declares the machine's limits as profiles use them: measured a few times, and kept in the folder of
// compiled code.
#pragma once

#include "machine.h"

namespace clarity::tools {

/// The most that the machine does: traffic with memory and multiply-adds of float, caches, other types.
struct MachineLimits : MachineRates {
  MachineCeilings ceilings;
};

/// Those of this machine. In the first profiles they are measured, which takes about a second.
MachineLimits keptMachineLimits();

}  // namespace clarity::tools
