// SPDX-License-Identifier: Apache-2.0
// This file divides transfers and fills among workers.
#include "device/host/transfers.h"

#include "support/fault_guard.h"

#include <CL/cl.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

namespace clarity::device::host {
namespace {

/// Work smaller than this is done by the calling thread alone: waking another one takes as long.
constexpr std::size_t parallelFrom = 512u << 10;
constexpr std::size_t smallestChunk = 256u << 10;

/// Bytes from which a copy does not stay in any cache. Its target is written with non-temporal stores, which saves
/// reading it first: a quarter to a third of the time, measured; below it would cost as much.
constexpr std::size_t streamingFrom = 32u << 20;

std::atomic<TransferObserver> observer{nullptr};

void noteTransfer(const std::byte* to, const std::byte* from, std::size_t bytes) {
  if (const TransferObserver observe = observer.load(std::memory_order_acquire)) observe(to, from, bytes);
}

/// memcpy with non-temporal stores.
void streamingCopy(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__SSE2__)
  const std::size_t head = std::min<std::size_t>(bytes, -reinterpret_cast<std::uintptr_t>(to) & 63);
  std::memcpy(to, from, head);
  const std::size_t body = (bytes - head) & ~std::size_t{63};
  for (std::size_t at = head; at < head + body; at += 64) {
    const auto* const source = reinterpret_cast<const __m128i*>(from + at);
    auto* const target = reinterpret_cast<__m128i*>(to + at);
    const __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1);
    const __m128i c = _mm_loadu_si128(source + 2), d = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, a);
    _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c);
    _mm_stream_si128(target + 3, d);
  }
  std::memcpy(to + head + body, from + head + body, bytes - head - body);
  _mm_sfence();
#else
  std::memcpy(to, from, bytes);
#endif
}

/// Calls work(begin, end) for parts of [0, total) on all workers; parts begin at multiples of `grain`. `unitBytes` is
/// how much one of the `total` units moves. A fault ends the whole and becomes the result.
template <class Work>
Result inParts(Workers& workers, std::size_t total, std::size_t grain, std::size_t unitBytes, std::string_view what,
               const Work& work) {
  const std::size_t bytes = total * unitBytes;
  const bool parallel = workers.units() > 1 && bytes >= parallelFrom;
  std::size_t part = total;
  if (parallel) {
    // Several parts for each worker, because some come late or are interrupted.
    const std::size_t wanted = std::max(smallestChunk, bytes / (std::size_t{4} * workers.units()));
    part = std::max<std::size_t>((std::max<std::size_t>(wanted / unitBytes, 1) + grain - 1) / grain * grain, grain);
  }
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  support::Fault fault;
  const auto share = [&] {
    support::Fault mine;
    const bool done = support::FaultGuard::run(
        [&] {
          while (!failed.load(std::memory_order_relaxed)) {
            const std::size_t begin = next.fetch_add(part, std::memory_order_relaxed);
            if (begin >= total) return;
            work(begin, std::min(begin + part, total));
          }
        },
        mine);
    if (done) return;
    const std::lock_guard lock(mutex);
    if (!failed.exchange(true)) fault = std::move(mine);
  };
  if (parallel)
    workers.run(share);
  else
    share();
  if (failed) return {faultCode, std::string(what) + " " + fault.describe()};
  return {};
}

}  // namespace

void observeTransfers(TransferObserver observe) { observer.store(observe, std::memory_order_release); }

Result copy(Workers& workers, std::byte* to, const std::byte* from, std::size_t bytes) {
  if (to == from || bytes == 0) return {};
  noteTransfer(to, from, bytes);
  // Memory of the application may overlap, as that of two buffers over the same addresses: a result is undefined then.
  const auto move = bytes >= streamingFrom ? streamingCopy : [](std::byte* t, const std::byte* f, std::size_t n) {
    std::memmove(t, f, n);
  };
  return inParts(workers, bytes, 4096, 1, "the copy",
                 [&](std::size_t begin, std::size_t end) { move(to + begin, from + begin, end - begin); });
}

