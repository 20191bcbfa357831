// SPDX-License-Identifier: Apache-2.0
// This file is the CPU device's memory for buffers and for the variables of programs.
#pragma once

#include "device/cpu/device_range.h"
#include "device/cpu/slabs.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace clarity::device::cpu {

/// Memory for buffers, no more of it than `limit` bytes at a time. Thread-safe.
///
/// From 32 KiB on a buffer is a piece of its own (device_range.h), and so are some smaller ones, so that a program with
/// few buffers gets a report of its overruns; the rest share slabs. In a piece the buffer lies at the end, so that
/// what is behind it faults.
class Allocator {
public:
  static constexpr std::size_t alignment = Slabs::alignment;

  struct Block {
    std::byte* memory = nullptr;  ///< aligned to 128 bytes
    std::size_t bytes = 0;        ///< the part of the limit that it takes
    Slabs::Slab* slab = nullptr;  ///< if it is in one
    Piece piece;                  ///< if it has one

    explicit operator bool() const { return memory != nullptr; }
  };

  explicit Allocator(std::uint64_t limit, DeviceRange& range = DeviceRange::get())
      : limit_(limit), range_(range), slabs_(range) {}
  Allocator(const Allocator&) = delete;

  /// None when there is no memory or the limit is reached. Contents are undefined.
  Block allocate(std::size_t bytes) noexcept;
  Block allocateZeroed(std::size_t bytes) noexcept;
  void free(const Block&);
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }

private:
  bool place(Block&, std::size_t bytes);

  std::uint64_t limit_;
  std::atomic<std::uint64_t> used_{0};
  std::atomic<std::size_t> smallPieces_{0};
  DeviceRange& range_;
  Slabs slabs_;
};

}  // namespace clarity::device::cpu
