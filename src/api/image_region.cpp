// SPDX-License-Identifier: Apache-2.0
// This file checks regions of images (OpenCL 3.0, sections 5.3.3 and 5.3.6.1).
#include "api/image_region.h"

#include "api/handle.h"
#include "core/image_support.h"
#include "support/checked.h"

#include <limits>

namespace clarity::api {

using core::ImageDescription;
using core::ImageLevel;
using core::Memory;
using core::Rectangle;

namespace {

using Triple = std::array<std::size_t, 3>;

/// The number of an origin that names the level of a mipmap: the first one that says not where a texel is.
cl_uint levelOf(const ImageDescription& image, const char* originName, const size_t* origin) {
  const unsigned at = image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 2 : image.dimensions();
  // CL_INVALID_MIP_LEVEL if the level specified in origin is not a valid level for image.
  failIf(origin[at] >= image.levels(), CL_INVALID_MIP_LEVEL, "{}[{}] is {}, and the image has {} levels", originName,
         at, origin[at], image.levels());
  return static_cast<cl_uint>(origin[at]);
}

/// The number of texels, rows and slices of a level, and of layers where an origin counts them.
Triple extentOf(const ImageDescription& image, const ImageLevel& level) {
  switch (image.type) {
    case CL_MEM_OBJECT_IMAGE1D_ARRAY: return {level.width, image.layers, 1};
    case CL_MEM_OBJECT_IMAGE2D_ARRAY: return {level.width, level.height, image.layers};
    default: return {level.width, level.height, level.depth};
  }
}

}  // namespace

ImageRegion regionOf(const Memory& memory, const char* originName, const size_t* origin, const size_t* region) {
  // CL_INVALID_VALUE if origin or region is NULL.
  failIf(!origin, CL_INVALID_VALUE, "{} is null", originName);
  failIf(!region, CL_INVALID_VALUE, "region is null");
  const ImageDescription& image = *memory.image();
  ImageRegion result;
  const bool isMipmap = image.levels() > 1;
  if (isMipmap) result.level = levelOf(image, originName, origin);
  const Triple extent = extentOf(image, image.level(result.level));
  const unsigned dimensions = image.dimensions();
  Triple from{};
  for (unsigned d = 0; d < 3; ++d) {
    result.region[d] = region[d];
    // CL_INVALID_VALUE if values in origin and region do not follow the rules: what the image's type has not is 0 in
    // the origin, but for the level of a mipmap, and 1 in the region; no value of the region is 0.
    const bool isLevel = isMipmap && d == dimensions;
    if (d < dimensions || !isLevel) from[d] = origin[d];
    failIf(d >= dimensions && (from[d] != 0 || region[d] != 1), CL_INVALID_VALUE,
           "{}[{}] is {} and region[{}] is {} for {}, expected 0 and 1", originName, d, from[d], d, region[d],
           core::nameOfType(image.type));
    // CL_INVALID_VALUE if the region is out of bounds.
    failIf(region[d] == 0 || from[d] > extent[d] || region[d] > extent[d] - from[d], CL_INVALID_VALUE,
           "{}[{}] is {} and region[{}] is {}, outside of the image, which has {} there", originName, d, from[d], d,
           region[d], extent[d]);
  }
  const std::size_t block = image.format->blockTexels;
  failIf(from[0] % block != 0 || region[0] % block != 0, CL_INVALID_VALUE,
         "{}[0] is {} and region[0] is {}, no multiples of the {} texels that share {} bytes", originName, from[0],
         region[0], block, image.format->blockBytes);
  result.bytes = image.rectangle(result.level, from, result.region);
  return result;
}

Rectangle hostRectangle(const Memory& memory, const ImageRegion& region, std::size_t rowPitch, std::size_t slicePitch) {
  const ImageDescription& image = *memory.image();
  const Triple& size = region.bytes.size;
  // CL_INVALID_VALUE: row_pitch must be 0 or at least the element size in bytes x width.
  failIf(rowPitch != 0 && rowPitch < size[0], CL_INVALID_VALUE,
         "row pitch {} is less than a row of the region, {} bytes", rowPitch, size[0]);
  // CL_INVALID_VALUE if image is a 1D or 2D image and slice_pitch is not 0.
  const bool hasSlices = image.isArray() || image.type == CL_MEM_OBJECT_IMAGE3D;
  failIf(slicePitch != 0 && !hasSlices, CL_INVALID_VALUE, "slice pitch {} is not 0, and the image is {}", slicePitch,
         core::nameOfType(image.type));
  Rectangle host{.begin = 0, .size = size, .rowPitch = rowPitch != 0 ? rowPitch : size[0], .slicePitch = 0};
  // Images of an array of 1D images have one row.
  const bool layersAreRows = image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const auto tight = support::checkedProduct(host.rowPitch, layersAreRows ? 1 : size[1]);
  failIf(!tight, CL_INVALID_VALUE, "a slice of {} rows with row pitch {} does not fit in size_t", size[1],
         host.rowPitch);
  failIf(slicePitch != 0 && slicePitch < *tight, CL_INVALID_VALUE,
         "slice pitch {} is less than a slice of the region, {} bytes", slicePitch, *tight);
  host.slicePitch = slicePitch != 0 ? slicePitch : *tight;
  if (layersAreRows) host.rowPitch = host.slicePitch;
  failIf(!support::checkedProduct(host.slicePitch, layersAreRows ? size[1] : size[2]), CL_INVALID_VALUE,
         "{} slices with slice pitch {} do not fit in size_t", layersAreRows ? size[1] : size[2], host.slicePitch);
  return host;
}

device::RectCopy rectCopy(const device::Location& target, const Rectangle& to, const device::Location& source,
                          const Rectangle& from) {
  return {.to = target,
          .from = source,
          .region = to.size,
          .toRowPitch = to.rowPitch,
          .toSlicePitch = to.slicePitch,
          .fromRowPitch = from.rowPitch,
          .fromSlicePitch = from.slicePitch};
}

}  // namespace clarity::api
