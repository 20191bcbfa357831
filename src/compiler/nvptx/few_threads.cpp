// SPDX-License-Identifier: Apache-2.0
// This file compares the work-items that a thread has with those that it could have.
#include "compiler/nvptx/few_threads.h"

#include "compiler/ir/cost_model.h"

namespace clarity::compiler::nvptx {

bool hasFewThreads(const Shape& shape, const Tile& tile) {
  if (shape.itemsPerThread == 0 || shape.itemsPerThread > cost::coarsen::fewCells) return false;
  // Where blocks reach beyond the range, a thread could have half as many (device/cuda/executable.cpp).
  const std::uint32_t could = shape.itemsPerThread * (shape.partialBlocks ? 2 : 1);
  const auto& [x, y, z] = tile.cells;
  return could <= cost::coarsen::fewLeft * x * y * z * tile.groups;
}

}  // namespace clarity::compiler::nvptx
