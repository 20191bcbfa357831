// SPDX-License-Identifier: Apache-2.0
// This file runs an operation of the discrete device, with the CPU's code, on memory that is open while it runs.
#pragma once

#include "device/host/workers.h"
#include "device/stream.h"

namespace clarity::discrete {

/// Reports the start and returns what is to be reported at the end.
device::Result runOperation(device::Submission&, device::host::Workers&, bool profiled, device::Times&) noexcept;

}  // namespace clarity::discrete
