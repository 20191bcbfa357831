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

/// Writes loops over pieces of up to `mostItems` work-items, as long along x as they may be, then along y, behind what
/// `builder` has written. `box` holds the box's size in each dimension, `end` is where the last piece leads to.
Piece makePieceLoops(llvm::IRBuilderBase& builder, const std::array<llvm::Value*, 3>& box, std::uint64_t mostItems,
                     llvm::BasicBlock& end);

}  // namespace clarity::compiler
