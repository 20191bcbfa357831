// SPDX-License-Identifier: Apache-2.0
// This file records what memory the kernel of a launch accesses, to compare it with that of other commands.
#pragma once

#include "check/host/host_order.h"
#include "check/kernel/checks.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>

namespace clarity::check {

/// Bytes that are read, written and accessed atomically, as bits in pages.
class AccessRecord {
public:
  void add(std::uint64_t address, std::uint64_t bytes, AccessKind kind);
  /// The ranges of one kind within [begin, begin + bytes).
  std::vector<AddressRange> ranges(std::uint64_t begin, std::uint64_t bytes, AccessKind kind) const;

private:
  static constexpr std::uint64_t pageBytes = 4096;
  using Page = std::array<std::array<std::uint64_t, pageBytes / 64>, 3>;
  Page& pageOf(std::uint64_t number);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t lastNumber_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
};

/// Records the accesses of a launch to its arguments and hands them over at its end.
Check accessRecorder(const LaunchScene&, std::function<void(std::vector<MemoryAccess>)> done);

}  // namespace clarity::check
