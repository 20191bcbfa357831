// SPDX-License-Identifier: Apache-2.0
// This file says what the builtin library can do, on every device that runs it.
#include "device/library_limits.h"

#include <cstddef>

namespace clarity::device {

void describeImages(ImageProperties& images) {
  images.supported = images.depth = true;
  images.maxReadArgs = 128;
  images.maxWriteArgs = images.maxReadWriteArgs = 64;
  images.maxSamplers = 16;
  images.maxWidth2D = images.maxHeight2D = 16384;
  images.maxWidth3D = images.maxHeight3D = images.maxDepth3D = 2048;
  images.maxBufferTexels = std::size_t{1} << 27;
  images.maxArraySize = 2048;
  images.pitchAlignment = images.baseAddressAlignment = 1;
}

void describePipes(PipeProperties& pipes) {
  pipes.maxArgs = 64;
  pipes.maxActiveReservations = 1u << 16;
  pipes.maxPacketBytes = 1024;
}

}  // namespace clarity::device
