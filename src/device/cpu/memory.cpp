// SPDX-License-Identifier: Apache-2.0
// This file implements the CPU device's memory.
#include "device/cpu/memory.h"

#include "support/address_space_hook.h"
#include "support/fault_guard.h"

#include <CL/cl.h>
#include <sys/mman.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <string_view>

namespace clarity::device::cpu {
namespace {

constexpr std::size_t hugePageBytes = 2u << 20;

constexpr std::size_t roundUp(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/// Whole huge pages, so that touching a big buffer for the first time costs few faults.
std::byte* mapHugePages(std::size_t bytes) {
  const std::size_t room = bytes + hugePageBytes;
  void* const memory = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t aligned = roundUp(start, hugePageBytes);
  if (aligned > start) munmap(memory, aligned - start);
  if (const std::size_t tail = start + room - (aligned + bytes)) munmap(reinterpret_cast<void*>(aligned + bytes), tail);
  auto* const result = reinterpret_cast<std::byte*>(aligned);
  madvise(result, bytes, MADV_HUGEPAGE);  // a wish: without it the pages are small
  return result;
}

constexpr std::size_t pageBytes = 4096;

/// Buffers from this size on begin at places of their own within a page. Processors compare the place of a load with
/// those of earlier stores by its place in a page first: what is read from one buffer would wait for what was just
/// written to another, at the same index and a line away, and rows of several buffers would fight for one set of the
/// nearest cache.
constexpr std::size_t apartFrom = 32u << 10;

std::size_t nextPlaceInPage() {
  constexpr std::size_t places = pageBytes / Allocator::alignment;
  constexpr std::size_t step = 9;  // neither close to each other nor, soon, the same
  static std::atomic<std::size_t> count{0};
  return count.fetch_add(1, std::memory_order_relaxed) * step % places * Allocator::alignment;
}

/// Work smaller than this is done by the calling thread alone: waking another one takes as long.
constexpr std::size_t parallelFrom = 512u << 10;
constexpr std::size_t smallestChunk = 256u << 10;

/// What is larger than this does not stay in any cache. Its target is written with non-temporal stores, which saves
/// reading it first: a quarter to a third of the time, measured; below it would cost as much.
constexpr std::size_t streamingFrom = 32u << 20;

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
    part = std::max<std::size_t>(roundUp(std::max<std::size_t>(wanted / unitBytes, 1), grain), grain);
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
  if (failed) return {CL_OUT_OF_RESOURCES, std::string(what) + " " + fault.describe()};
  return {};
}

}  // namespace

std::byte* Allocator::allocate(std::size_t bytes) {
  const std::size_t room = roundUp(std::max<std::size_t>(bytes, 1), bytes >= hugePageBytes ? pageBytes : alignment);
  if (room < bytes) return nullptr;
  if (used_.fetch_add(room, std::memory_order_relaxed) + room > limit_) {
    used_.fetch_sub(room, std::memory_order_relaxed);
    return nullptr;
  }
  const bool apart = bytes >= apartFrom;
  std::byte* const memory =
      bytes >= hugePageBytes ? mapHugePages(room + pageBytes)
      : apart ? static_cast<std::byte*>(std::aligned_alloc(pageBytes, roundUp(room, pageBytes) + pageBytes))
              : static_cast<std::byte*>(std::aligned_alloc(alignment, room));
  if (!memory) used_.fetch_sub(room, std::memory_order_relaxed);
  return memory && apart ? memory + nextPlaceInPage() : memory;
}

std::byte* Allocator::allocateZeroed(std::size_t bytes) {
  std::byte* const memory = allocate(bytes);
  if (memory && bytes < hugePageBytes) std::memset(memory, 0, bytes);  // fresh pages are zero
  return memory;
}

void Allocator::free(std::byte* memory, std::size_t bytes) {
  if (!memory) return;
  const std::size_t room = roundUp(std::max<std::size_t>(bytes, 1), bytes >= hugePageBytes ? pageBytes : alignment);
  std::byte* const begin = bytes >= apartFrom ? memory - reinterpret_cast<std::uintptr_t>(memory) % pageBytes : memory;
  if (bytes >= hugePageBytes)
    munmap(begin, room + pageBytes);
  else
    std::free(begin);
  used_.fetch_sub(room, std::memory_order_relaxed);
}

Result copy(Workers& workers, std::byte* to, const std::byte* from, std::size_t bytes) {
  if (to == from || bytes == 0) return {};
  const auto move = bytes >= streamingFrom ? streamingCopy : [](std::byte* t, const std::byte* f, std::size_t n) {
    std::memcpy(t, f, n);
  };
  return inParts(workers, bytes, 4096, 1, "the copy",
                 [&](std::size_t begin, std::size_t end) { move(to + begin, from + begin, end - begin); });
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
      std::memcpy(to + y * rect.toRowPitch + z * rect.toSlicePitch,
                  from + y * rect.fromRowPitch + z * rect.fromSlicePitch, row);
    }
  });
}

