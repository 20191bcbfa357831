// SPDX-License-Identifier: Apache-2.0
// This file is what makes a memory object an image: its type, format and extent, and where its texels lie.
#pragma once

#include "compiler/ir/image_descriptor.h"
#include "core/image_format.h"
#include "core/residency.h"

#include <CL/cl.h>

#include <array>
#include <cstddef>

namespace clarity::core {

/// One level of a mipmap; of other images the whole.
struct ImageLevel {
  std::size_t offset = 0;                        ///< bytes from the first texel of the image
  std::size_t width = 1, height = 1, depth = 1;  ///< texels
  std::size_t rowPitch = 0, slicePitch = 0;      ///< bytes; of an array, slicePitch is that of layers
};

/// An image (OpenCL 3.0, section 5.3.1) as it lies in linear memory: rows of texels, slices or layers of rows, levels
/// one behind the other. Checked already.
struct ImageDescription {
  cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D;
  const ImageFormat* format = nullptr;  ///< never null in a memory object
  std::size_t width = 1, height = 1, depth = 1;
  std::size_t layers = 1;                    ///< layers of an array
  std::size_t rowPitch = 0, slicePitch = 0;  ///< pitches of level 0
  cl_uint mipLevels = 0;                     ///< as the application gave it: 0 and 1 are an image of one level

  bool isArray() const { return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY; }
  /// The number of an origin's three numbers that say where a texel is.
  unsigned dimensions() const;
  cl_uint levels() const { return mipLevels > 1 ? mipLevels : 1; }
  ImageLevel level(cl_uint n) const;
  /// From the first byte of the first texel to the last of the last one: memory behind it, which belongs to the last
  /// row if rows have gaps, is never touched.
  std::size_t extent() const;
  /// CL_MEM_SIZE: with the gaps behind the last row and slice.
  std::size_t bytes() const;
  /// The bytes of a region of texels in one level; origin and region as enqueue functions take them, inside of it. An
  /// array of 1D images has its layers along the second dimension.
  Rectangle rectangle(cl_uint level, const std::array<std::size_t, 3>& origin,
                      const std::array<std::size_t, 3>& region) const;
  /// The description that kernels get, but for the address.
  compiler::ImageDescriptor descriptor() const;
};

/// The most levels that a mipmap of this extent has: down to one texel.
cl_uint mostLevels(std::size_t width, std::size_t height, std::size_t depth);

}  // namespace clarity::core
