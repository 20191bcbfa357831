// SPDX-License-Identifier: Apache-2.0
// This file declares the loops that cut a box of work-items into pieces.
#pragma once

#include <array>
#include <cstdint>

namespace llvm {
class BasicBlock;
class IRBuilderBase;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// One piece of a box, as the loops around it see it.
struct Piece {
  llvm::BasicBlock* start = nullptr;  ///< without terminator: what is done for a piece begins here,
  llvm::BasicBlock* next = nullptr;   ///< and goes here in the end
  std::array<llvm::Value*, 3> at{};   ///< where it begins in the box
  std::array<llvm::Value*, 3> size{};
};

/// The work-items of a piece.
struct PieceLimits {
  std::uint64_t items = 1;  ///< at most so many, as long along x as they may be, then along y
  std::uint64_t side = 0;   ///< not 0: so many along x and along y at most, instead
};

/// Writes loops over pieces behind what `builder` has written. `box` holds the box's size in each dimension, `end` is
/// where the last piece leads to.
Piece makePieceLoops(llvm::IRBuilderBase& builder, const std::array<llvm::Value*, 3>& box, PieceLimits limits,
                     llvm::BasicBlock& end);

}  // namespace clarity::compiler
