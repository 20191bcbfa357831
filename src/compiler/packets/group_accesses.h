// SPDX-License-Identifier: Apache-2.0
// This file declares how accesses that lie side by side in every work-item become whole vectors.
#pragma once

#include "compiler/packets/access_groups.h"
#include "compiler/packets/memory_order.h"
#include "compiler/packets/non_temporal_stores.h"
#include "compiler/packets/packet_values.h"
#include "compiler/packets/transposed_runs.h"

namespace clarity::compiler {

/// Generates groups of accesses: one load or store for each vector of memory, and shuffles between the order of memory
/// and the lanes'. Owns what is known of the order of the values that the current block has loaded so.
class GroupAccesses {
public:
  GroupAccesses(TileContext& tile, LaneMasks& masks, PacketValues& values, TileMemory& memory, AccessGroups& groups,
                TransposedRuns& runs, NonTemporalStores& nonTemporal)
      : tile_(tile),
        masks_(masks),
        values_(values),
        memory_(memory),
        groups_(groups),
        runs_(runs),
        nonTemporal_(nonTemporal),
        builder_(tile.builder),
        memoryOrder_(tile.builder, tile.lanes) {}

  void enterBlock(llvm::BasicBlock& block);
  /// Whether an access belongs to a group: then it needs no code but the group's, which is generated at the group's
  /// trigger.
  bool emit(const llvm::Instruction& access);
  /// The accesses that are generated at an access: it alone, or all of its group, or none.
  llvm::SmallVector<llvm::Instruction*, 4> accessesAt(llvm::Instruction& access) const;
  /// How many bytes behind the access at which its group is generated an access lies.
  std::int64_t offsetFrom(const llvm::Instruction& trigger, const llvm::Instruction& access) const;

private:
  void emitGroup(const AccessGroup& group);
  bool isNonTemporal(const AccessGroup& group);
  llvm::Value* lanesOfPart(llvm::Value* here, unsigned part, std::size_t members);
  void noteMembers(llvm::ArrayRef<llvm::Value*> members, llvm::ArrayRef<llvm::Value*> parts, bool isStore);
  void loadGroup(const AccessGroup& group, llvm::Value* first, unsigned cell, llvm::Value* here);
  void storeGroup(const AccessGroup& group, llvm::Value* first, unsigned cell, llvm::Value* here);
  void storeEachLane(const AccessGroup& group, llvm::ArrayRef<llvm::Value*> parts, unsigned cell, llvm::Value* here);
  llvm::Value* placesOfRuns(const AccessGroup& group, unsigned cell, llvm::Value* here);
  void withRuns(const AccessGroup& group, unsigned cell, llvm::Value* here,
                llvm::function_ref<void(llvm::Align, TransposedRuns::Place)> work);
  void loadGroupApart(const AccessGroup& group, unsigned cell, llvm::Value* here);
  void storeGroupApart(const AccessGroup& group, unsigned cell, llvm::Value* here);

  TileContext& tile_;
  LaneMasks& masks_;
  PacketValues& values_;
  TileMemory& memory_;
  AccessGroups& groups_;
  TransposedRuns& runs_;
  NonTemporalStores& nonTemporal_;
  llvm::IRBuilderBase& builder_;
  MemoryOrder memoryOrder_;
};

}  // namespace clarity::compiler
