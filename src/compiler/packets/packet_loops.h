// SPDX-License-Identifier: Apache-2.0
// This file declares how the loops of a region run in a tile.
#pragma once

#include "compiler/packets/packet_edges.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/InstrTypes.h>

namespace clarity::compiler {

/// Generates loops. A loop that all lanes leave together stays a loop. A divergent loop runs until its mask is empty;
/// where its plan has a steady form, that runs first, without masks, until a lane leaves.
class PacketLoops {
public:
  PacketLoops(TileContext& tile, LaneMasks& masks, PacketValues& values, PacketEdges& edges)
      : tile_(tile), masks_(masks), values_(values), edges_(edges), builder_(tile.builder) {}

  using EmitLevel = llvm::function_ref<void(const Level&)>;
  void emit(const Level& level, EmitLevel emitLevel);
  /// Whether a block ends with the branch by which lanes leave the steady form that is being generated.
  bool leavesSteady(const llvm::BasicBlock& block) const {
    return tile_.plan.selectedForm() && tile_.plan.selectedForm()->exiting == &block;
  }
  /// That branch: on while all lanes stay; out if all leave; otherwise the masked form repeats the iteration.
  void leaveSteady(llvm::BasicBlock& block);

private:
  void describeLoop(const Level& level, llvm::BasicBlock& header, llvm::ArrayRef<llvm::BasicBlock*> outside);
  void emitSteady(const Level& level, const SteadyLoop& steady, llvm::BasicBlock& masked, llvm::BasicBlock& after,
                  EmitLevel emitLevel);
  llvm::Value* allStay(llvm::BasicBlock& block, bool whenTrue);
  bool wrapsOnceAtMost(const llvm::Value& affine) const;
  llvm::Value* allPass(const llvm::ICmpInst& comparison, llvm::CmpInst::Predicate predicate);

  TileContext& tile_;
  LaneMasks& masks_;
  PacketValues& values_;
  PacketEdges& edges_;
  llvm::IRBuilderBase& builder_;
  llvm::BasicBlock* masked_ = nullptr;  ///< header of the other form of the steady loop that is being generated
};

}  // namespace clarity::compiler
