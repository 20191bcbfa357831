// SPDX-License-Identifier: Apache-2.0
// This file reads and writes PNG pictures with libpng's simplified interface.
#include "picture.h"
#include "sample.h"

#include <png.h>
#include <string.h>

Picture readPng(const char* path, size_t channels) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path)) sampleFail("cannot read '%s' as PNG: %s", path, image.message);
  image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  Picture picture = {image.width, image.height, channels, sampleAllocate(PNG_IMAGE_SIZE(image), 1)};
  const png_color white = {255, 255, 255};  // what shows through transparent pixels
  if (!png_image_finish_read(&image, &white, picture.pixels, 0, NULL))
    sampleFail("cannot read '%s' as PNG: %s", path, image.message);
  return picture;
}

void writePng(const char* path, const Picture* picture) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = (png_uint_32)picture->width;
  image.height = (png_uint_32)picture->height;
  image.format = picture->channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  if (!png_image_write_to_file(&image, path, 0, picture->pixels, 0, NULL))
    sampleFail("cannot write '%s': %s", path, image.message);
}
