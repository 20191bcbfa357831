// SPDX-License-Identifier: Apache-2.0
// This file is the addresses of the CPU device's memory: one range of the process that holds nothing else, and the
// pieces of memory in it, each with inaccessible addresses on both sides. Memory that a kernel accesses by mistake is
// then memory of the device or a fault, never the host's memory.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace clarity::device::cpu {

constexpr std::size_t roundUp(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/// The processor's page: the unit that a range can protect.
std::size_t pageSize();

inline constexpr std::size_t hugePageBytes = 2u << 20;

/// Readable and writable memory of whole pages between inaccessible addresses.
struct Piece {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
  std::byte* reservation = nullptr;  ///< the addresses that are kept for it
  std::size_t reservedBytes = 0;
  bool zero = false;   ///< nothing has been written to it
  bool apart = false;  ///< mapped by itself, outside the range
  bool open = false;   ///< the whole reservation is accessible

  std::byte* end() const { return begin + bytes; }
  explicit operator bool() const { return begin != nullptr; }
};

/// The range of this process. Thread-safe.
///
/// It is reserved when the first piece is taken; reserved addresses use no memory. At both ends are 64 GiB that no
/// piece gets: from no piece a signed 32-bit index, times an element of up to 32 bytes, leads out of the range. Where
/// so many addresses cannot be had (a limit of the process, valgrind), the range is smaller, or there is none: then
/// each piece is mapped by itself, with one inaccessible page at either end.
///
/// A reservation is at least four times as large as its piece, so that most overruns end in it, and an address in it
/// tells which piece was meant. Reservations of one size are reused for pieces of that size only; small freed pieces
/// keep their pages, up to a limit, because the next one is mostly of the same size.
class DeviceRange {
public:
  static DeviceRange& get();

  /// So many bytes, rounded up to pages; from 2 MiB on aligned for huge pages. None when there is no memory.
  Piece take(std::size_t bytes);
  void release(const Piece&);

  bool contains(const void* address) const;
  /// 0 if every piece is mapped by itself.
  std::size_t bytes() const { return bytes_; }
  std::byte* base() const { return base_; }

  /// Reserves a range of at most so many bytes between the guards; 0: none. For tests; others use get().
  explicit DeviceRange(std::size_t mostBytes);
  ~DeviceRange();
  DeviceRange(const DeviceRange&) = delete;
  DeviceRange& operator=(const DeviceRange&) = delete;

private:
  /// All reservations of one size.
  struct Reservations {
    std::mutex mutex;
    std::vector<std::byte*> vacant;  ///< inaccessible
    std::vector<Piece> kept;         ///< freed pieces, accessible
    std::size_t total = 0;           ///< vacant, kept and used: each list has room for so many
  };

  Reservations& reservationsOf(std::size_t reservedBytes);
  Piece reusePiece(Reservations&, std::size_t bytes);
  std::byte* takeVacantReservation(Reservations&, std::size_t reservedBytes);
  /// More vacant reservations; false when the range is used up, or the process has no memory to list them.
  bool carve(Reservations&, std::size_t reservedBytes);
  Piece commit(std::byte* reservation, std::size_t reservedBytes, std::size_t bytes);
  static Piece mapApart(std::size_t bytes);
  bool decommit(const Piece&);
  void dropSpares();

  std::byte* base_ = nullptr;  ///< with the guards
  std::size_t bytes_ = 0;      ///< with the guards
  std::byte* first_ = nullptr;
  std::byte* end_ = nullptr;  ///< the end of what reservations are carved from
  std::mutex carving_;
  std::byte* next_ = nullptr;
  std::atomic<std::size_t> guarded_{0};        ///< accessible pieces with guards of their own
  std::atomic<std::size_t> keptBytes_{0};      ///< bytes of all freed pieces that are accessible
  std::array<Reservations, 48> reservations_;  ///< by the logarithm of their size
};

}  // namespace clarity::device::cpu
