// SPDX-License-Identifier: Apache-2.0
// This file tests what the system is asked about dma-bufs.
#include "support/dma_buffer.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <linux/dma-buf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace clarity::support {
namespace {

// Both answers: with each of the devices that make them, and with devices that do not.
TEST(DmaBuffer, existWhereADeviceMakesThem) {
  for (const char* maker : {"udmabuf", "dma_heap/system", "dri/renderD128"}) {
    const TemporaryFolder devices;
    EXPECT_FALSE(dmaBuffersExist(devices.path()));
    devices.write("null", "");
    devices.write("dma", "");
    EXPECT_FALSE(dmaBuffersExist(devices.path()));
    devices.write(maker, "");
    EXPECT_TRUE(dmaBuffersExist(devices.path())) << maker;
  }
  EXPECT_FALSE(dmaBuffersExist("/dev/null/folder"));
}

TEST(DmaBuffer, otherFilesAreNone) {
  const int file = memfd_create("test", MFD_CLOEXEC);
  ASSERT_GE(file, 0);
  EXPECT_FALSE(dmaBufferSystem().isDmaBuffer(file));
  EXPECT_EQ(dmaBufferSystem().synchronise(file, DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW), ENOTTY);
  EXPECT_EQ(close(file), 0);
  EXPECT_FALSE(dmaBufferSystem().isDmaBuffer(file));
  EXPECT_EQ(dmaBufferSystem().synchronise(file, DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW), EBADF);
}

}  // namespace
}  // namespace clarity::support
