// SPDX-License-Identifier: Apache-2.0
// This file decides how many work-items a thread executes, and which.
#pragma once

#include "compiler/nvptx/tile.h"

#include <string>

namespace llvm {
class Function;
}

namespace clarity::compiler {
struct Shape;
}

namespace clarity::compiler::nvptx {

struct TileChoice {
  Tile tile;
  std::string reason;          ///< for the report: half a sentence
  std::uint32_t together = 0;  ///< blocks that a multiprocessor should hold, which limits registers; 0: any number
  /// The number of work-groups along x whose work-items a block may execute if they have local memory in common.
  struct Sharing {
    std::uint32_t groups = 1, together = 0;
  } sharing{};
};

/// The tile of a kernel of kernel IR for one work-item, whose work-group size is a constant where the shape has it.
/// @param mayMerge whether the kernel cannot observe which work-group it is in
TileChoice chooseTile(llvm::Function& kernel, const Shape& shape, bool mayMerge);

}  // namespace clarity::compiler::nvptx
