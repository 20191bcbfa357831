// SPDX-License-Identifier: Apache-2.0
// This file is the table of image formats: which there are, how large their texels are and where they may be used
// (OpenCL 3.0, section 5.3.1.1). The builtin library (builtins/image) reads and writes all of them.
#pragma once

#include <CL/cl.h>

#include <cstdint>
#include <span>

namespace clarity::core {

/// CL_UNORM_INT_2_101010_EXT of cl_ext_image_unorm_int_2_101010, which older headers do not have.
inline constexpr cl_channel_type unormInt2_101010 = 0x10E5;

/// What a channel holds, which decides how kernels read it and of what type a fill colour is.
enum class ChannelKind : std::uint8_t { Float, Signed, Unsigned };

/// A format of images that devices with images support.
struct ImageFormat {
  cl_image_format format;
  std::uint32_t texelBytes;  ///< 1, 2, 4, 8 or 16
  std::uint32_t channels;    ///< that lie in memory
  ChannelKind kind;

  bool isDepth() const { return format.image_channel_order == CL_DEPTH; }
  bool isSrgb() const;
  /// Whether images of this type (CL_MEM_OBJECT_IMAGE2D...) may have the format.
  bool allows(cl_mem_object_type type) const;
  /// Whether one kernel may read and write an image of the format (read_write).
  bool allowsReadWrite() const { return !isSrgb(); }
};

/// All formats, those of one order next to each other.
std::span<const ImageFormat> imageFormats();

/// The row of a format; null if it is not supported.
const ImageFormat* findImageFormat(const cl_image_format& format);

/// Whether order and type are values of the standard that may be combined, supported or not.
bool isValidImageFormat(const cl_image_format& format);

}  // namespace clarity::core
