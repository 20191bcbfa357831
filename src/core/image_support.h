// SPDX-License-Identifier: Apache-2.0
// This file says what images devices support.
#pragma once

#include "core/context.h"
#include "core/device.h"
#include "core/image_description.h"

#include <CL/cl.h>

namespace clarity::core {

/// "a 2D image" for CL_MEM_OBJECT_IMAGE2D, for texts.
const char* nameOfType(cl_mem_object_type type);

/// Whether a device of the context has images.
bool supportsImages(const Context& context);

/// Whether the device can have images of this type and extent.
bool supportsExtent(const Device& device, const ImageDescription& image);

/// For a command that uses the image on the device: CL_INVALID_OPERATION if the device has no images,
/// CL_INVALID_IMAGE_SIZE if this one is larger than it can have, CL_IMAGE_FORMAT_NOT_SUPPORTED.
void requireSupport(const Device& device, const ImageDescription& image);

}  // namespace clarity::core
