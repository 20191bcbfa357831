// SPDX-License-Identifier: Apache-2.0
// This file gives the limits of what the builtin library does in kernels: the same for all devices.
#pragma once

#include "device/properties.h"

namespace clarity::device {

/// Texels are read and written by the builtin library, so the limits are those of its index arithmetic in 32 bits.
void describeImages(ImageProperties& images);

/// The builtin library keeps no list of reservations: there may be as many as there are packets.
void describePipes(PipeProperties& pipes);

}  // namespace clarity::device
