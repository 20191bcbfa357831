// SPDX-License-Identifier: Apache-2.0
// This file reserves the range of the CPU device's memory and maps the pieces in it.
#include "device/cpu/device_range.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <new>

namespace clarity::device::cpu {
namespace {

/// At either end. 2^31 elements of 32 bytes.
constexpr std::size_t guardBytes = std::size_t{64} << 30;
constexpr std::size_t usualBytes = std::size_t{1} << 40;
/// The size where more is refused, as by ThreadSanitizer. Reservations take four to eight times the memory of their
/// pieces.
constexpr std::size_t smallBytes = std::size_t{256} << 30;
/// The size of the range, in multiples of the machine's memory. More than reservations need, because reservations of
/// one size are not reused for other sizes.
constexpr std::size_t timesMemory = 32;
constexpr std::size_t smallestReservation = 256u << 10;
/// Reservations smaller than this are carved several at a time.
constexpr std::size_t blockBytes = 16u << 20;
/// Freed pieces from this size on give their pages back at once: it costs little beside what writing to them did.
constexpr std::size_t keptBelow = hugePageBytes;
constexpr std::size_t mostKeptBytes = 64u << 20;
/// The list of kept pieces is searched so far for one of the right size.
constexpr std::size_t keptSearch = 32;
/// Linux allows a process 65,530 mappings; a piece with guards is one, and the guard behind it another. Further pieces
/// have no guards between them.
constexpr std::size_t mostGuarded = 16'000;
/// Pieces begin at so many different pages of their reservations, because processors find a translation by the low bits
/// of the page's number.
constexpr std::size_t placesInReservation = 16;

void* map(void* at, std::size_t bytes, int protection, int flags) {
  return mmap(at, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

/// Addresses alone, no memory.
std::byte* reserve(std::size_t bytes) {
  void* const place = map(nullptr, bytes, PROT_NONE, MAP_NORESERVE);
  return place == MAP_FAILED ? nullptr : static_cast<std::byte*>(place);
}

std::byte* alignedUp(std::byte* address, std::size_t alignment) {
  return address + (-reinterpret_cast<std::uintptr_t>(address) & (alignment - 1));
}

void wishHugePages(std::byte* begin, std::size_t bytes) {
  if (bytes >= hugePageBytes) madvise(begin, bytes, MADV_HUGEPAGE);  // a wish: without it the pages are small
}

std::size_t reservedBytesFor(std::size_t bytes) { return std::max(smallestReservation, std::bit_ceil(4 * bytes)); }

/// The bytes that this process may reserve: all it likes, or nothing where its addresses are limited, for the
/// application needs them.
std::size_t reservable() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) return 0;
  const auto pages = static_cast<std::size_t>(std::max(sysconf(_SC_PHYS_PAGES), 1L));
  return std::max(usualBytes, std::bit_ceil(timesMemory * pages * pageSize()));
}

}  // namespace

std::size_t pageSize() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

DeviceRange& DeviceRange::get() {
  static DeviceRange* const range = new DeviceRange(reservable());  // never destroyed: threads may run kernels at exit
  return *range;
}

DeviceRange::DeviceRange(std::size_t mostBytes) {
  for (const std::size_t bytes : {mostBytes, std::min(mostBytes, usualBytes), std::min(mostBytes, smallBytes)}) {
    if (bytes < blockBytes) return;
    const std::size_t all = bytes + 2 * guardBytes + hugePageBytes;
    base_ = reserve(all);
    if (!base_) continue;
    bytes_ = all;
    first_ = next_ = alignedUp(base_ + guardBytes, hugePageBytes);
    end_ = first_ + bytes;
    return;
  }
}

DeviceRange::~DeviceRange() {
  if (base_) munmap(base_, bytes_);
}

bool DeviceRange::contains(const void* address) const {
  return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base_) < bytes_;
}

DeviceRange::Reservations& DeviceRange::reservationsOf(std::size_t reservedBytes) {
  return reservations_[static_cast<std::size_t>(std::countr_zero(reservedBytes))];
}

Piece DeviceRange::take(std::size_t bytes) {
  constexpr std::size_t most = std::size_t{1} << 44;
  if (bytes > most) return {};
  bytes = roundUp(std::max<std::size_t>(bytes, 1), pageSize());
  const std::size_t reservedBytes = reservedBytesFor(bytes);
  Reservations& reservations = reservationsOf(reservedBytes);
  if (bytes < keptBelow)
    if (const Piece piece = reusePiece(reservations, bytes)) return piece;
  std::byte* const reservation = takeVacantReservation(reservations, reservedBytes);
  if (!reservation) return mapApart(bytes);
  Piece piece = commit(reservation, reservedBytes, bytes);
  if (!piece) {
    dropSpares();
    piece = commit(reservation, reservedBytes, bytes);
  }
  if (piece) return piece;
  const std::lock_guard lock(reservations.mutex);
  reservations.vacant.push_back(reservation);
  return {};
}

Piece DeviceRange::reusePiece(Reservations& reservations, std::size_t bytes) {
  const std::lock_guard lock(reservations.mutex);
  const std::size_t count = reservations.kept.size();
  for (std::size_t i = count; i > count - std::min(count, keptSearch); --i) {
    if (reservations.kept[i - 1].bytes != bytes) continue;
    const Piece piece = reservations.kept[i - 1];
    reservations.kept.erase(reservations.kept.begin() + static_cast<std::ptrdiff_t>(i - 1));
    keptBytes_.fetch_sub(bytes, std::memory_order_relaxed);
    return piece;
  }
  return {};
}