Result canAccess(const std::byte* host, std::size_t bytes, bool writes) {
  constexpr std::size_t page = 4096;
  if (bytes == 0) return {};
  support::Fault fault;
  const auto look = [&](std::size_t at) {
    auto* const byte = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(host + at));
    unsigned char there = *static_cast<const volatile unsigned char*>(byte);
    // The byte that is there is written, unless another thread writes something else: compilers make no read of this.
    if (writes) (void)__atomic_compare_exchange_n(byte, &there, there, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  };
  const auto lookAtAll = [&] {
    for (std::size_t at = 0; at < bytes; at += page) look(at);
    look(bytes - 1);
  };
  if (support::FaultGuard::run(lookAtAll, fault)) return {};
  return {faultCode, "the copy " + fault.describe()};
}

Result copyRect(Workers& workers, std::byte* to, const std::byte* from, const RectCopy& rect) {
  const std::size_t row = rect.region[0], rows = rect.region[1], slices = rect.region[2];
  if (row == 0 || rows == 0 || slices == 0) return {};
  const bool rowsTouch = rows == 1 || (rect.toRowPitch == row && rect.fromRowPitch == row);
  const bool slicesTouch = slices == 1 || (rect.toSlicePitch == row * rows && rect.fromSlicePitch == row * rows);
  if (rowsTouch && slicesTouch) return copy(workers, to, from, row * rows * slices);
  return inParts(workers, rows * slices, 1, row, "the rectangular copy", [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t y = i % rows, z = i / rows;
      std::byte* const target = to + y * rect.toRowPitch + z * rect.toSlicePitch;
      const std::byte* const source = from + y * rect.fromRowPitch + z * rect.fromSlicePitch;
      noteTransfer(target, source, row);
      std::memmove(target, source, row);
    }
  });
}

namespace {

/// A block of many patterns, which is copied over and over.
struct PatternBlock {
  alignas(64) std::array<std::byte, 4096> bytes;
  std::size_t size;  ///< a multiple of the pattern

  explicit PatternBlock(std::span<const std::byte> pattern) : size(bytes.size() / pattern.size() * pattern.size()) {
    for (std::size_t i = 0; i < size; ++i) bytes[i] = pattern[i % pattern.size()];
  }
  /// Fills so many bytes, which begin with the pattern's first.
  void put(std::byte* to, std::size_t count, bool streaming) const {
    for (std::size_t at = 0; at < count; at += size) {
      const std::size_t part = std::min(size, count - at);
      if (streaming)
        streamingCopy(to + at, bytes.data(), part);
      else
        std::memcpy(to + at, bytes.data(), part);
    }
  }
};

Result fillRow(Workers& workers, std::byte* to, std::span<const std::byte> pattern, std::size_t bytes) {
  noteTransfer(to, nullptr, bytes);
  const bool oneByte = std::all_of(pattern.begin(), pattern.end(), [&](std::byte b) { return b == pattern[0]; });
  const bool streaming = bytes >= streamingFrom;
  if (oneByte && !streaming)
    return inParts(workers, bytes, 4096, 1, "the fill", [&](std::size_t begin, std::size_t end) {
      std::memset(to + begin, std::to_integer<int>(pattern[0]), end - begin);
    });
  const PatternBlock block(pattern);
  return inParts(workers, bytes, block.size, 1, "the fill",
                 [&](std::size_t begin, std::size_t end) { block.put(to + begin, end - begin, streaming); });
}

}  // namespace

Result fill(Workers& workers, std::byte* to, const Fill& fill) {
  const std::span<const std::byte> pattern = std::span(fill.pattern).first(fill.patternBytes);
  const std::size_t row = fill.bytes, rows = fill.rows, slices = fill.slices;
  if (row == 0 || rows == 0 || slices == 0 || pattern.empty()) return {};
  const bool rowsTouch = rows == 1 || fill.rowPitch == row;
  const bool slicesTouch = slices == 1 || fill.slicePitch == row * rows;
  if (rowsTouch && slicesTouch) return fillRow(workers, to, pattern, row * rows * slices);
  const PatternBlock block(pattern);
  return inParts(workers, rows * slices, 1, row, "the fill", [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::byte* const target = to + i % rows * fill.rowPitch + i / rows * fill.slicePitch;
      noteTransfer(target, nullptr, row);
      block.put(target, row, false);
    }
  });
}

}  // namespace clarity::device::host
