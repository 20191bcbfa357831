// SPDX-License-Identifier: Apache-2.0
// This file reads an operation that the host has written (cluster/encoder.h).
#pragma once

#include "device/cluster/server/objects.h"
#include "device/cluster/server/task.h"
#include "device/cluster/wire.h"

namespace clarity::device::cluster::server {

/// A program of a launch that has not come yet; null if the operation can be read. An operation is read from its
/// beginning afterwards.
Program* missingProgram(cluster::Reader&, Objects&);

/// Fills in the task; what is wrong becomes its failure.
void readOperation(cluster::Reader&, Objects&, Task&);

}  // namespace clarity::device::cluster::server
