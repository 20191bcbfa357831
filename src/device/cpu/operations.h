// SPDX-License-Identifier: Apache-2.0
// This file says of the operations of a CPU stream which are worth waking a thread for, and puts addresses into their
// arguments.
#pragma once

#include "device/stream.h"

namespace clarity::device::cpu {

/// Whether an operation takes longer than waking a thread.
bool isHeavy(const Operation&);
bool isHeavy(const Launch&);

/// Writes the addresses of its buffers into the arguments of a launch.
void resolveAddresses(Launch&);

}  // namespace clarity::device::cpu
