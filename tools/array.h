// SPDX-License-Identifier: Apache-2.0
// This file declares an array in host memory as the command moves it between files and buffers.
#pragma once

#include "element_type.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace clarity::tools {

/// Elements in row-major order. A vector type counts as one element: a picture of uchar4 has the shape height, width.
struct Array {
  ElementType type;
  std::vector<size_t> shape;
  std::vector<std::byte> bytes;
  bool isUnwritten = false;  ///< a kernel's argument whose bytes the host does not write

  size_t count() const { return bytes.size() / type.bytes(); }
};

/// Width and height of an array of two dimensions, or of three whose last one is the channels of pixels.
struct PictureSize {
  size_t width, height, channels;
};
std::optional<PictureSize> pictureSize(const Array& array);
/// "640x480 of uchar4", "640x480, 3 channels, of uchar", "1000 of float", "(2, 3, 5, 7) of int": a size of two
/// dimensions is that of a picture, width first, and any other a shape in NumPy's order.
std::string arrayText(const Array& array);

/// A NumPy file, format versions 1 to 3, of numbers. Vectors are the last axis: float4 needs (..., 4), float3 (..., 3).
/// `wanted` is the element type of the argument; another type in the file is an error. Throws Failure.
Array readNpy(const std::filesystem::path& file, ElementType wanted);
void writeNpy(const std::filesystem::path& file, const Array& array);

/// A PNG of any kind as 8-bit grey (only for uchar and a grey picture) or 8-bit RGBA: uchar gets a last axis of 4 for
/// the latter, uchar4 one element a pixel. Throws Failure, also when `wanted` is another type.
Array readPng(const std::filesystem::path& file, ElementType wanted);
/// uchar of (height, width) is written grey, of (height, width, 3 or 4) and uchar4 of (height, width) in colour.
void writePng(const std::filesystem::path& file, const Array& array);

}  // namespace clarity::tools
