// SPDX-License-Identifier: Apache-2.0
// This file orders blocks of instructions for threads that took different branches.
#pragma once

#include <map>
#include <utility>
#include <vector>

namespace clarity::ptx {

/// Where blocks lie: a loop's together, each behind those that lead to it but for those that lead back. Where several
/// blocks lead back to the beginning of a loop they do so through a latch, which lies at the loop's end: threads wait
/// there for those that are in the loop still.
struct Order {
  struct Item {
    unsigned block;
    bool isLatch;  ///< goes to `block`
  };
  std::vector<Item> items;
  /// The item of the latch that stands between two blocks.
  std::map<std::pair<unsigned, unsigned>, unsigned> latches;
};

/// The first block is where the function begins. Blocks that nothing leads to are left out.
Order orderOf(const std::vector<std::vector<unsigned>>& successors);

}  // namespace clarity::ptx
