// SPDX-License-Identifier: Apache-2.0
// This file converts a colour to a texel of a format (OpenCL 3.0, section 5.3.4; OpenCL C, section 8.3).
#pragma once

#include "core/image_format.h"

#include <array>
#include <cstddef>

namespace clarity::core {

/// The bytes of a texel, or of a block of equal texels: ImageFormat::blockBytes of them, the rest 0.
using Texel = std::array<std::byte, 16>;

/// The texel that clEnqueueFillImage stores for a colour: four cl_float, cl_int or cl_uint, as the format's kind says,
/// red first; one cl_float for CL_DEPTH. Values that do not fit are saturated; normalised ones are rounded to nearest
/// even.
Texel texelOf(const ImageFormat& format, const void* colour);

}  // namespace clarity::core
