// SPDX-License-Identifier: Apache-2.0
// This file declares sub-group functions. A sub-group is a packet: its work-items' values lie in one vector.
#pragma once

#include "compiler/packets/lane_masks.h"
#include "compiler/packets/packet_values.h"

namespace clarity::compiler {

struct Collective;

/// Generates sub-group functions as vector operations among the active lanes. Such tiles have one cell.
class PacketSubGroups {
public:
  PacketSubGroups(TileContext& tile, LaneMasks& masks, PacketValues& values)
      : tile_(tile), masks_(masks), values_(values), builder_(tile.builder) {}

  void emit(llvm::CallInst& call, const Collective& collective);

private:
  llvm::Value* subGroupId(llvm::CallInst& call);
  llvm::Value* ballot(llvm::Value* predicates);
  llvm::Value* activeValues(llvm::CallInst& call, const Collective& collective);
  llvm::Value* exclusiveScan(llvm::CallInst& call, const Collective& collective);
  llvm::Value* clusteredReduce(llvm::CallInst& call, const Collective& collective);
  llvm::Value* agreed(const llvm::Value& value);
  llvm::Value* broadcast(llvm::CallInst& call);
  llvm::Value* shuffle(llvm::CallInst& call);
  llvm::Value* permute(llvm::Value* values, llvm::Value* from);
  llvm::Value* permuteWords(llvm::Value* values, llvm::Value* from);
  llvm::Value* permuteInMemory(llvm::Value* values, llvm::Value* from);

  TileContext& tile_;
  LaneMasks& masks_;
  PacketValues& values_;
  llvm::IRBuilderBase& builder_;
};

}  // namespace clarity::compiler
