// SPDX-License-Identifier: Apache-2.0
// This file computes where the texels of an image lie.
#include "core/image_description.h"

#include <algorithm>
#include <bit>

namespace clarity::core {

unsigned ImageDescription::dimensions() const {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER: return 1;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE2D: return 2;
    default: return 3;
  }
}

ImageLevel ImageDescription::level(cl_uint n) const {
  ImageLevel result{0, width, height, depth, rowPitch, slicePitch};
  for (cl_uint i = 0; i < n; ++i) {
    result.offset += result.slicePitch * result.depth * layers;
    result.width = std::max<std::size_t>(result.width / 2, 1);
    result.height = std::max<std::size_t>(result.height / 2, 1);
    result.depth = std::max<std::size_t>(result.depth / 2, 1);
    result.rowPitch = format->bytesOf(result.width);
    result.slicePitch = result.rowPitch * result.height;
  }
  return result;
}

std::size_t ImageDescription::extent() const {
  const ImageLevel last = level(levels() - 1);
  return last.offset + (last.depth * layers - 1) * last.slicePitch + (last.height - 1) * last.rowPitch +
         format->bytesOf(last.width);
}

std::size_t ImageDescription::bytes() const {
  const ImageLevel last = level(levels() - 1);
  return last.offset + last.depth * layers * last.slicePitch;
}

Rectangle ImageDescription::rectangle(cl_uint levelIndex, const std::array<std::size_t, 3>& origin,
                                      const std::array<std::size_t, 3>& region) const {
  const ImageLevel at = level(levelIndex);
  // Layers of 1D images are the rows of the rectangle.
  const std::size_t pitch = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? at.slicePitch : at.rowPitch;
  Rectangle result{.begin = at.offset + format->bytesOf(origin[0]),
                   .size = {format->bytesOf(region[0]), region[1], region[2]},
                   .rowPitch = pitch,
                   .slicePitch = at.slicePitch};
  if (dimensions() > 1) result.begin += origin[1] * pitch;
  if (dimensions() > 2) result.begin += origin[2] * at.slicePitch;
  return result;
}

compiler::ImageDescriptor ImageDescription::descriptor() const {
  compiler::ImageDescriptor result{};
  result.slicePitch = depth * layers > 1 ? slicePitch : 0;
  result.rowPitch = height > 1 ? static_cast<std::uint32_t>(rowPitch) : 0;
  result.texelBytes = format->blockBytes;
  result.width = static_cast<std::uint32_t>(width);
  result.height = static_cast<std::uint32_t>(height);
  result.depth = static_cast<std::uint32_t>(depth);
  result.layers = static_cast<std::uint32_t>(layers);
  result.order = format->format.image_channel_order;
  result.type = format->format.image_channel_data_type;
  result.levels = levels();
  for (cl_uint n = 1; n < result.levels; ++n) result.levelOffsets[n] = level(n).offset;
  return result;
}

cl_uint mostLevels(std::size_t width, std::size_t height, std::size_t depth) {
  return static_cast<cl_uint>(std::bit_width(std::max({width, height, depth})));
}

}  // namespace clarity::core
