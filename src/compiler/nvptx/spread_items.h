// SPDX-License-Identifier: Apache-2.0
// This file gives a part of a kernel to other work-items of the same work-group.
#pragma once

#include "compiler/ir/shape.h"

#include <llvm/IR/PassManager.h>

#include <optional>
#include <utility>

namespace clarity::compiler::nvptx {

/// `spread-items`: between two barriers it makes no difference which work-item does what, as long as it has nothing of
/// its own to do it with. Where the first few work-items store to every n-th element of local memory, n a power of two,
/// those whose numbers the elements have do it instead:
///
///   i = 8 * lid;                          if (lid % 8 == 0)
///   if (i < size) s[i] += s[i + 4];   =>    s[lid] += s[lid + 4];
///
/// so that work-items access elements of their own. A condition must guard the part, which has no barrier, no private
/// memory, and of what differs between work-items only integers that their numbers alone decide.
///
/// Only kernels of which a warp may execute a work-group of the shape change (itemsOfWarpsThread).
class SpreadItemsPass : public llvm::PassInfoMixin<SpreadItemsPass> {
public:
  /// For work-groups of the size that specialize-shape has noted.
  SpreadItemsPass() = default;
  explicit SpreadItemsPass(Shape shape) : shape_(std::move(shape)) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }

private:
  std::optional<Shape> shape_;
};

}  // namespace clarity::compiler::nvptx
