// SPDX-License-Identifier: Apache-2.0
// This file walks over glibc's blocks. Each begins with two words: the size of the one ahead, and its own with three
// bits of flags; the memory of the application begins behind them and ends with the next block's first word.
#include "check/host/host_heap.h"

#include "check/host/host_watch.h"

#include <unistd.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <string_view>

namespace clarity::check {
namespace {

namespace glibc {
constexpr std::uint64_t word = 8, head = 2 * word, smallest = 32, page = 4096, flags = 7, isMapped = 2, isOfThread = 4;
}

/// The addresses of the heap that sbrk() extends; 0: there is none.
std::uint64_t firstOfHeap() {
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (!maps) return 0;
  std::array<char, 512> line{};
  std::uint64_t first = 0;
  while (first == 0 && std::fgets(line.data(), line.size(), maps))
    if (std::string_view(line.data()).find("[heap]") != std::string_view::npos)
      if (std::sscanf(line.data(), "%" SCNx64, &first) != 1) break;
  std::fclose(maps);
  return first;
}

std::uint64_t endOfHeap() { return reinterpret_cast<std::uint64_t>(::sbrk(0)); }

/// The heap grows at its end only.
std::uint64_t beginOfHeap() {
  static const std::uint64_t begin = firstOfHeap();
  return begin;
}

bool isInHeap(std::uint64_t address) { return beginOfHeap() != 0 && address >= beginOfHeap() && address < endOfHeap(); }

/// A block that glibc has mapped alone begins with a page.
std::uint64_t bytesOfMapped(std::uint64_t address) {
  if (address % glibc::page != glibc::head) return 0;
  const std::uint64_t bytes = PageWatch::mappedBytes(address);
  return bytes > glibc::head ? bytes - glibc::head : 0;
}

}  // namespace

bool HeapBlock::mayHold(std::uint64_t address) { return isInHeap(address) || address % glibc::page == glibc::head; }

std::uint64_t HeapBlock::bytesFrom(std::uint64_t address) {
  if (!isInHeap(address)) return bytesOfMapped(address);
  constexpr unsigned mostBlocks = 50'000;
  const std::uint64_t end = endOfHeap();
  std::uint64_t block = beginOfHeap();
  for (unsigned i = 0; i < mostBlocks && block + glibc::head < end; ++i) {
    std::uint64_t size = 0;
    if (!PageWatch::read(&size, block + glibc::word, sizeof size)) return 0;
    const bool isOther = (size & (glibc::isMapped | glibc::isOfThread)) != 0;
    size &= ~glibc::flags;
    if (isOther || size < glibc::smallest || size % glibc::head != 0 || size > end - block) return 0;
    const std::uint64_t next = block + size;
    // The last one is not in use, like any that is followed by one without the flag.
    if (address < next + glibc::word)
      return address >= block + glibc::head && next < end ? next + glibc::word - address : 0;
    block = next;
  }
  return 0;
}

}  // namespace clarity::check