std::byte* DeviceRange::takeVacantReservation(Reservations& reservations, std::size_t reservedBytes) {
  const std::lock_guard lock(reservations.mutex);
  if (reservations.vacant.empty() && !carve(reservations, reservedBytes)) return nullptr;
  std::byte* const reservation = reservations.vacant.back();
  reservations.vacant.pop_back();
  return reservation;
}

bool DeviceRange::carve(Reservations& reservations, std::size_t reservedBytes) {
  const std::size_t bytes = std::max(reservedBytes, blockBytes), count = bytes / reservedBytes;
  // Room for all, so that giving back never needs memory.
  if (reservations.kept.capacity() < reservations.total + count) {
    const std::size_t room = std::max(reservations.total + count, 2 * reservations.total);
    try {
      reservations.vacant.reserve(room);
      reservations.kept.reserve(room);
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
  std::byte* block = nullptr;
  {
    const std::lock_guard lock(carving_);
    if (static_cast<std::size_t>(end_ - next_) < bytes) return false;
    block = next_;
    next_ += bytes;
  }
  reservations.total += count;
  for (std::size_t i = count; i > 0; --i) reservations.vacant.push_back(block + (i - 1) * reservedBytes);
  return true;
}

Piece DeviceRange::commit(std::byte* reservation, std::size_t reservedBytes, std::size_t bytes) {
  const std::size_t step = bytes >= hugePageBytes ? hugePageBytes : pageSize();
  const std::size_t places = std::clamp<std::size_t>(reservedBytes / 4 / step, 1, placesInReservation);
  const std::size_t place = static_cast<std::size_t>(reservation - first_) / reservedBytes % places;
  const bool open = guarded_.fetch_add(1, std::memory_order_relaxed) >= mostGuarded;
  Piece piece{.begin = reservation + reservedBytes / 4 + place * step,
              .bytes = bytes,
              .reservation = reservation,
              .reservedBytes = reservedBytes,
              .zero = true,
              .apart = false,
              .open = open};
  if (open) guarded_.fetch_sub(1, std::memory_order_relaxed);
  std::byte* const from = open ? reservation : piece.begin;
  const std::size_t size = open ? reservedBytes : bytes;
  if (mprotect(from, size, PROT_READ | PROT_WRITE) != 0) {
    if (!open) guarded_.fetch_sub(1, std::memory_order_relaxed);
    return {};
  }
  if (bytes >= hugePageBytes) wishHugePages(from, size);
  return piece;
}

Piece DeviceRange::mapApart(std::size_t bytes) {
  const std::size_t guard = pageSize(), alignment = bytes >= hugePageBytes ? hugePageBytes : guard;
  const std::size_t room = bytes + 2 * guard + (alignment - guard);
  std::byte* const place = reserve(room);
  if (!place) return {};
  std::byte* const begin = alignedUp(place + guard, alignment);
  std::byte* const first = begin - guard;
  if (first > place) munmap(place, static_cast<std::size_t>(first - place));
  std::byte* const end = begin + bytes + guard;
  if (end < place + room) munmap(end, static_cast<std::size_t>(place + room - end));
  const Piece piece{.begin = begin,
                    .bytes = bytes,
                    .reservation = first,
                    .reservedBytes = bytes + 2 * guard,
                    .zero = true,
                    .apart = true,
                    .open = false};
  if (mprotect(begin, bytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(piece.reservation, piece.reservedBytes);
    return {};
  }
  wishHugePages(begin, bytes);
  return piece;
}

void DeviceRange::release(const Piece& piece) {
  if (!piece) return;
  if (piece.apart) {
    munmap(piece.reservation, piece.reservedBytes);
    return;
  }
  Reservations& reservations = reservationsOf(piece.reservedBytes);
  const bool small = piece.bytes < keptBelow && !piece.open;
  const bool keep =
      small && keptBytes_.fetch_add(piece.bytes, std::memory_order_relaxed) + piece.bytes <= mostKeptBytes;
  if (small && !keep) keptBytes_.fetch_sub(piece.bytes, std::memory_order_relaxed);
  if (!keep && !decommit(piece)) return;
  const std::lock_guard lock(reservations.mutex);
  if (!keep) {
    reservations.vacant.push_back(piece.reservation);
    return;
  }
  reservations.kept.push_back(piece);
  reservations.kept.back().zero = false;
}

/// False if the pages cannot be protected again, because the process has no mapping left: the reservation is not used
/// again.
bool DeviceRange::decommit(const Piece& piece) {
  std::byte* const from = piece.open ? piece.reservation : piece.begin;
  const std::size_t size = piece.open ? piece.reservedBytes : piece.bytes;
  if (map(from, size, PROT_NONE, MAP_FIXED | MAP_NORESERVE) == MAP_FAILED) {
    // The application has limited its addresses since the range was reserved, or there are too many mappings.
    madvise(from, size, MADV_DONTNEED);
    if (mprotect(from, size, PROT_NONE) != 0) return false;
  }
  if (!piece.open) guarded_.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

void DeviceRange::dropSpares() {
  for (Reservations& reservations : reservations_) {
    const std::lock_guard lock(reservations.mutex);
    for (const Piece& piece : reservations.kept) {
      keptBytes_.fetch_sub(piece.bytes, std::memory_order_relaxed);
      if (decommit(piece)) reservations.vacant.push_back(piece.reservation);
    }
    reservations.kept.clear();
  }
}

}  // namespace clarity::device::cpu
