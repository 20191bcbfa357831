// SPDX-License-Identifier: Apache-2.0
// This file declares the machine's rates as profiles use them: measured a few times, and kept in the folder of compiled
// code.
#pragma once

#include "machine.h"

namespace clarity::tools {

/// The rates of this machine. In the first profiles they are measured, which takes about a second.
MachineRates keptMachineRates();

}  // namespace clarity::tools
