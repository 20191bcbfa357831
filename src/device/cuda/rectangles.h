// SPDX-License-Identifier: Apache-2.0
// This file turns copies of rectangles and fills into calls of the CUDA driver, as few as it takes.
#pragma once

#include "device/cuda/staging.h"
#include "device/stream.h"

#include <vector>

namespace clarity::device::cuda {

// The context is in use (Gpu::use). No memory is the host's at both ends of a rectangle, or in a fill.

/// Memory of the host that the GPU does not access by itself goes through staging buffers; `kept` has what the GPU may
/// still be reading.
Result copyRect(Staging&, const RectCopy&, CuStream, std::vector<StagingBuffer>& kept);
Result fill(const Fill&, CuStream);

}  // namespace clarity::device::cuda
