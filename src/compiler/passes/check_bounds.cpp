// SPDX-License-Identifier: Apache-2.0
// This file puts an expectation ahead of each access that cannot be seen to be within its object.
#include "compiler/passes/check_bounds.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/guard_facts.h"
#include "compiler/instrument/object_bounds.h"
#include "compiler/instrument/sites.h"
#include "compiler/ir/primitives.h"
#include "compiler/transforms/preserved.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <optional>

namespace clarity::compiler {
namespace {

/// The steps from one pointer to another that was computed from it.
struct OffsetTerms {
  llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;  ///< indices, and bytes for each one
  llvm::APInt constant{64, 0};                                  ///< bytes
};

std::optional<OffsetTerms> offsetTerms(const llvm::Value& base, llvm::Value* pointer, const llvm::DataLayout& layout) {
  OffsetTerms terms;
  while (pointer != &base) {
    const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    const auto operation = step ? affineOperationOf(*step, layout) : std::nullopt;
    if (!operation || layout.getIndexTypeSizeInBits(step->getType()) != 64) return std::nullopt;
    terms.constant += static_cast<std::uint64_t>(operation->constant);
    for (const auto& [index, bytes] : llvm::drop_begin(operation->terms))
      terms.variable.try_emplace(index, llvm::APInt(64, 0)).first->second += static_cast<std::uint64_t>(bytes);
    pointer = operation->terms.front().operand;
  }
  return terms;
}

llvm::Value* offsetOf(const OffsetTerms& terms, llvm::IRBuilder<>& builder) {
  llvm::Value* offset = builder.getInt(terms.constant);
  for (const auto& [index, bytes] : terms.variable)
    offset = builder.CreateAdd(
        offset, builder.CreateMul(builder.CreateSExtOrTrunc(index, builder.getInt64Ty()), builder.getInt(bytes)));
  return offset;
}

/// Whether the offset is from 0 to `most` whichever work-item it is.
bool isWithin(const OffsetTerms& terms, std::uint64_t most, const llvm::Instruction& at, const GuardFacts& facts) {
  llvm::ConstantRange offset(terms.constant.sext(128));
  for (const auto& [index, bytes] : terms.variable) {
    llvm::ConstantRange range = llvm::computeConstantRange(index, true, true, nullptr, &at).sextOrTrunc(128);
    if (const auto known = facts.rangeIn(*index, *at.getParent()))
      range = range.intersectWith({llvm::APInt(128, static_cast<std::uint64_t>(known->least), true),
                                   llvm::APInt(128, static_cast<std::uint64_t>(known->most), true) + 1});
    offset = offset.add(range.multiply(llvm::ConstantRange(bytes.sext(128))));
  }
  return !offset.isFullSet() && !offset.getSignedMin().isNegative() && offset.getSignedMax().ule(most);
}

class BoundsChecker {
public:
  BoundsChecker(llvm::Function& function, const llvm::DominatorTree& dominators)
      : bounds_(function, {.argumentsBegin = true, .asksRuntime = false}),
        dominators_(dominators),
        facts_(dominators),
        layout_(function.getDataLayout()),
        expectation_(declarePrimitive(*function.getParent(), Primitive::ExpectBelow)) {}

  void check(const Access& access) {
    const unsigned kinds = (reads(access.kind) ? readAccess : 0u) | (writes(access.kind) ? writeAccess : 0u);
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
    llvm::IRBuilder<> builder(access.instruction);
    if (bytes && follows(access, bytes->getZExtValue(), kinds, builder)) return;
    llvm::Value* const object = llvm::getUnderlyingObject(access.pointer, 0);
    if (!mayBePrivate(access.pointer)) expectAligned(access, builder);
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(object)) {
      // Its address stays in the instructions that access it, so that it may become registers and lanes.
      if (const auto size = variable->getAllocationSize(layout_))
        expectWithin(*variable, size->getFixedValue(), access, builder);
    } else if (!mayBePrivate(access.pointer) && !isWithinVariable(object, access)) {
      expect(builder, access, bounds_.of(access.pointer, kinds));
    }
    if (const auto [begin, size] = arrayAt(access.pointer); begin) expectWithin(*begin, size, access, builder);
  }

private:
  struct Known {
    const llvm::Instruction* at;
    std::uint64_t bytes;
    unsigned kinds;
    std::uint64_t alignment;
  };

  /// Whether the same has been expected on every way to the access; notes that it is from now on. A read that a write
  /// follows still expects that the object is for both.
  bool follows(const Access& access, std::uint64_t bytes, unsigned kinds, llvm::IRBuilder<>& builder) {
    llvm::SmallVector<Known, 2>& known = known_[access.pointer];
    const auto covers = [&](const Known& earlier) {
      return earlier.bytes >= bytes && earlier.alignment >= access.alignment &&
             dominators_.dominates(earlier.at, access.instruction);
    };
    bool isPlaceKnown = false, isKnown = false;
    for (const Known& earlier : known) {
      if (!covers(earlier)) continue;
      isPlaceKnown = true;
      isKnown |= (kinds & ~earlier.kinds) == 0;
    }
    known.push_back({access.instruction, bytes, kinds, access.alignment});
    if (isKnown || !isPlaceKnown) return isKnown;
    const llvm::Value* object = llvm::getUnderlyingObject(access.pointer, 0);
    if (llvm::isa<llvm::AllocaInst>(object)) return true;
    if (!llvm::isa<llvm::Argument>(object)) return false;
    if (const ObjectBounds whole = bounds_.of(access.pointer, kinds); !llvm::isa<llvm::ConstantInt>(whole.bytes))
      builder.CreateCall(&expectation_, {builder.getInt64(0), whole.bytes});
    return true;
  }

