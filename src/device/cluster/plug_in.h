// SPDX-License-Identifier: Apache-2.0
// This file declares what the driver finds in a plug-in for MPI.
#pragma once

#include "device/cluster/transport.h"

/// The transport among the ranks of MPI_COMM_WORLD; MPI is initialised, and every rank has to do the same. nullptr and
/// a sentence in `why`, which stays valid, if there is none, or if the driver is of another `version`. Once a process.
extern "C" [[gnu::visibility("default")]] clarity::device::cluster::Transport*  //
clarityMpiTransport(const char* version, const char** why);
