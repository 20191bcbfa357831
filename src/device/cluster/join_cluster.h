// SPDX-License-Identifier: Apache-2.0
// This file is how a process becomes a rank of a cluster: by a plug-in for the MPI whose launcher has started it. In
// other processes nothing is loaded.
#pragma once

#include "device/cluster/transport.h"
#include "device/device.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::device::cluster {

/// The transport of this process; null and a sentence in `why` if there is none. `mpi`: openmpi, mpich; the plug-in
/// lies beside the driver.
std::unique_ptr<Transport> openTransport(std::string_view mpi, std::string& why);

/// Waits for the nodes, once for the process, and says what is wrong. The process is rank 0.
std::vector<std::string> join(const Options&);

/// Whether a node has come.
bool isJoined();
/// The devices of the nodes that have come.
std::vector<std::unique_ptr<Device>> discover();

}  // namespace clarity::device::cluster
