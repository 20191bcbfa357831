// SPDX-License-Identifier: Apache-2.0
// This file maps the reserve of a thread and gives it back piece by piece.
#include "support/memory_reserve.h"

#include <sys/mman.h>
#include <atomic>
#include <cstddef>
#include <new>

namespace clarity::support {
namespace {

/// More than a compile of a usual kernel takes between two places where it may end. A piece is larger than what the C
/// library asks for to serve small allocations.
constexpr std::size_t pieceBytes = 8u << 20, pieces = 4;

/// LLVM's static objects take some 2 MiB. Aligned to the largest pages that processors are used with.
constexpr std::size_t pieceOfLoading = 2u << 20;
constexpr unsigned piecesOfLoading = 4;
alignas(64u << 10) std::byte reserveOfLoading[piecesOfLoading * pieceOfLoading];
constinit std::atomic<unsigned> leftOfLoading{piecesOfLoading};

bool spendOfLoading() noexcept {
  unsigned left = leftOfLoading.load(std::memory_order_relaxed);
  while (left > 0 && !leftOfLoading.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) {
  }
  if (left > 0) ::munmap(reserveOfLoading + (left - 1) * pieceOfLoading, pieceOfLoading);
  return left > 0;
}

struct Reserve {
  std::byte* begin = nullptr;
  std::size_t left = 0;  ///< pieces
  unsigned depth = 0;
  std::size_t most = 0, refused = 0;  ///< bytes of one allocation
};
constinit thread_local Reserve itsReserve [[gnu::tls_model("initial-exec")]];

}  // namespace

MemoryReserve::MemoryReserve(std::size_t most) {
  if (itsReserve.depth == 0) {
    // Writable, because inaccessible addresses do not count for RLIMIT_DATA.
    void* const memory = ::mmap(nullptr, pieces * pieceBytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    itsReserve.begin = static_cast<std::byte*>(memory);
    itsReserve.left = pieces;
    itsReserve.most = most;
    itsReserve.refused = 0;
  }
  ++itsReserve.depth;
}

MemoryReserve::~MemoryReserve() {
  if (--itsReserve.depth > 0) return;
  itsReserve.most = 0;
  if (itsReserve.left > 0) ::munmap(itsReserve.begin, itsReserve.left * pieceBytes);
}

bool MemoryReserve::spend() noexcept {
  if (itsReserve.depth == 0) return spendOfLoading();
  if (itsReserve.left == 0) return false;
  --itsReserve.left;
  ::munmap(itsReserve.begin + itsReserve.left * pieceBytes, pieceBytes);
  return true;
}

void MemoryReserve::endOfLoading() noexcept {
  while (spendOfLoading()) {
  }
}

bool MemoryReserve::spent() noexcept { return itsReserve.depth > 0 && itsReserve.left < pieces; }

bool MemoryReserve::allows(std::size_t bytes) noexcept {
  if (itsReserve.most == 0 || bytes <= itsReserve.most) return true;
  itsReserve.refused = bytes;
  return false;
}

std::size_t MemoryReserve::refused() noexcept { return itsReserve.refused; }

}  // namespace clarity::support
