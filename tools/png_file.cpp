// SPDX-License-Identifier: Apache-2.0
// This file reads and writes PNG pictures by libpng's simplified interface.
#include "array.h"
#include "command.h"
#include "files.h"

#include <cstring>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <png.h>

namespace clarity::tools {
namespace {

constexpr ElementType byteElement{Scalar::UChar, 1};
constexpr ElementType pixelElement{Scalar::UChar, 4};

// Frees libpng's memory in the destructor.
struct Image {
  png_image data{};
  Image() { data.version = PNG_IMAGE_VERSION; }
  ~Image() { png_image_free(&data); }
};

}  // namespace

Array readPng(const std::filesystem::path& file, ElementType wanted) {
  if (wanted != byteElement && wanted != pixelElement)
    throw Failure(
        fmt::format("'{}': a picture needs a buffer of uchar or uchar4, not of {}", file.string(), wanted.name()));
  Image image;
  const std::vector<std::byte> content = readBytes(file);
  if (!png_image_begin_read_from_memory(&image.data, content.data(), content.size()))
    throw Failure(fmt::format("cannot read the picture '{}': {}", file.string(), image.data.message));
  const bool grey = wanted == byteElement && !(image.data.format & (PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA));
  image.data.format = grey ? PNG_FORMAT_GRAY : PNG_FORMAT_RGBA;
  Array array{wanted, {image.data.height, image.data.width}, std::vector<std::byte>(PNG_IMAGE_SIZE(image.data))};
  if (!grey && wanted == byteElement) array.shape.push_back(4);
  if (!png_image_finish_read(&image.data, nullptr, array.bytes.data(), 0, nullptr))
    throw Failure(fmt::format("cannot read the picture '{}': {}", file.string(), image.data.message));
  return array;
}

void writePng(const std::filesystem::path& file, const Array& array) {
  const bool isPixels = array.type == pixelElement && array.shape.size() == 2;
  const bool isGrey = array.type == byteElement && array.shape.size() == 2;
  const bool isColour =
      array.type == byteElement && array.shape.size() == 3 && (array.shape[2] == 3 || array.shape[2] == 4);
  if (!isPixels && !isGrey && !isColour)
    throw Failure(
        fmt::format("cannot write '{}': a picture is WIDTHxHEIGHT of uchar4, or of uchar with 1, 3 or 4 channels, and "
                    "this is {}",
                    file.string(), arrayText(array)));
  Image image;
  image.data.height = static_cast<png_uint_32>(array.shape[0]);
  image.data.width = static_cast<png_uint_32>(array.shape[1]);
  image.data.format = isGrey ? PNG_FORMAT_GRAY : (isColour && array.shape[2] == 3) ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  if (array.shape[0] > PNG_UINT_31_MAX || array.shape[1] > PNG_UINT_31_MAX || array.bytes.empty())
    throw Failure(
        fmt::format("cannot write '{}': a picture of {}x{} pixels", file.string(), array.shape[1], array.shape[0]));
  // Through memory, so that files and standard output are written, and their errors found, in one way.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image.data);
  std::vector<std::byte> encoded(size);
  if (!png_image_write_to_memory(&image.data, encoded.data(), &size, 0, array.bytes.data(), 0, nullptr))
    throw Failure(fmt::format("cannot write the picture '{}': {}", file.string(), image.data.message));
  writeBytes(file, std::span(encoded).first(size));
}

}  // namespace clarity::tools
