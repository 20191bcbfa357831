// SPDX-License-Identifier: Apache-2.0
// This file asks Linux about dma-bufs.
#include "support/dma_buffer.h"

#include <linux/dma-buf.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace clarity::support {

bool dmaBuffersExist(const std::filesystem::path& devices) {
  constexpr const char* makers[] = {"udmabuf", "dma_heap", "dri"};
  return std::ranges::any_of(makers, [&](const char* name) {
    std::error_code ignored;
    return std::filesystem::exists(devices / name, ignored);
  });
}

const DmaBufferSystem& dmaBufferSystem() {
  static constexpr DmaBufferSystem linux{
      .isDmaBuffer =
          [](int descriptor) {
            struct statfs system = {};
            return ::fstatfs(descriptor, &system) == 0 && system.f_type == DMA_BUF_MAGIC;
          },
      .synchronise =
          [](int descriptor, std::uint64_t flags) {
            dma_buf_sync request{.flags = flags};
            int result = 0;
            do result = ::ioctl(descriptor, DMA_BUF_IOCTL_SYNC, &request);
            while (result != 0 && (errno == EINTR || errno == EAGAIN));
            return result == 0 ? 0 : errno;
          },
  };
  return linux;
}

}  // namespace clarity::support
