// SPDX-License-Identifier: Apache-2.0
// This file connects the parts that generate a tile.
#include "compiler/packets/packet_builder.h"

#include <llvm/IR/Function.h>

namespace clarity::compiler {

PacketBuilder::PacketBuilder(PacketPlan& plan, const VectorTarget& target, const PrivateLayouts& layouts,
                             llvm::BasicBlock& allocas, PacketGrowth* growth)
    : tile_(plan, target, layouts, allocas, growth),
      masks_(tile_),
      memory_(tile_),
      values_(tile_, masks_, memory_),
      laneByLane_(tile_, values_),
      nonTemporal_(tile_),
      runs_(tile_, masks_, values_, nonTemporal_),
      groups_(tile_, masks_, memory_),
      groupAccesses_(tile_, masks_, values_, memory_, groups_, runs_, nonTemporal_),
      accesses_(tile_, masks_, values_, memory_, groups_, runs_, nonTemporal_, laneByLane_),
      atomics_(tile_, masks_, values_),
      subGroups_(tile_, masks_, values_),
      calls_(tile_, masks_, values_, subGroups_, laneByLane_),
      division_(tile_, values_),
      edges_(tile_, masks_, values_),
      instructions_(tile_, masks_, values_, memory_,
                    {edges_, groupAccesses_, accesses_, atomics_, calls_, division_, laneByLane_}),
      loops_(tile_, masks_, values_, edges_),
      levels_(tile_, masks_, edges_, loops_, instructions_) {}

llvm::BasicBlock* PacketBuilder::build(llvm::BasicBlock* from, const TileInput& input) {
  tile_.input = input;
  tile_.builder.SetInsertPoint(from);
  tile_.end = tile_.newBlock("packet.end");
  masks_.beginRun();
  levels_.emit(tile_.plan.run());
  tile_.end->moveAfter(&tile_.function.back());
  return tile_.end;
}

}  // namespace clarity::compiler
