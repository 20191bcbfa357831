// SPDX-License-Identifier: Apache-2.0
// This file is a transport between ranks that are threads of one process: for tests, which need no MPI then.
#pragma once

#include "device/cluster/transport.h"

#include <memory>
#include <vector>

namespace clarity::device::cluster {

/// Ranks that are connected with each other, the first one first.
std::vector<std::unique_ptr<Transport>> connectedInProcess(unsigned ranks);

/// For tests: a rank falls silent, as a process that was killed; others learn of it if `isNoticed`.
void cutOff(Transport& ofInProcess, bool isNoticed);

}  // namespace clarity::device::cluster
