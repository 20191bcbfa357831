// SPDX-License-Identifier: Apache-2.0
// This file finds what every iteration computes alike, and counters that are used as 32-bit numbers only.
#include "compiler/transforms/index_form.h"

#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <cstdint>
#include <utility>

namespace clarity::compiler {
namespace {

/// An extension that leads to addresses only counts as one that does not wrap (VarianceInfo::mayWrap): comparisons get
/// another.
bool extendApart(llvm::PHINode& phi) {
  const auto compares = [](const llvm::Use& use) { return llvm::isa<llvm::ICmpInst>(use.getUser()); };
  bool changed = false;
  for (llvm::User* user : llvm::make_early_inc_range(phi.users())) {
    if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(user)) continue;
    auto* extension = llvm::cast<llvm::CastInst>(user);
    if (llvm::none_of(extension->uses(), compares) || llvm::all_of(extension->uses(), compares)) continue;
    llvm::Instruction* apart = extension->clone();
    apart->insertBefore(extension->getIterator());
    extension->replaceUsesWithIf(apart, compares);
    changed = true;
  }
  return changed;
}

/// A use of a counter of 64 bits, which is an extension of the narrow counter, times a power of two.
struct NarrowUse {
  llvm::Instruction* now = nullptr;
  llvm::Instruction::CastOps cast{};  ///< BitCast: the narrow counter itself
  std::uint64_t factorBits = 0;
};

/// LLVM counts an `int i` in 64 bits where a size_t is added to it, and truncates it wherever it is used.
bool narrow(llvm::PHINode& phi, llvm::Loop& loop) {
  using namespace llvm::PatternMatch;
  llvm::SmallVector<NarrowUse, 4> uses;
  if (!phi.getType()->isIntegerTy(64)) return false;
  std::uint64_t bits;
  for (llvm::User* user : phi.users()) {
    auto* use = llvm::cast<llvm::Instruction>(user);
    if (match(use, m_Trunc(m_Specific(&phi))) && use->getType()->isIntegerTy(32)) {
      uses.push_back({use, llvm::Instruction::BitCast});
    } else if (match(use, m_And(m_Specific(&phi), m_SpecificInt(0xffffffff)))) {
      uses.push_back({use, llvm::Instruction::ZExt});
    } else if (match(use, m_Shl(m_Specific(&phi), m_SpecificInt(32)))) {
      for (llvm::User* back : use->users()) {
        if (!match(back, m_AShr(m_Specific(use), m_ConstantInt(bits))) || bits > 32) return false;
        uses.push_back({llvm::cast<llvm::Instruction>(back), llvm::Instruction::SExt, 32 - bits});
      }
    } else {
      return false;
    }
  }
  llvm::Value *counted, *step;
  auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  const bool falls = next && match(next, m_Sub(m_Value(counted), m_Value(step)));
  if (!next || (!falls && !match(next, m_Add(m_Value(counted), m_Value(step))))) return false;
  if (!falls && loop.isLoopInvariant(counted)) std::swap(counted, step);
  if (!next->hasOneUse() || !loop.isLoopInvariant(step) || llvm::none_of(uses, [&](const auto& use) {
        return use.now == counted && use.cast != llvm::Instruction::BitCast && use.factorBits == 0;
      }))
    return false;

  llvm::Type* type = llvm::Type::getInt32Ty(phi.getContext());
  llvm::IRBuilder<> before(loop.getLoopPreheader()->getTerminator()), head(&phi), after(next),
      body(&*loop.getHeader()->getFirstInsertionPt());
  llvm::PHINode* counter = head.CreatePHI(type, 2, phi.getName());
  counter->addIncoming(before.CreateTrunc(phi.getIncomingValueForBlock(loop.getLoopPreheader()), type),
                       loop.getLoopPreheader());
  llvm::Value* by = before.CreateTrunc(step, type);
  counter->addIncoming(falls ? after.CreateSub(counter, by) : after.CreateAdd(counter, by), loop.getLoopLatch());
  for (const auto& [now, cast, factorBits] : uses) {
    llvm::Value* value = cast == llvm::Instruction::BitCast ? counter : body.CreateCast(cast, counter, now->getType());
    now->replaceAllUsesWith(factorBits ? body.CreateShl(value, factorBits, "", false, true) : value);
  }
  for (const auto& [now, cast, factorBits] : uses) {
    auto* shifted = cast == llvm::Instruction::SExt ? llvm::cast<llvm::Instruction>(now->getOperand(0)) : nullptr;
    now->eraseFromParent();
    if (shifted && shifted->use_empty()) shifted->eraseFromParent();
  }
  next->replaceAllUsesWith(llvm::PoisonValue::get(next->getType()));
  next->eraseFromParent();
  phi.eraseFromParent();
  return true;
}

/// Moves what every iteration computes alike ahead of the loop.
bool hoist(llvm::Loop& loop) {
  bool changed = false;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
      const auto primitive = primitiveOf(instruction);
      const bool pure = primitive
                            ? isQuery(*primitive)
                            : !instruction.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&instruction);
      if (!pure || instruction.isTerminator() || llvm::isa<llvm::PHINode>(instruction) ||
          !loop.hasLoopInvariantOperands(&instruction))
        continue;
      // Flags that a condition in the loop implies do not hold ahead of it.
      if (block != loop.getHeader() && block != loop.getLoopLatch()) instruction.dropPoisonGeneratingFlags();
      instruction.moveBefore(loop.getLoopPreheader()->getTerminator()->getIterator());
      changed = true;
    }
  return changed;
}

/// Whether work-items meet in the loop: values from ahead of it are then spilled for each of them.
bool hasMeeting(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& instruction) {
      const auto primitive = primitiveOf(instruction);
      return primitive == Primitive::Barrier || primitive == Primitive::WorkGroupCollective;
    });
  });
}

}  // namespace

bool narrowCounters(llvm::Loop& loop) {
  if (!loop.getLoopPreheader() || !loop.getLoopLatch()) return false;
  const bool meeting = hasMeeting(loop);
  if (!loop.isInnermost() && !meeting) return false;
  bool changed = !meeting && hoist(loop);
  for (llvm::PHINode& phi : llvm::make_early_inc_range(loop.getHeader()->phis())) changed |= narrow(phi, loop);
  for (llvm::PHINode& phi : loop.getHeader()->phis()) changed |= extendApart(phi);
  return changed;
}

}  // namespace clarity::compiler
