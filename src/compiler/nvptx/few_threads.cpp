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

bool wantsOtherBlocks(const Shape& shape) {
  if (shape.uneven) return true;
  // A launch of few work-items is done sooner if each group has a multiprocessor of its own.
  if (shape.itemsPerThread < 2) return false;
  const std::uint64_t items = std::uint64_t{shape.local[0]} * shape.local[1] * shape.local[2];
  return static_cast<double>(items) < cost::coarsen::leastOfLanes * static_cast<double>(threadsOfWarps(items));
}

}  // namespace clarity::compiler::nvptx
