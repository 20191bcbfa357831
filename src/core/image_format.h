// SPDX-License-Identifier: Apache-2.0
// This file is the table of image formats: which there are, how large their texels are and where they may be used
// (OpenCL 3.0, section 5.3.1.1). The builtin library (builtins/image) reads and writes all of them.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace clarity::core {

/// Types of extensions, which older headers do not have: cl_ext_image_unorm_int_2_101010,
/// cl_ext_image_unsigned_10x6_12x4_14x2 (the upper bits of 16) and cl_ext_image_raw10_raw12.
inline constexpr cl_channel_type unormInt2_101010 = 0x10E5;
inline constexpr cl_channel_type unormInt10x6 = 0x10E1, unormInt12x4 = 0x10E9, unormInt14x2 = 0x10EA;
inline constexpr cl_channel_type unsignedInt10x6 = 0x10E6, unsignedInt12x4 = 0x10E7, unsignedInt14x2 = 0x10E8;
inline constexpr cl_channel_type unsignedIntRaw10 = 0x10E3, unsignedIntRaw12 = 0x10E4;

/// The kind of number in a channel, which decides how kernels read it and of what type a fill colour is.
enum class ChannelKind : std::uint8_t { Float, Signed, Unsigned };

/// A format of images that devices with images support.
struct ImageFormat {
  cl_image_format format;
  std::uint32_t texelBytes;  ///< 1, 2, 4, 8 or 16: CL_IMAGE_ELEMENT_SIZE
  std::uint32_t channels;    ///< that lie in memory
  ChannelKind kind;
  /// Texels that share bytes, and these bytes. A block is one texel, but for raw formats: 4 texels in 5 bytes, or 2 in
  /// 3. Rows consist of whole blocks.
  std::uint32_t blockTexels = 1, blockBytes = texelBytes;

  /// Bytes of neighbouring texels of a row: whole blocks.
  std::size_t bytesOf(std::size_t texels) const { return texels / blockTexels * blockBytes; }
  /// Pitches must be a multiple of this. Rows of raw formats may begin at any byte.
  std::size_t pitchUnit() const { return blockTexels == 1 ? texelBytes : 1; }

  bool isDepth() const { return format.image_channel_order == CL_DEPTH; }
  bool isSrgb() const;
  /// Whether images of this type (CL_MEM_OBJECT_IMAGE2D...) may have the format.
  bool allows(cl_mem_object_type type) const;
  /// Whether one kernel may read and write an image of the format (read_write).
  bool allowsReadWrite() const { return !isSrgb() && allowsWrite(); }
  /// Whether kernels may write it at all. A texel that shares a byte with its neighbours cannot be written by itself.
  bool allowsWrite() const { return blockTexels == 1; }
};

/// All formats, those of one order next to each other.
std::span<const ImageFormat> imageFormats();

/// The row of a format; null if it is not supported.
const ImageFormat* findImageFormat(const cl_image_format& format);

/// Whether order and type are values of the standard that may be combined, supported or not.
bool isValidImageFormat(const cl_image_format& format);

}  // namespace clarity::core
