// SPDX-License-Identifier: Apache-2.0
// This file declares reading and writing of PNG pictures for the samples that need them.
#ifndef SAMPLES_COMMON_PICTURE_H
#define SAMPLES_COMMON_PICTURE_H

#include <stddef.h>
#include <stdint.h>

// `channels` bytes per pixel, 1 (grey) or 3 (red, green, blue); rows from the top, without padding.
typedef struct {
  size_t width, height, channels;
  uint8_t* pixels;
} Picture;

// Reads any PNG as grey or as RGB. Ends the program with exit status 2 and a message when that is not possible.
Picture readPng(const char* path, size_t channels);
void writePng(const char* path, const Picture* picture);

#endif
