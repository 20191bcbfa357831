// SPDX-License-Identifier: Apache-2.0
// This file turns operations that move memory into calls of the CUDA driver.
#include "device/cuda/operations.h"
#include "device/cuda/rectangles.h"
#include "device/host/transfers.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace clarity::device::cuda {

Result Operations::move(const Move& move) {
  for (const Move::Part& part : move.parts) {
    if (!static_cast<const CudaAllocation&>(*part.memory.allocation).moves()) continue;
    // Without it the memory goes when it is used.
    (void)driver().memPrefetchAsync(addressOf(part.memory), part.bytes, move.toHost ? cuHost : gpu_->device(), stream_);
  }
  return {};
}

Result Operations::copy(const Copy& copy, Afterwards& afterwards) {
  std::byte *const to = hostOf(copy.to), *const from = hostOf(copy.from);
  const std::size_t bytes = copy.bytes;
  const auto checked = [&](CuResult code) {
    return code == 0 ? Result{} : resultOf(code, fmt::format("a copy of {} bytes failed", bytes));
  };
  if (bytes == 0) return {};
  if (!to && !from) return checked(copyInside(copy));
  if (to && from) {
    afterwards = [this, to, from, bytes] { return host::copy(staging_->workers, to, from, bytes); };
    return {};
  }
  const bool isSmall = bytes <= Staging::smallBytes;
  // From pageable memory the driver copies a small one before it returns, without waiting for the GPU.
  if (!to && isSmall)
    if (Result result = host::canAccess(from, bytes, false); !result) return result;
  if (!to && (isSmall || isPinned(from, bytes)))
    return checked(driver().memcpyHtoDAsync(addressOf(copy.to), from, bytes, stream_));
  if (!to) {
    std::vector<StagingBuffer> kept;
    Result result = upload(*staging_, addressOf(copy.to), from, bytes, stream_, kept);
    afterwards = [kept = std::move(kept)] { return Result{}; };
    return result;
  }
  if (isPinned(to, bytes)) return checked(driver().memcpyDtoHAsync(to, addressOf(copy.from), bytes, stream_));
  if (!isSmall) return download(*staging_, to, addressOf(copy.from), bytes, stream_);
  StagingBuffer buffer(staging_->small);
  std::byte* const memory = buffer.memory();
  if (!memory) {
    if (Result result = host::canAccess(to, bytes, true); !result) return result;
    return checked(driver().memcpyDtoHAsync(to, addressOf(copy.from), bytes, stream_));
  }
  afterwards = [this, to, bytes, buffer = std::move(buffer)] {
    return host::copy(staging_->workers, to, buffer.memory(), bytes);
  };
  return checked(driver().memcpyDtoHAsync(memory, addressOf(copy.from), bytes, stream_));
}

Result Operations::copyRect(const RectCopy& rect, Afterwards& afterwards) {
  std::byte *const to = hostOf(rect.to), *const from = hostOf(rect.from);
  if (to && from) {
    afterwards = [this, to, from, &rect] { return host::copyRect(staging_->workers, to, from, rect); };
    return {};
  }
  std::vector<StagingBuffer> kept;
  Result result = cuda::copyRect(*staging_, rect, stream_, kept);
  if (!kept.empty()) afterwards = [kept = std::move(kept)] { return Result{}; };
  return result;
}

Result Operations::fill(const Fill& fill, Afterwards& afterwards) {
  std::byte* const host = hostOf(fill.to);
  if (!host) return cuda::fill(fill, stream_);
  afterwards = [this, host, &fill] { return host::fill(staging_->workers, host, fill); };
  return {};
}

CuResult Operations::copyInside(const Copy& copy) {
  const auto& to = static_cast<const CudaAllocation&>(*copy.to.allocation);
  const auto& from = static_cast<const CudaAllocation&>(*copy.from.allocation);
  const CuPointer target = addressOf(copy.to), source = addressOf(copy.from);
  const bool ofTwo = &to.gpu() != &from.gpu() && !to.hostAddress() && !from.hostAddress();
  if (!ofTwo) return driver().memcpyDtoDAsync(target, source, copy.bytes, stream_);
  to.gpu().link(from.gpu());
  gpu_->use();
  return driver().memcpyPeerAsync(target, to.gpu().context(), source, from.gpu().context(), copy.bytes, stream_);
}

}  // namespace clarity::device::cuda
