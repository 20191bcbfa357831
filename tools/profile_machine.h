// SPDX-License-Identifier: Apache-2.0
// This file declares the machine's rates as profiles use them: measured once, and kept in the folder of compiled code.
#pragma once

#include "machine.h"

namespace clarity::tools {

/// The rates of this machine: those that are kept, or else they are measured, which takes about a second.
MachineRates keptMachineRates();

}  // namespace clarity::tools
