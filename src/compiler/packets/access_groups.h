// SPDX-License-Identifier: Apache-2.0
// This file declares which accesses of a block lie side by side in every work-item: the elements of a float4, the
// fields of a structure.
#pragma once

#include "compiler/analysis/address.h"
#include "compiler/packets/lane_masks.h"
#include "compiler/packets/tile_memory.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <deque>

namespace clarity::compiler {

/// Accesses of one work-item, of one kind and type, without gaps between them, which are generated together.
struct AccessGroup {
  struct Member {
    llvm::Instruction* access = nullptr;
    std::int64_t offset = 0;  ///< bytes from what the addresses have in common
  };
  Address address;  ///< the first member's address
  llvm::Type* type = nullptr;
  std::int64_t stride = 0;  ///< bytes from lane to lane
  bool isStore = false;
  bool apart = false;                    ///< there is more between a lane's members and the next lane's
  llvm::SmallVector<Member, 4> members;  ///< by offset, once the group is complete
  llvm::Instruction* trigger = nullptr;  ///< the member at which all of them are generated
  std::int64_t triggerOffset = 0;
};

/// Owns the groups and the spans of the block that is being generated. It generates nothing.
class AccessGroups {
public:
  AccessGroups(TileContext& tile, const LaneMasks& masks, const TileMemory& memory)
      : tile_(tile), masks_(masks), memory_(memory) {}

  /// Finds the groups of a block, under its masks.
  void find(llvm::BasicBlock& block);
  /// The group that an access belongs to; nullptr: none.
  const AccessGroup* of(const llvm::Instruction& access) const { return groupOf_.lookup(&access); }
  /// The vectors that hold the elements of a strided access: elements from the first lane's to where each begins.
  /// Accesses of one small stride share them: `in[2 * i]` and `in[2 * i + 1]` read the same vectors.
  llvm::SmallVector<std::int64_t, 4> partsOf(llvm::Instruction& access, std::int64_t elements) const;

private:
  /// The span that accesses of one small stride have together.
  struct Span {
    Address address;
    llvm::Type* type = nullptr;
    std::int64_t stride = 0, first = 0, last = 0;  ///< bytes; lowest and highest offset that a lane accesses
  };
  void addToSpans(const AccessGroup& access);
  bool describeAccess(llvm::Instruction& instruction, AccessGroup& group) const;
  void keepGroup(AccessGroup& group);
  void keepRuns(const AccessGroup& group);
  void keepWhole(AccessGroup group);

  TileContext& tile_;
  const LaneMasks& masks_;
  const TileMemory& memory_;
  std::deque<AccessGroup> groups_;
  llvm::DenseMap<const llvm::Instruction*, const AccessGroup*> groupOf_;
  llvm::SmallVector<Span, 4> spans_;
};

}  // namespace clarity::compiler
