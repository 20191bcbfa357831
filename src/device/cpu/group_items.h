// SPDX-License-Identifier: Apache-2.0
// This file is the work-items of the work-group whose debugged code runs, as that code and debuggers see them.
#pragma once

#include "compiler/ir/kernel_abi.h"
#include "support/debug_state.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace clarity::device::cpu {

/// Work-items by their linear ids.
class GroupItems {
public:
  /// Those of a work-group, of which none has begun. Debuggers see them from now on.
  void start(const std::array<std::uint64_t, 3>& group, const compiler::LaunchInfo&, const compiler::WorkerMemory&,
             const char* kernel);

  DebuggedItem& operator[](std::size_t item) { return items_[item]; }
  const DebuggedItem& operator[](std::size_t item) const { return items_[item]; }
  std::size_t size() const { return items_.size(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }

private:
  std::vector<DebuggedItem> items_;
};

/// While it lives, debuggers know the memory of a launch's arguments; behind it, that no debugged code runs.
class ShownMemory {
public:
  explicit ShownMemory(std::span<const DebuggedMemory>);
  ~ShownMemory();
  ShownMemory(const ShownMemory&) = delete;
};

}  // namespace clarity::device::cpu
