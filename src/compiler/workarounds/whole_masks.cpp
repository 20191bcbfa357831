// SPDX-License-Identifier: Apache-2.0
// This file finds masks that cross from block to block, and gives them elements of a vector register.
#include "compiler/workarounds/whole_masks.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace clarity::compiler {
namespace {

bool isLogic(const llvm::Value& value) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  return operation && operation->isBitwiseLogicOp();
}

/// Whether a condition compares a mask, perhaps together with others, with that of no lane.
bool comparesWithNone(const llvm::ICmpInst& condition, const llvm::Value& mask) {
  using namespace llvm::PatternMatch;
  const llvm::Value* joined = nullptr;
  if (!match(&condition, m_ICmp(m_BitCast(m_Value(joined)), m_ZeroInt()))) return false;
  llvm::SmallVector<const llvm::Value*, 4> parts{joined};
  while (!parts.empty()) {
    const llvm::Value* part = parts.pop_back_val();
    if (part == &mask) return true;
    const llvm::Value *left = nullptr, *right = nullptr;
    if (match(part, m_Or(m_Value(left), m_Value(right)))) parts.append({left, right});
  }
  return false;
}

/// A mask that is selected where any of its lanes is active, and else the mask of no lane, is that mask.
bool dropSelections(llvm::Function& function) {
  using namespace llvm::PatternMatch;
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    if (!select || !select->getType()->isIntOrIntVectorTy(1)) continue;
    const auto* condition = llvm::dyn_cast<llvm::ICmpInst>(select->getCondition());
    if (!condition || !condition->isEquality()) continue;
    const bool whereAny = condition->getPredicate() == llvm::ICmpInst::ICMP_NE;
    llvm::Value* mask = whereAny ? select->getTrueValue() : select->getFalseValue();
    const llvm::Value* other = whereAny ? select->getFalseValue() : select->getTrueValue();
    if (!match(other, m_ZeroInt()) || !comparesWithNone(*condition, *mask)) continue;
    select->replaceAllUsesWith(mask);
    select->eraseFromParent();
    changed = true;
  }
  return changed;
}

class WholeMasks {
public:
  explicit WholeMasks(unsigned registerBits) : registerBits_(registerBits) {}
  bool run(llvm::Function& function);

private:
  llvm::Type* wholeType(const llvm::Type& type) const;
  bool crosses(const llvm::Instruction& mask) const;
  llvm::Value* whole(llvm::Value& mask);
  llvm::Value* makeWhole(llvm::Instruction& mask);
  llvm::Value* maskIn(llvm::BasicBlock& block, llvm::Instruction& mask);
  void replaceUses(llvm::Instruction& mask);
  /// Whether a mask is computed in whole elements alone.
  bool goes(llvm::Instruction& mask) const {
    return masks_.contains(&mask) && (llvm::isa<llvm::PHINode>(mask) || isLogic(mask));
  }

  unsigned registerBits_;
  llvm::SetVector<llvm::Instruction*> masks_;  ///< those that cross
  llvm::DenseMap<llvm::Value*, llvm::Value*> whole_;
  llvm::DenseMap<std::pair<llvm::BasicBlock*, llvm::Instruction*>, llvm::Value*> inBlock_;
};

/// The vector of integers that fills a register; nullptr: the mask needs several registers, or is none.
llvm::Type* WholeMasks::wholeType(const llvm::Type& type) const {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (!vector || !vector->getElementType()->isIntegerTy(1)) return nullptr;
  const unsigned lanes = vector->getNumElements();
  if (lanes < 2 || !llvm::isPowerOf2_32(lanes) || registerBits_ / lanes < 8) return nullptr;
  const unsigned bits = std::min(registerBits_ / lanes, 64u);
  return llvm::FixedVectorType::get(llvm::IntegerType::get(type.getContext(), bits), lanes);
}

bool WholeMasks::crosses(const llvm::Instruction& mask) const {
  if (!wholeType(*mask.getType()) || mask.isTerminator()) return false;
  return llvm::isa<llvm::PHINode>(mask) || llvm::any_of(mask.users(), [&](const llvm::User* user) {
           const auto& instruction = llvm::cast<llvm::Instruction>(*user);
           return instruction.getParent() != mask.getParent() || llvm::isa<llvm::PHINode>(instruction);
         });
}

