// SPDX-License-Identifier: Apache-2.0
// This file declares how the values of a region are represented in a tile: their packet value form, and for which cells
// they are computed.
#pragma once

#include "compiler/analysis/exact_sum.h"
#include "compiler/analysis/variance.h"
#include "compiler/packets/packet_shape.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

#include <array>
#include <cstdint>
#include <optional>

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class PHINode;
}  // namespace llvm

namespace clarity::compiler {

/// The innermost loop over work-items, as WorkItemLoopsPass makes it.
struct ItemLoop {
  llvm::Loop* loop = nullptr;
  llvm::BasicBlock* header = nullptr;
  llvm::BasicBlock* entry = nullptr;  ///< first block of one work-item's run
  llvm::BasicBlock* latch = nullptr;  ///< where it ends
  std::array<llvm::PHINode*, 3> counter{};
};

/// Packet value form: how the lanes' values are represented.
enum class Form {
  Uniform,  ///< the same in all lanes: one scalar
  Affine,   ///< differs by a constant from lane to lane: the first lane's scalar
  Vector,   ///< one element for each lane
};

/// Whether a simple load or store is consecutive along one dimension, `across`, while neighbours `along` the other are
/// far apart.
bool consecutiveAcross(const llvm::Instruction& access, const VarianceInfo& variance, unsigned along, unsigned across);

/// The packet value forms of a region's values. A value is computed once for all cells between which it does not
/// differ.
class ValueForms {
public:
  ValueForms(const ItemLoop& items, const PacketShape& shape, const VarianceInfo& variance)
      : items_(items), shape_(shape), variance_(variance) {}

  /// Finds the affine values; without it all values that vary along the lanes are vectors.
  /// @param inRun whether a block belongs to the run of one work-item
  void findAffine(llvm::function_ref<bool(const llvm::BasicBlock&)> inRun);

  Form form(const llvm::Value& value) const;
  std::int64_t stride(const llvm::Value& value) const;        ///< the stride of an Affine value, from lane to lane
  std::int64_t strideAcross(const llvm::Value& value) const;  ///< that of a value with a known one, from row to row
  /// Whether an Affine value leads to where not all lanes come that compute it: in the first lane it need not mean
  /// anything.
  bool usedByFewer(const llvm::Value& value) const { return usedByFewer_.contains(&value); }
  /// The terms of an extension that are to be extended (VarianceInfo::extendsTerms); nothing for other values.
  std::optional<ExactSum> termsOf(const llvm::Instruction& extension) const;
  /// An index that may wrap between the lanes of a row of packets, and how often an Affine value contains it.
  struct Wrap {
    const llvm::Instruction* index = nullptr;
    std::int64_t coefficient = 0;
    bool operator==(const Wrap&) const = default;
  };
  /// The indices with which an Affine value wraps: where one of them does, other lanes differ from the first by more
  /// than the stride.
  llvm::ArrayRef<Wrap> wraps(const llvm::Value& value) const;
  /// Whether tiles need a value where others are computed that are no users of it: they look for wraps of it or of what
  /// narrows or extends it, or it is one of the terms of an extension.
  bool isWatched(const llvm::Value& value) const { return watched_.contains(&value) || terms_.contains(&value); }
  bool variesAlong(const llvm::Value& value) const;   ///< between lanes or packets
  bool variesAcross(const llvm::Value& value) const;  ///< between rows
  bool varies(const llvm::Value& value) const { return variesAlong(value) || variesAcross(value); }
  /// Whether a simple load or store is consecutive from row to row, and far apart from lane to lane, if no index of
  /// `indicesAcross` wraps.
  bool consecutiveAcross(const llvm::Instruction& access) const;
  /// The indices in an address that may wrap between rows; nothing if they are not known.
  std::optional<llvm::SmallVector<const llvm::Instruction*, 2>> indicesAcross(const llvm::Value& pointer) const;

  /// The cell that stands for all cells in which the value is the same as in this one.
  unsigned cellFor(const llvm::Value& value, unsigned cell) const;
  /// The cells for which an instruction is computed.
  llvm::SmallVector<unsigned, 8> cellsOf(const llvm::Value& value) const;
  /// The cells between which the operands differ.
  llvm::SmallVector<unsigned, 8> cellsOfOperands(const llvm::Instruction& instruction) const;

private:
  bool mayBeAffine(const llvm::Instruction& instruction) const;
  void findUsesByFewer(llvm::ArrayRef<const llvm::Instruction*> candidates);
  using Wraps = llvm::SmallVector<Wrap, 1>;
  void dropUnfit(llvm::ArrayRef<const llvm::Instruction*> candidates);
  bool findWraps(llvm::ArrayRef<const llvm::Instruction*> candidates);
  std::optional<Wraps> wrapsOf(const llvm::Instruction& value) const;
  std::optional<Wraps> wrapsOfPhi(const llvm::PHINode& phi) const;

  ItemLoop items_;
  PacketShape shape_;
  const VarianceInfo& variance_;
  llvm::SmallPtrSet<const llvm::Value*, 32> affine_, usedByFewer_;
  llvm::DenseMap<const llvm::Value*, Wraps> wraps_;
  llvm::SmallPtrSet<const llvm::Value*, 8> watched_, terms_;
};

}  // namespace clarity::compiler
