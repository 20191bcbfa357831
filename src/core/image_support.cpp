// SPDX-License-Identifier: Apache-2.0
// This file compares images with the limits of devices.
#include "core/image_support.h"

#include "core/constant_names.h"
#include "core/error.h"

#include <algorithm>

namespace clarity::core {

const char* nameOfType(cl_mem_object_type type) {
  switch (type) {
    case CL_MEM_OBJECT_BUFFER: return "a buffer";
    case CL_MEM_OBJECT_IMAGE1D: return "a 1D image";
    case CL_MEM_OBJECT_IMAGE1D_BUFFER: return "a 1D image buffer";
    case CL_MEM_OBJECT_IMAGE1D_ARRAY: return "a 1D image array";
    case CL_MEM_OBJECT_IMAGE2D: return "a 2D image";
    case CL_MEM_OBJECT_IMAGE2D_ARRAY: return "a 2D image array";
    case CL_MEM_OBJECT_IMAGE3D: return "a 3D image";
    case CL_MEM_OBJECT_PIPE: return "a pipe";
    default: return "no memory object";
  }
}

bool supportsImages(const Context& context) {
  return std::ranges::any_of(context.devices(),
                             [](const Ref<Device>& device) { return device->properties().images.supported; });
}

bool supportsExtent(const Device& device, const ImageDescription& image) {
  const device::ImageProperties& most = device.properties().images;
  if (!most.supported || image.layers > most.maxArraySize) return false;
  switch (image.type) {
    case CL_MEM_OBJECT_IMAGE1D_BUFFER: return image.width <= most.maxBufferTexels;
    case CL_MEM_OBJECT_IMAGE3D:
      return image.width <= most.maxWidth3D && image.height <= most.maxHeight3D && image.depth <= most.maxDepth3D;
    default: return image.width <= most.maxWidth2D && image.height <= most.maxHeight2D;
  }
}

void requireSupport(const Device& device, const ImageDescription& image) {
  const device::Properties& properties = device.properties();
  // CL_INVALID_OPERATION if the device does not support images.
  failIf(!properties.images.supported, CL_INVALID_OPERATION, "device '{}' does not support images", properties.name);
  // CL_INVALID_IMAGE_SIZE if the image dimensions are not supported by the device.
  failIf(!supportsExtent(device, image), CL_INVALID_IMAGE_SIZE,
         "{} of {} x {} x {} texels in {} layers is larger than device '{}' supports", nameOfType(image.type),
         image.width, image.height, image.depth, image.layers, properties.name);
  // CL_IMAGE_FORMAT_NOT_SUPPORTED if the image format is not supported by the device.
  failIf(image.format->isDepth() && !properties.images.depth, CL_IMAGE_FORMAT_NOT_SUPPORTED,
         "device '{}' does not support images of {}", properties.name, FormatNames{image.format->format});
}

}  // namespace clarity::core