llvm::Value* WholeMasks::makeWhole(llvm::Instruction& mask) {
  llvm::Type* type = wholeType(*mask.getType());
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&mask))
    return llvm::PHINode::Create(type, phi->getNumIncomingValues(), phi->getName() + ".whole", phi->getIterator());
  llvm::IRBuilder<> builder(mask.getParent(), *mask.getInsertionPointAfterDef());
  if (!isLogic(mask)) return builder.CreateSExt(&mask, type, mask.getName() + ".whole");
  masks_.insert(&mask);  // crossing or not: nothing is computed twice
  llvm::Value* left = whole(*mask.getOperand(0));
  llvm::Value* right = whole(*mask.getOperand(1));
  return builder.CreateBinOp(llvm::cast<llvm::BinaryOperator>(mask).getOpcode(), left, right);
}

/// A mask in whole elements, where it is defined.
llvm::Value* WholeMasks::whole(llvm::Value& mask) {
  if (llvm::Value* known = whole_.lookup(&mask)) return known;
  llvm::Type* type = wholeType(*mask.getType());
  llvm::Value* result = nullptr;
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(&mask)) {
    result = llvm::ConstantFoldCastInstruction(llvm::Instruction::SExt, constant, type);
  } else if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(&mask)) {
    result = makeWhole(*instruction);
  } else {
    llvm::BasicBlock& entry = llvm::cast<llvm::Argument>(mask).getParent()->getEntryBlock();
    result = llvm::IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateSExt(&mask, type);
  }
  whole_[&mask] = result;
  return result;
}

/// A mask as <n x i1>, made anew in a block.
llvm::Value* WholeMasks::maskIn(llvm::BasicBlock& block, llvm::Instruction& mask) {
  llvm::Value*& made = inBlock_[{&block, &mask}];
  if (made) return made;
  llvm::Value* whole = whole_.lookup(&mask);
  const bool here = mask.getParent() == &block && !llvm::isa<llvm::PHINode>(mask);
  llvm::IRBuilder<> builder(
      &block, here ? *llvm::cast<llvm::Instruction>(whole)->getInsertionPointAfterDef() : block.getFirstInsertionPt());
  made = builder.CreateICmpSLT(whole, llvm::Constant::getNullValue(whole->getType()), mask.getName());
  return made;
}

void WholeMasks::replaceUses(llvm::Instruction& mask) {
  for (llvm::Use& use : llvm::make_early_inc_range(mask.uses())) {
    auto& user = llvm::cast<llvm::Instruction>(*use.getUser());
    if (goes(user)) continue;
    if (user.getParent() == mask.getParent() && !goes(mask)) continue;
    if (llvm::isa<llvm::SExtInst>(user) && user.getType() == whole_.lookup(&mask)->getType())
      user.replaceAllUsesWith(whole_.lookup(&mask));
    else
      use.set(maskIn(*user.getParent(), mask));
  }
}

bool WholeMasks::run(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (crosses(instruction)) masks_.insert(&instruction);
  for (std::size_t i = 0; i < masks_.size(); ++i) whole(*masks_[i]);
  for (std::size_t i = 0; i < masks_.size(); ++i) {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(masks_[i]);
    if (!phi) continue;
    auto& wide = llvm::cast<llvm::PHINode>(*whole_.lookup(phi));
    for (const auto [value, from] : llvm::zip(phi->incoming_values(), phi->blocks()))
      wide.addIncoming(whole(*value), from);
  }
  for (llvm::Instruction* mask : masks_) replaceUses(*mask);
  for (llvm::Instruction* mask : masks_) {
    if (!goes(*mask)) continue;
    mask->replaceAllUsesWith(llvm::PoisonValue::get(mask->getType()));  // of others that go
    mask->eraseFromParent();
  }
  return !masks_.empty();
}

}  // namespace

llvm::PreservedAnalyses WholeMasksPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!registerBits) return llvm::PreservedAnalyses::all();
  const bool dropped = dropSelections(function);
  if (!WholeMasks(registerBits).run(function) && !dropped) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace clarity::compiler
