// SPDX-License-Identifier: Apache-2.0
// This file is memory for many small buffers: slabs, which are pieces of the device's range (device_range.h), divided
// into places of one size.
#pragma once

#include "device/cpu/device_range.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace clarity::device::cpu {

/// Thread-safe. Its records of a slab are kept outside of it, so that a kernel cannot overwrite them.
class Slabs {
public:
  static constexpr std::size_t alignment = 128;
  static constexpr std::size_t largest = 32u << 10;

  struct Slab;
  struct Place {
    std::byte* begin = nullptr;
    Slab* slab = nullptr;
  };

  explicit Slabs(DeviceRange& range);
  ~Slabs();
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;

  /// At most `largest` bytes, aligned to 128; none when there is no memory. May throw std::bad_alloc.
  Place take(std::size_t bytes);
  void release(const Place&);

private:
  /// All slabs with places of one size.
  struct Class {
    std::mutex mutex;
    std::size_t placeBytes = 0;
    std::size_t slabs = 0;
    std::vector<Slab*> open;  ///< with a free place
  };
  /// Sizes grow by at most a quarter: 1 to 8 times the alignment, then four sizes for each power of two.
  static constexpr std::size_t classCount = 8 + 4 * 5;

  Class& classOf(std::size_t bytes);
  std::unique_ptr<Slab> make(Class&);

  DeviceRange& range_;
  std::array<Class, classCount> classes_;
};

}  // namespace clarity::device::cpu
