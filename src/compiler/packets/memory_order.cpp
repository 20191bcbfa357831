// SPDX-License-Identifier: Apache-2.0
// This file follows members back to where they were loaded, and computes on the way forward again what was done to
// them.
#include "compiler/packets/memory_order.h"

#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

namespace clarity::compiler {
namespace {

/// Whether an instruction treats every element of its vectors alike.
bool isElementwise(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    const llvm::Function* callee = call->getCalledFunction();
    if (!callee || !call->doesNotAccessMemory() || call->hasOperandBundles()) return false;
    return !callee->isIntrinsic() || llvm::isTriviallyVectorizable(callee->getIntrinsicID());
  }
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst, llvm::SelectInst, llvm::CastInst,
                   llvm::FreezeInst>(instruction);
}

bool isVectorOf(const llvm::Type& type, unsigned lanes) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector && vector->getNumElements() == lanes;
}

}  // namespace

void MemoryOrder::know(llvm::ArrayRef<llvm::Value*> members, llvm::ArrayRef<llvm::Value*> parts) {
  for (unsigned i = 0; i < members.size(); ++i) member_[members[i]] = {static_cast<unsigned>(loaded_.size()), i};
  loaded_.emplace_back(parts.begin(), parts.end());
}

void MemoryOrder::forget() {
  loaded_.clear();
  member_.clear();
}

llvm::SmallVector<llvm::Value*, 4> MemoryOrder::partsOf(llvm::ArrayRef<llvm::Value*> members) {
  if (loaded_.empty()) return {};
  sources_.clear();
  made_.clear();
  shuffles_ = 0;
  const unsigned source = find(members, 0);
  const auto count = static_cast<unsigned>(members.size());
  const bool fromMemory = llvm::any_of(sources_, [](const Source& s) { return s.kind == Source::Known; });
  if (source == none || !fromMemory || shuffles_ > count * llvm::Log2_32_Ceil(count)) return {};
  made_.resize(sources_.size());
  return make(source);
}

// --- finding ---------------------------------------------------------------------------------------------------------

unsigned MemoryOrder::find(llvm::ArrayRef<llvm::Value*> members, unsigned depth) {
  for (unsigned i = 0; i < sources_.size(); ++i)
    if (llvm::ArrayRef<llvm::Value*>(sources_[i].members) == members) return i;
  if (depth > cost::mostMemoryOrderDepth || sources_.size() >= cost::mostMemoryOrderSources ||
      !isVectorOf(*members[0]->getType(), lanes_))
    return none;
  Source source;
  source.members.assign(members.begin(), members.end());
  if (acrossBlocks_ && llvm::isa<llvm::PHINode>(members[0]) && !llvm::all_equal(members))
    return findPhi(std::move(source), depth);
  const bool splats =
      llvm::all_of(members, [](const llvm::Value* member) { return llvm::getSplatValue(member) != nullptr; });
  if (splats) {
    const bool same = llvm::all_of(members, [&](const llvm::Value* member) {
      return llvm::getSplatValue(member) == llvm::getSplatValue(members[0]);
    });
    if (!same && lanes_ % members.size() != 0) return none;
    source.kind = same ? Source::Same : Source::Scalars;
    if (!same && acrossBlocks_ && !llvm::all_of(members, llvm::IsaPred<llvm::Constant>)) ++shuffles_;
  } else if (!findKnown(source)) {
    if (!llvm::all_equal(members)) return findComputed(std::move(source), depth);
    if (lanes_ % members.size() != 0) return none;
    source.kind = Source::Repeated;
    shuffles_ += static_cast<unsigned>(members.size());
  }
  sources_.push_back(std::move(source));
  return static_cast<unsigned>(sources_.size() - 1);
}

/// Members of one load, in whatever order.
bool MemoryOrder::findKnown(Source& source) {
  const auto first = member_.find(source.members[0]);
  if (first == member_.end() || loaded_[first->second.first].size() != source.members.size()) return false;
  source.inOrder = true;
  for (unsigned i = 0; i < source.members.size(); ++i) {
    const auto known = member_.find(source.members[i]);
    if (known == member_.end() || known->second.first != first->second.first) return false;
    source.order.push_back(known->second.second);
    source.inOrder &= known->second.second == i;
  }
  if (!source.inOrder && lanes_ % source.members.size() != 0) return false;
  source.kind = Source::Known;
  source.known = first->second.first;
  if (!source.inOrder) shuffles_ += static_cast<unsigned>(source.members.size());
  return true;
}

unsigned MemoryOrder::findComputed(Source source, unsigned depth) {
  auto* first = llvm::dyn_cast<llvm::Instruction>(source.members[0]);
  if (!first || !isElementwise(*first)) return none;
  for (llvm::Value* member : source.members) {
    auto* other = llvm::dyn_cast<llvm::Instruction>(member);
    if (!other || !first->isSameOperationAs(other)) return none;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(first);
        call && call->getCalledFunction() != llvm::cast<llvm::CallInst>(other)->getCalledFunction())
      return none;
  }
  source.kind = Source::Computed;
  const unsigned operands =
      llvm::isa<llvm::CallInst>(first) ? llvm::cast<llvm::CallInst>(first)->arg_size() : first->getNumOperands();
  const auto index = static_cast<unsigned>(sources_.size());
  const Values members = source.members;
  sources_.push_back(std::move(source));  // before the way around a loop leads here again
  for (unsigned i = 0; i < operands; ++i) {
    Values tuple;
    for (llvm::Value* member : members) tuple.push_back(llvm::cast<llvm::Instruction>(member)->getOperand(i));
    unsigned operand = none;
    if (tuple[0]->getType()->isVectorTy()) {
      operand = find(tuple, depth + 1);
      if (operand == none) return none;
    } else if (!llvm::all_equal(tuple)) {
      return none;
    }
    sources_[index].operands.push_back(operand);
  }
  return index;
}

