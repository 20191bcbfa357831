// SPDX-License-Identifier: Apache-2.0
// This file is how a test cuts off a node. The driver with nodes that are threads exports it.
#pragma once

extern "C" {

/// The node of this rank, from 1, falls silent; the host learns of it, as of a process that has ended, if `isNoticed`.
void clarityClusterCutOff(unsigned rank, int isNoticed);

}  // extern "C"
