// SPDX-License-Identifier: Apache-2.0
// This file follows addresses to the work-item's ids, on code as clang generates it: without the loops over work-items
// and the constant coefficients of AffineForm (analysis/affine.h).
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include <array>
#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class Function;
class PHINode;
class Value;
}  // namespace llvm

namespace clarity::compiler {

struct AffineOperation;

/// An integer: the sum of a step for each dimension times the global id in it, the same of the local id and of the
/// work-group's, of `rest` and of `constant`; and, if it is repeated, of any multiple of the global size in one
/// dimension times the global id's step in it. Steps and rest are i64 values known where a launch begins; null: 0.
struct AffineNumber {
  static constexpr unsigned global = 0, local = 3, group = 6;  ///< where their steps begin
  std::array<llvm::Value*, 9> steps{};
  llvm::Value* rest = nullptr;
  std::int64_t constant = 0;
  bool isNarrow = false;               ///< computed in fewer than 64 bits: it is this number as long as that fits
  std::optional<unsigned> repeated{};  ///< dimension
};

class AffineAddresses {
public:
  explicit AffineAddresses(llvm::Function& function);

  /// The distance in bytes of a pointer to the beginning of what an argument points at.
  std::optional<AffineNumber> offsetOf(llvm::Value* pointer);
  /// Whether they differ in `constant` only.
  static bool differInConstant(const AffineNumber&, const AffineNumber&);

  /// Numbers are so only if all work-groups have the same size.
  bool needsWholeGroups() const { return needsWholeGroups_; }

  /// The block in which a launch begins.
  llvm::IRBuilder<>& entry() { return entry_; }

private:
  std::optional<AffineNumber> numberOf(llvm::Value*, unsigned depth);
  std::optional<AffineNumber> ofOperation(const AffineOperation&, unsigned depth);
  std::optional<AffineNumber> ofPhi(llvm::PHINode&, unsigned depth);
  /// The same value where the launch begins, or null.
  llvm::Value* uniform(llvm::Value*, unsigned depth);
  llvm::Value* wide(llvm::Value*);
  llvm::Value* added(llvm::Value*, llvm::Value*);
  std::optional<AffineNumber> sum(const AffineNumber&, const AffineNumber&);
  std::optional<AffineNumber> scaled(const AffineNumber&, llvm::Value* by);

  const llvm::DataLayout& layout_;
  llvm::IRBuilder<> entry_;
  bool needsWholeGroups_ = false;
  llvm::DenseMap<llvm::Value*, llvm::Value*> uniforms_;
};

}  // namespace clarity::compiler
