// SPDX-License-Identifier: Apache-2.0
// This file computes, beside each value of a function, which of its bits come from memory that was never written: its
// shadow, an integer as wide as the value (or a vector of such) with ones for those bits.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

namespace llvm {
class Function;
class Instruction;
class PHINode;
class Type;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// Folds constants only: phis of shadows are not complete while others are computed from them.
using ShadowBuilder = llvm::IRBuilder<>;

/// The origin of bits that were never written: the index of a site (i32) and, of memory, the address (i64).
struct ShadowOrigin {
  llvm::Value *site = nullptr, *address = nullptr;
};

/// Bits of integers are followed one by one; of a floating-point operation, a component has all bits of its shadow set
/// or none.
class ValueShadows {
public:
  explicit ValueShadows(llvm::Function& function);

  /// The type of the shadow; null for values that have none, such as structures: they count as written.
  llvm::Type* typeOf(llvm::Type* type) const;
  /// A value that may have bits that were never written: what memory holds, what stands for an uninitialised variable.
  void addSource(llvm::Instruction& instruction, llvm::Value* shadow, ShadowOrigin origin);
  /// Sources first: those that will be added, and what may be computed from them.
  void setSources(llvm::ArrayRef<llvm::Instruction*> sources);
  bool mayBeUninitialised(const llvm::Value* value) const { return reached_.contains(value); }

  /// Inserts the shadow of an instruction that is no source, behind it. In an order in which operands come first, but
  /// for those of phis.
  void compute(llvm::Instruction& instruction);
  /// Once all are computed.
  void completePhis();

  /// Null: all bits were written.
  llvm::Value* of(llvm::Value* value) const { return shadows_.lookup(value); }
  /// The same, zero in place of null.
  llvm::Value* valueOf(llvm::Value* value) const;
  /// The origin of a value with a shadow. Inserts code; completePhis() has to follow.
  ShadowOrigin originOf(llvm::Value* value);

  /// i1: any bit of a shadow.
  static llvm::Value* any(ShadowBuilder& builder, llvm::Value* shadow);

private:
  llvm::Value* shadowOf(ShadowBuilder& builder, llvm::Instruction& instruction);
  llvm::Value* ofBinary(ShadowBuilder& builder, llvm::BinaryOperator& operation);
  llvm::Value* ofComparison(ShadowBuilder& builder, llvm::ICmpInst& comparison);
  llvm::Value* ofSelect(ShadowBuilder& builder, llvm::SelectInst& select);
  llvm::Value* ofShuffle(ShadowBuilder& builder, llvm::ShuffleVectorInst& shuffle);
  llvm::Value* ofCall(ShadowBuilder& builder, llvm::CallBase& call);
  /// All bits of a component, if one of that component of an operand is set; of all, where the numbers differ.
  llvm::Value* ofOperands(ShadowBuilder& builder, llvm::Type* type, llvm::iterator_range<llvm::Use*> operands);
  /// All bits of `to`, by component, where any of the shadow's is set.
  static llvm::Value* spread(ShadowBuilder& builder, llvm::Value* shadow, llvm::Type* to);
  llvm::Value* bitsOf(ShadowBuilder& builder, llvm::Value* value) const;

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  llvm::DenseSet<const llvm::Value*> reached_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> shadows_;
  llvm::DenseMap<const llvm::Value*, ShadowOrigin> origins_;
  llvm::SmallVector<llvm::PHINode*, 16> phis_, originPhis_;
};

}  // namespace clarity::compiler
