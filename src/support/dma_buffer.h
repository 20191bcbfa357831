// SPDX-License-Identifier: Apache-2.0
// This file is what the system says of and does with dma-bufs: memory that drivers of Linux share by file descriptors.
#pragma once

#include <cstdint>
#include <filesystem>

namespace clarity::support {

/// Whether programs on this system can come by dma-bufs: a device is there that makes them, of memory of the process
/// (udmabuf), of heaps (dma_heap) or of a graphics driver (dri).
bool dmaBuffersExist(const std::filesystem::path& devices = "/dev");

/// The system's operations on them. Tests on systems without any have one of their own.
struct DmaBufferSystem {
  bool (*isDmaBuffer)(int descriptor);
  /// Waits for the devices that use it and makes the processor's caches current, with DMA_BUF_SYNC_START before and
  /// DMA_BUF_SYNC_END after accesses of the processor. 0 or the error's number.
  int (*synchronise)(int descriptor, std::uint64_t flags);
};

const DmaBufferSystem& dmaBufferSystem();

}  // namespace clarity::support