unsigned MemoryOrder::findPhi(Source source, unsigned depth) {
  const auto* first = llvm::cast<llvm::PHINode>(source.members[0]);
  for (llvm::Value* member : source.members) {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(member);
    if (!phi || phi->getParent() != first->getParent()) return none;
  }
  source.kind = Source::Phi;
  const auto index = static_cast<unsigned>(sources_.size());
  const Values members = source.members;
  sources_.push_back(std::move(source));
  for (const llvm::BasicBlock* from : first->blocks()) {
    Values tuple;
    for (llvm::Value* member : members)
      tuple.push_back(llvm::cast<llvm::PHINode>(member)->getIncomingValueForBlock(from));
    const unsigned incoming = find(tuple, depth + 1);
    if (incoming == none) return none;
    sources_[index].operands.push_back(incoming);
  }
  return index;
}

// --- making ----------------------------------------------------------------------------------------------------------

MemoryOrder::Values MemoryOrder::make(unsigned index) {
  if (!made_[index].empty()) return made_[index];
  const Source& source = sources_[index];
  Values parts;
  switch (source.kind) {
    case Source::Same: parts.assign(source.members.size(), source.members[0]); break;
    case Source::Known: parts = makeKnown(source); break;
    case Source::Scalars: parts = makeScalars(source); break;
    case Source::Repeated: parts = makeRepeated(source); break;
    case Source::Computed: return makeComputed(index);
    case Source::Phi: return makePhi(index);
  }
  return made_[index] = parts;
}

void MemoryOrder::placeBehind(llvm::ArrayRef<llvm::Value*> values) {
  if (!acrossBlocks_) return;
  llvm::Instruction* last = nullptr;
  for (llvm::Value* value : values)
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(value))
      if (!last || last->comesBefore(instruction)) last = instruction;
  if (last) builder_.SetInsertPoint(*last->getInsertionPointAfterDef());
}

MemoryOrder::Values MemoryOrder::makeKnown(const Source& source) {
  Values parts = loaded_[source.known];
  if (source.inOrder) return parts;
  placeBehind(parts);
  const auto count = static_cast<unsigned>(source.members.size());
  llvm::SmallVector<int, 16> from;
  for (unsigned i = 0; i < lanes_; ++i) from.push_back(static_cast<int>(i / count * count + source.order[i % count]));
  for (llvm::Value*& part : parts) part = builder_.CreateShuffleVector(part, from);
  return parts;
}

MemoryOrder::Values MemoryOrder::makeScalars(const Source& source) {
  const auto count = static_cast<unsigned>(source.members.size());
  llvm::Type* element = source.members[0]->getType()->getScalarType();
  placeBehind(source.members);
  llvm::Value* once = llvm::PoisonValue::get(llvm::FixedVectorType::get(element, count));
  for (unsigned i = 0; i < count; ++i)
    once = builder_.CreateInsertElement(once, const_cast<llvm::Value*>(llvm::getSplatValue(source.members[i])), i);
  llvm::SmallVector<int, 16> from;
  for (unsigned i = 0; i < lanes_; ++i) from.push_back(static_cast<int>(i % count));
  return Values(count, builder_.CreateShuffleVector(once, from));
}

MemoryOrder::Values MemoryOrder::makeRepeated(const Source& source) {
  const auto count = static_cast<unsigned>(source.members.size());
  placeBehind(source.members);
  Values parts;
  for (unsigned part = 0; part < count; ++part) {
    llvm::SmallVector<int, 16> from;
    for (unsigned i = 0; i < lanes_; ++i) from.push_back(static_cast<int>((part * lanes_ + i) / count));
    parts.push_back(builder_.CreateShuffleVector(source.members[0], from));
  }
  return parts;
}

MemoryOrder::Values MemoryOrder::makeComputed(unsigned index) {
  llvm::SmallVector<Values, 3> operands;
  for (const unsigned operand : sources_[index].operands)
    operands.push_back(operand == none ? Values() : make(operand));
  if (!made_[index].empty()) return made_[index];  // the way around a loop has led here
  const Values& members = sources_[index].members;
  placeBehind(members);
  Values parts;
  for (unsigned part = 0; part < members.size(); ++part) {
    llvm::Instruction* made = llvm::cast<llvm::Instruction>(members[0])->clone();
    for (llvm::Value* member : members) made->andIRFlags(member);
    for (unsigned i = 0; i < operands.size(); ++i)
      if (!operands[i].empty()) made->setOperand(i, operands[i][part]);
    parts.push_back(builder_.Insert(made));
  }
  return made_[index] = parts;
}

MemoryOrder::Values MemoryOrder::makePhi(unsigned index) {
  const Values members = sources_[index].members;
  auto* first = llvm::cast<llvm::PHINode>(members[0]);
  Values parts;
  for (unsigned part = 0; part < members.size(); ++part)
    parts.push_back(llvm::PHINode::Create(first->getType(), first->getNumIncomingValues(), first->getName(),
                                          first->getParent()->begin()));
  made_[index] = parts;
  for (unsigned i = 0; i < first->getNumIncomingValues(); ++i) {
    const Values incoming = make(sources_[index].operands[i]);
    for (unsigned part = 0; part < members.size(); ++part)
      llvm::cast<llvm::PHINode>(parts[part])->addIncoming(incoming[part], first->getIncomingBlock(i));
  }
  return parts;
}

}  // namespace clarity::compiler
