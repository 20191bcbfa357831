// SPDX-License-Identifier: Apache-2.0
// This file declares the command's part in clusters: each rank runs the same command, and finds out here what it is to
// do.
#pragma once

namespace clarity::tools {

/// Whether this process is a rank other than 0, which lets the program of rank 0 use its devices. Throws Failure if no
/// launcher of MPI has started this process.
bool isNodeOfCluster();
/// Is a node until the program has ended. The exit code.
int serveNode();
/// For rank 0: its devices, and then those of the nodes (CLARITY_DEVICES).
void addClusterToDevices();
/// Prints every device with what a command and transfers take. The exit code.
int printCluster();

}  // namespace clarity::tools