Result fill(Workers& workers, std::byte* to, std::span<const std::byte> pattern, std::size_t bytes) {
  if (bytes == 0 || pattern.empty()) return {};
  const bool oneByte = std::all_of(pattern.begin(), pattern.end(), [&](std::byte b) { return b == pattern[0]; });
  if (oneByte && bytes < streamingFrom)
    return inParts(workers, bytes, 4096, 1, "the fill", [&](std::size_t begin, std::size_t end) {
      std::memset(to + begin, std::to_integer<int>(pattern[0]), end - begin);
    });
  // A block of many patterns is copied over and over; parts begin at multiples of it.
  alignas(64) std::array<std::byte, 4096> block;
  const std::size_t blockBytes = block.size() / pattern.size() * pattern.size();
  for (std::size_t i = 0; i < blockBytes; ++i) block[i] = pattern[i % pattern.size()];
  return inParts(workers, bytes, blockBytes, 1, "the fill", [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; at += blockBytes) {
      const std::size_t part = std::min(blockBytes, end - at);
      if (bytes >= streamingFrom)
        streamingCopy(to + at, block.data(), part);
      else
        std::memcpy(to + at, block.data(), part);
    }
  });
}

namespace {

/// One growing piece of memory of a thread.
class Scratch {
public:
  Scratch() = default;
  ~Scratch() { std::free(memory_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::byte* atLeast(std::uint64_t bytes) {
    if (bytes <= bytes_ && memory_) return memory_;
    std::free(memory_);
    // A page at least, so that two threads never share a cache line or a page of a prefetcher.
    const std::size_t room = roundUp(std::max<std::size_t>(bytes, pageBytes), pageBytes);
    memory_ = static_cast<std::byte*>(std::aligned_alloc(pageBytes, room));
    bytes_ = memory_ ? room : 0;
    return memory_;
  }

  bool contains(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(memory_) < bytes_;
  }

private:
  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

/// What a thread has for the work-groups that it executes.
struct Worker {
  Scratch local, spill, reductions;
  std::uintptr_t stackTop = 0;  ///< kernels are called further down
};
thread_local Worker worker;

}  // namespace

compiler::WorkerMemory workerMemory(std::uint64_t localBytes, std::uint64_t groups, std::uint64_t spillBytes) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  if (localBytes > most || spillBytes > most) return {};
  worker.stackTop = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const compiler::WorkerMemory memory{worker.local.atLeast(localBytes * groups + compiler::localBehind),
                                      worker.spill.atLeast(spillBytes), localBytes, groups};
  return memory.local && memory.spill ? memory : compiler::WorkerMemory{};
}

std::byte* reductionMemory(std::uint64_t bytes) {
  std::byte* const memory = worker.reductions.atLeast(bytes + 2 * pageBytes);
  return memory ? memory + pageBytes : nullptr;
}

}  // namespace clarity::device::cpu

bool __clarity_is_local(const void* address) { return clarity::device::cpu::worker.local.contains(address); }

bool __clarity_is_private(const void* address) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const bool onStack = place < clarity::device::cpu::worker.stackTop &&
                       place >= reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return onStack || clarity::device::cpu::worker.spill.contains(address);
}
