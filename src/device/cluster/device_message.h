// SPDX-License-Identifier: Apache-2.0
// This file writes and reads what a node says of its devices.
#pragma once

#include "compiler/ir/target.h"
#include "device/cluster/wire.h"
#include "device/properties.h"

namespace clarity::device::cluster {

/// A device of a node: its properties as they are there, and the target of its code.
struct DeviceFacts {
  Properties properties;
  compiler::Target target;
};

void writeFacts(Writer&, const DeviceFacts&);
/// Reader::ok() says whether the bytes were enough.
void readFacts(Reader&, DeviceFacts&);

}  // namespace clarity::device::cluster
