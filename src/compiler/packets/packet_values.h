// SPDX-License-Identifier: Apache-2.0
// This file declares the values that have been computed for a tile, in each packet value form.
#pragma once

#include "compiler/packets/mask_values.h"
#include "compiler/packets/tile_context.h"
#include "compiler/packets/tile_memory.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

namespace clarity::compiler {

/// Owns what has been computed for each original value and cell. A value is defined once, in its packet value form:
/// Uniform and Affine values as the first lane's scalar, others as a vector. Other forms are materialised where they
/// are used, and reused up to the end of the block. Values used in other blocks travel in variables.
class PacketValues {
public:
  PacketValues(TileContext& tile, MaskValues& masks, TileMemory& memory)
      : tile_(tile), masks_(masks), memory_(memory), builder_(tile.builder) {}

  /// From now on another original block is generated: nothing is known there but what travels in variables.
  void enterBlock();

  // --- definitions
  /// @param computed in the packet value form of the value
  void define(const llvm::Instruction& value, unsigned cell, llvm::Value* computed);
  /// The instruction itself, on the operands' scalars.
  void defineUniform(const llvm::Instruction& instruction, unsigned cell);
  /// An Affine value of a packet beside the first of its row, from which it differs by a constant.
  void defineFromFirstPacket(const llvm::Instruction& value, unsigned cell);
  /// A field of a structure, a vector; structures do not leave their block.
  void defineField(const llvm::Instruction& structure, unsigned cell, unsigned field, llvm::Value* computed) {
    fields_[{&structure, cell, field}] = computed;
  }

  // --- uses
  llvm::Value* scalar(const llvm::Value& value, unsigned cell);  ///< first lane's; Uniform and Affine values only
  llvm::Value* vector(const llvm::Value& value, unsigned cell);
  llvm::Value* inLane(const llvm::Value& value, unsigned cell, llvm::Value* lane);  ///< @param lane i64
  /// i1: whether an index wraps between the work-items of the row of packets that the cell is in.
  llvm::Value* wrapsInRow(const llvm::Instruction& index, unsigned cell);
  /// i1: whether it wraps between the first row of the tile and the last, for any lane of the cell, which is in the
  /// first.
  llvm::Value* wrapsAcross(const llvm::Instruction& index, unsigned cell);
  llvm::Value* field(const llvm::Value& structure, unsigned cell, unsigned field) {
    return fields_[{&structure, cell, field}];
  }

  // --- variables
  /// The type of a variable that holds a value in its packet value form.
  llvm::Type* storageType(const llvm::Value& value) const;
  /// A value as it is stored in such a variable, and the reverse: masks have a form of their own there.
  llvm::Value* toStorage(const llvm::Value& value, llvm::Value* computed);
  llvm::Value* fromStorage(const llvm::Value& value, llvm::Value* stored);

  /// Values that are materialised while this lives, on an edge out of the block, are not known afterwards.
  class EdgeScope {
  public:
    explicit EdgeScope(PacketValues& values) : values_(values), local_(values.local_), vectors_(values.vectors_) {}
    ~EdgeScope() {
      values_.local_ = std::move(local_);
      values_.vectors_ = std::move(vectors_);
    }
    EdgeScope(const EdgeScope&) = delete;
    EdgeScope& operator=(const EdgeScope&) = delete;

  private:
    PacketValues& values_;
    llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, llvm::Value*> local_, vectors_;
  };

  /// While this lives, no index wraps.
  class InStep {
  public:
    explicit InStep(PacketValues& values) : values_(values), before_(values.inStep_) { values.inStep_ = true; }
    ~InStep() { values_.inStep_ = before_; }
    InStep(const InStep&) = delete;
    InStep& operator=(const InStep&) = delete;

  private:
    PacketValues& values_;
    bool before_;
  };

private:
  using Key = std::pair<const llvm::Value*, unsigned>;
  bool isVector(const llvm::Value& value) const { return tile_.forms.form(value) == Form::Vector; }
  bool usedElsewhere(const llvm::Instruction& value) const;
  llvm::Value* computed(const llvm::Value& value, unsigned cell);
  llvm::Value* laneOffsets(llvm::Type* integer, std::int64_t stride) const;
  llvm::Value* indexOf(const llvm::Instruction& index, llvm::Value* from);
  llvm::Value* corrected(const llvm::Value& value, llvm::Value* inStep,
                         llvm::function_ref<llvm::Value*(const llvm::Instruction&)> difference);
  llvm::Value* plainVector(const llvm::Value& value, llvm::Value* first);
  llvm::Value* plainLane(const llvm::Value& value, llvm::Value* first, llvm::Value* lane);

  TileContext& tile_;
  MaskValues& masks_;
  TileMemory& memory_;
  llvm::IRBuilderBase& builder_;
  bool inStep_ = false;
  llvm::DenseMap<Key, llvm::Value*> local_;    ///< in its packet value form, known in the current block
  llvm::DenseMap<Key, llvm::Value*> vectors_;  ///< vectors of Uniform and Affine values, known in the current block
  llvm::DenseMap<Key, llvm::AllocaInst*> variables_;  ///< values used in other blocks
  llvm::DenseMap<std::tuple<const llvm::Value*, unsigned, unsigned>, llvm::Value*> fields_;  ///< in the current block
};

}  // namespace clarity::compiler
