// SPDX-License-Identifier: Apache-2.0
// This file turns copies of rectangles and fills into calls of the CUDA driver, as few as it takes.
#pragma once

#include "device/cuda/memory.h"
#include "device/stream.h"

namespace clarity::device::cuda {

// The context is in use (Gpu::use).
Result copyRect(const RectCopy&, CuStream);
Result fill(const Fill&, CuStream);

}  // namespace clarity::device::cuda