  /// Whether a pointer is one of several, of which one is to a private variable: such have no address yet.
  static bool mayBePrivate(const llvm::Value* pointer) {
    llvm::SmallVector<const llvm::Value*, 4> objects;
    llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
    return llvm::any_of(objects, [](const llvm::Value* object) { return llvm::isa<llvm::AllocaInst>(object); });
  }

  bool isWithinVariable(llvm::Value* object, const Access& access) const {
    auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
    if (!variable || !bytes || (variable->isConstant() && writes(access.kind))) return false;
    const std::uint64_t size = layout_.getTypeAllocSize(variable->getValueType()).getFixedValue();
    const auto terms = offsetTerms(*variable, access.pointer, layout_);
    return terms && bytes->getZExtValue() <= size &&
           isWithin(*terms, size - bytes->getZExtValue(), *access.instruction, facts_);
  }

  /// The array in an object that a pointer is to an element of, with its size.
  std::pair<llvm::Value*, std::uint64_t> arrayAt(llvm::Value* pointer) const {
    const InnerArray array = innerArrayOf(pointer);
    return {array.begin, array.type ? layout_.getTypeAllocSize(array.type).getFixedValue() : 0};
  }

  /// Expects the alignment that the type asks for, where it does not follow from those of arguments and variables.
  void expectAligned(const Access& access, llvm::IRBuilder<>& builder) {
    if (llvm::getKnownAlignment(access.pointer, layout_, access.instruction) >= llvm::Align(access.alignment)) return;
    llvm::Value* const address = builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
    builder.CreateCall(&expectation_, {builder.CreateAnd(address, access.alignment - 1), builder.getInt64(1)});
  }

  /// Expects an access to be within `size` bytes at a pointer that its own is computed from.
  void expectWithin(llvm::Value& base, std::uint64_t size, const Access& access, llvm::IRBuilder<>& builder) {
    const auto terms = offsetTerms(base, access.pointer, layout_);
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
    if (!terms || !bytes) return;
    const std::uint64_t room = size - std::min(size, bytes->getZExtValue() - 1);
    if (room != 0 && isWithin(*terms, room - 1, *access.instruction, facts_)) return;
    builder.CreateCall(&expectation_, {offsetOf(*terms, builder), builder.getInt64(room)});
  }

  void expect(llvm::IRBuilder<>& builder, const Access& access, const ObjectBounds& object) {
    if (const auto* all = llvm::dyn_cast<llvm::ConstantInt>(object.bytes); all && all->isMinusOne()) return;
    llvm::Value* const address = builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
    llvm::Value* offset = builder.CreateSub(address, object.begin);
    llvm::Value* room = roomFor(builder, access.bytes, object.bytes);
    if (!llvm::isa<llvm::ConstantInt>(access.bytes)) {  // a copy of nothing is right anywhere
      llvm::Value* const none = builder.CreateICmpEQ(access.bytes, builder.getInt64(0));
      offset = builder.CreateSelect(none, builder.getInt64(0), offset);
      room = builder.CreateSelect(none, builder.getInt64(1), room);
    }
    builder.CreateCall(&expectation_, {offset, room});
  }

  /// The number of offsets at which so many bytes may be accessed. One value for all accesses of a size.
  llvm::Value* roomFor(llvm::IRBuilder<>& builder, llvm::Value* bytes, llvm::Value* objectBytes) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(bytes);
    if (!constant || llvm::isa<llvm::ConstantInt>(objectBytes))
      return builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, objectBytes,
                                           builder.CreateSub(bytes, builder.getInt64(1)));
    llvm::Value*& room = rooms_[{objectBytes, constant->getZExtValue()}];
    if (!room) {
      auto* defined = llvm::cast<llvm::Instruction>(objectBytes);
      const auto place = *defined->getInsertionPointAfterDef();
      llvm::IRBuilder<> behind(place->getParent(), place);
      room = behind.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, objectBytes,
                                          behind.getInt64(constant->getZExtValue() - 1));
    }
    return room;
  }

  ObjectBoundsBuilder bounds_;
  const llvm::DominatorTree& dominators_;
  const GuardFacts facts_;
  const llvm::DataLayout& layout_;
  llvm::Function& expectation_;
  llvm::DenseMap<llvm::Value*, llvm::SmallVector<Known, 2>> known_;
  llvm::DenseMap<std::pair<llvm::Value*, std::uint64_t>, llvm::Value*> rooms_;
};

}  // namespace

llvm::PreservedAnalyses CheckBoundsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<Access, 32> accesses;
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  // In an order in which what comes first on every way comes first here.
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
    for (llvm::Instruction& instruction : *block)
      if (instruction.getDebugLoc()) addAccesses(instruction, accesses);
  BoundsChecker checker(function, dominators);
  for (const Access& access : accesses)
    if (!isInsideVariable(access)) checker.check(access);
  return sameControlFlow(!accesses.empty());
}

}  // namespace clarity::compiler
