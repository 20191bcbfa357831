// SPDX-License-Identifier: Apache-2.0
// This file reserves the addresses of cells.
#include "support/race_cells.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

namespace clarity::support {
namespace {

/// Bytes beside memory for each of its bytes.
constexpr std::uint64_t cellRatio = RaceCell::cellBytes / RaceCell::wordBytes,
                        keptRatio = RaceCell::keptBytes / RaceCell::wordBytes;
/// An access may begin at the last address under the mask.
constexpr std::uint64_t behind = std::uint64_t{1} << 20;
/// Bits of the mask: more than the range of device memory has (device/cpu/device_range.h), or what can be reserved.
constexpr unsigned mostBits = 42, leastBits = 36;
/// Smaller pieces keep the pages of their cells: mostly the next piece lies there.
constexpr std::size_t worthDropping = std::size_t{1} << 18;

std::atomic<bool> made{false};

std::uint64_t reserved(std::uint64_t bytes) {
  void* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return 0;
  madvise(place, bytes, MADV_DONTDUMP);
  madvise(place, bytes, MADV_NOHUGEPAGE);  // a few words would take 2 MiB
  return reinterpret_cast<std::uint64_t>(place);
}

void giveBack(std::uint64_t begin, std::uint64_t bytes) {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);  // NOLINT
}

RaceMemory reserve() {
  made.store(true, std::memory_order_relaxed);
  for (unsigned bits = mostBits; bits >= leastBits; --bits) {
    const std::uint64_t bytes = std::uint64_t{1} << bits;
    const std::uint64_t cells = reserved(bytes * cellRatio + behind);
    if (!cells) continue;
    if (const std::uint64_t kept = reserved(bytes * keptRatio + behind))
      return {.mask = bytes - RaceCell::wordBytes, .cells = cells, .kept = kept};
    munmap(reinterpret_cast<void*>(cells), bytes * cellRatio + behind);  // NOLINT(performance-no-int-to-ptr)
  }
  return {};
}

}  // namespace

const RaceMemory& RaceMemory::get() {
  static const RaceMemory memory = reserve();
  return memory;
}

void RaceMemory::clear() const {
  const std::uint64_t bytes = mask + RaceCell::wordBytes;
  giveBack(cells, bytes * cellRatio + behind);
  giveBack(kept, bytes * keptRatio + behind);
}

void RaceMemory::drop(const void* address, std::size_t bytes) {
  if (bytes < worthDropping || !made.load(std::memory_order_relaxed)) return;
  const RaceMemory& memory = get();
  if (memory.mask == 0) return;
  const std::uint64_t at = reinterpret_cast<std::uint64_t>(address) & memory.mask;
  giveBack(memory.cells + at * cellRatio, bytes * cellRatio);
  giveBack(memory.kept + at * keptRatio, bytes * keptRatio);
}

}  // namespace clarity::support
