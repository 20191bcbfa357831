// SPDX-License-Identifier: Apache-2.0
// This file declares what runs once for every active lane.
#pragma once

#include "compiler/packets/packet_values.h"

namespace clarity::compiler {

/// Generates instructions that have no vector form, lane by lane: copies if all lanes are active and there are few,
/// otherwise a loop over the bits of the mask.
class LaneByLane {
public:
  LaneByLane(TileContext& tile, PacketValues& values) : tile_(tile), values_(values), builder_(tile.builder) {}

  /// Runs the instruction once for every lane of `here`, in order; nullptr: all lanes.
  void emit(llvm::Instruction& instruction, unsigned cell, llvm::Value* here);

  using Values = llvm::SmallVector<llvm::Value*, 2>;
  /// Generates a loop over the lanes of `here` (nullptr: all) that runs this for one of them, in one block: it takes
  /// the lane's number and returns its element for each vector of the result. Those of other lanes are undefined.
  Values forEachLane(llvm::Value* here, llvm::ArrayRef<llvm::Type*> types,
                     llvm::function_ref<Values(llvm::Value* lane)> run);

  /// Whether an operand is an address of which each lane adds its index to a base.
  bool isIndexed(const llvm::Use& operand) const { return indexedAddress(operand).address != nullptr; }
  llvm::Value* operandInLane(const llvm::Use& operand, unsigned cell, llvm::Value* lane);

private:
  /// An address as a base that all lanes have in common and the index of each.
  struct IndexedAddress {
    const llvm::GetElementPtrInst* address = nullptr;  ///< nullptr: none
    const llvm::Value* index = nullptr;                ///< a vector; in fewer bits where that is what is computed
    const llvm::CastInst* extension = nullptr;         ///< the index extended to the bits of an address; nullptr: none
  };
  IndexedAddress indexedAddress(const llvm::Use& operand) const;
  /// Processors of AMD guess that a load reads what was last stored by the same registers, until one of these gets
  /// another value: but they do not notice a `vmovd` or `vpextrd` (they do `vpextrb` and `vpextrq`). So the index is
  /// copied once more. measured on Zen 4: a histogram whose lanes add to their bins one after the other took ten times
  /// as long.
  llvm::Value* asIndex(llvm::Value* element, llvm::Type* type);
  void prepareOperand(const llvm::Use& operand, unsigned cell);
  void emitCopies(llvm::Instruction& instruction, unsigned cell);
  static llvm::SmallVector<llvm::Type*, 2> fieldsOf(const llvm::Instruction& instruction);
  void defineFields(llvm::Instruction& instruction, unsigned cell, llvm::ArrayRef<llvm::Value*> fields);

  TileContext& tile_;
  PacketValues& values_;
  llvm::IRBuilderBase& builder_;
};

}  // namespace clarity::compiler
