// SPDX-License-Identifier: Apache-2.0
// This file is what generated code knows of an image object and of a sampler: the contract between the runtime, which
// fills them in, and the builtin library (builtins/image), which reads them. Plain data, in the argument block.
#pragma once

#include <cstddef>
#include <cstdint>

namespace clarity::compiler {

/// Most levels of a mipmap: those of an image of 2^15 texels in one direction, and one to spare.
inline constexpr std::uint32_t maxImageLevels = 16;

/// An image object (OpenCL 3.0, sections 5.3 and 6.15.15), by value in the argument block at KernelArg::offset.
///
/// Texels lie in rows, rows in slices (of a 3D image) or layers (of an array), without gaps inside of a texel:
/// texel (x, y, z) of level 0 is at texels + z * slicePitch + y * rowPitch + x * texelBytes. The levels of a mipmap
/// lie one behind the other without padding: level n has max(1, width >> n) texels in a row, and so on.
struct ImageDescriptor {
  std::uint64_t texels;      ///< address of the first texel; written by the device when it runs the launch
  std::uint64_t slicePitch;  ///< bytes from one slice or layer to the next; 0 if there is one only
  std::uint32_t rowPitch;    ///< bytes from one row to the next; 0 if there is one only
  /// 1, 2, 4, 8 or 16 (3, 6 and 12 for CL_RGB of a format that is not packed). A raw format has 5 for 4 texels, 3 for
  /// 2.
  std::uint32_t texelBytes;
  std::uint32_t width;                         ///< texels; never 0
  std::uint32_t height;                        ///< rows; 1 for images of one dimension
  std::uint32_t depth;                         ///< slices; 1 for all images but those of three dimensions
  std::uint32_t layers;                        ///< layers of an array; 1 for all other images
  std::uint32_t order;                         ///< cl_channel_order
  std::uint32_t type;                          ///< cl_channel_type
  std::uint32_t levels;                        ///< levels of a mipmap; 1 for all other images
  std::uint32_t reserved;                      ///< 0
  std::uint64_t levelOffsets[maxImageLevels];  ///< bytes from `texels` to the first texel of each level
};
static_assert(sizeof(ImageDescriptor) == 184 && offsetof(ImageDescriptor, texels) == 0);

inline constexpr std::uint32_t imageDescriptorAlign = 8;

/// A sampler as 64 bits: of the application, in the argument block, or of the program. The low 32 bits are those of the
/// CLK_ constants of OpenCL C (section 6.15.15.1), as clang passes them to __translate_sampler_initializer. A sampler
/// of the application may add a filter between levels and limits of the level of detail (cl_khr_mipmap_image).
struct SamplerBits {
  static constexpr std::uint64_t normalised = 0x1;   ///< CLK_NORMALIZED_COORDS_TRUE
  static constexpr std::uint64_t addressing = 0xE;   ///< mask: none 0, clamp to edge 2, clamp 4, repeat 6, mirrored 8
  static constexpr std::uint64_t nearest = 0x10;     ///< CLK_FILTER_NEAREST
  static constexpr std::uint64_t linear = 0x20;      ///< CLK_FILTER_LINEAR
  static constexpr std::uint64_t mipLinear = 0x100;  ///< between two levels; without it, the nearest level
  static constexpr unsigned lodMinShift = 32;        ///< 16 bits: the least level of detail, in 1/256
  static constexpr unsigned lodMaxShift = 48;        ///< 16 bits: the largest, in 1/256; 0xFFFF: no limit
};

}  // namespace clarity::compiler
