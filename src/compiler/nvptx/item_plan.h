// SPDX-License-Identifier: Apache-2.0
// This file declares the decision about a kernel's work-items that the passes behind plan-items carry out.
#pragma once

#include "compiler/analysis/variance.h"
#include "compiler/nvptx/coarsen.h"
#include "compiler/nvptx/tile.h"

#include <cstdint>

namespace clarity::compiler::nvptx {

/// By default a thread executes a work-item.
struct ItemPlan {
  Tile tile;
  Cells cells;                 ///< cells of a thread, for coarsen
  GroupsInStep groups{};       ///< the step in which `tile.groups` work-groups run as one
  unsigned counted = 0;        ///< the argument that the kernel only counts in, where `tile.counts`
  std::uint32_t together = 0;  ///< blocks that a multiprocessor should hold, which limits registers; 0: any number

  bool runsGroupsAsOne() const { return tile.groups > 1 && !tile.warps; }
  bool changesCode() const { return !cells.isOne() || tile.guarded; }
};

}  // namespace clarity::compiler::nvptx
