// SPDX-License-Identifier: Apache-2.0
// This file keeps memory back for work that must not be interrupted where an allocation fails.
#pragma once

#include <cstddef>

namespace clarity::support {

/// While one exists, its thread has addresses in reserve. When an allocation of the thread fails, the driver's
/// allocation functions (api/allocation.cpp) give a part of them back and try again; the work goes on, and ends itself
/// at the next place where it asks spent(). Code that holds locks or is making a static object when an exception or a
/// jump leaves it, as LLVM's does, would otherwise leave them locked for ever.
///
/// Costs addresses, no memory. Those inside another one of the same thread do nothing.
class MemoryReserve {
public:
  /// std::bad_alloc where there is not so much as the reserve.
  /// @param most the bytes that one allocation of the thread may ask for; a larger one fails. 0: any number. The C
  ///             library clears and copies large allocations where nothing can interrupt the thread.
  explicit MemoryReserve(std::size_t most = 0);
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  /// The driver has been loaded: until then a part of its own image is the reserve, so that a driver that can be loaded
  /// can also make its static objects. Without it the loader reports that the driver cannot be loaded.
  static void endOfLoading() noexcept;

  /// An allocation of this thread has failed: true if it is worth another attempt.
  static bool spend() noexcept;
  /// Whether the thread has a reserve of which some is gone.
  static bool spent() noexcept;

  /// Whether this thread may allocate so much at once; remembers it if not.
  static bool allows(std::size_t bytes) noexcept;
  /// The allocation that was too large for this thread; 0 if none was.
  static std::size_t refused() noexcept;
};

}  // namespace clarity::support
