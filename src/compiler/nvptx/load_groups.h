// SPDX-License-Identifier: Apache-2.0
// This file finds loads of a loop whose addresses are a constant apart.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <cstdint>

namespace llvm {
class LoadInst;
class Loop;
class ScalarEvolution;
}  // namespace llvm

namespace clarity::compiler::nvptx {

/// The bytes of the widest load.
inline constexpr std::uint64_t vectorBytes = 16;

/// Loads of neighbouring elements in one iteration, which can become one: from `first` on, so many bytes.
struct LoadRow {
  llvm::LoadInst* first;
  std::uint64_t bytes;
};

/// In a loop of one block, addresses that are a constant apart become one and an offset, which is part of a load's
/// instruction: work-items of a thread load at such distances.
void shareAddresses(llvm::Loop& loop, llvm::ScalarEvolution& evolution);

/// After shareAddresses(): loads from global memory of two or four neighbouring elements, 16 bytes at most.
llvm::SmallVector<LoadRow, 4> rowsOf(llvm::Loop& loop, llvm::ScalarEvolution& evolution);

}  // namespace clarity::compiler::nvptx
