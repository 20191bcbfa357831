// SPDX-License-Identifier: Apache-2.0
// This file keeps what loops carry around in the order of memory, once variables are values.
#include "compiler/packets/member_shuffles.h"
#include "compiler/packets/memory_order.h"
#include "compiler/packets/weighted_region.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <set>

namespace clarity::compiler {
namespace {

/// Where a value is used, if only rarely: the block behind the rare side of a branch, in all ways to the use. It lies
/// behind the value. Accesses whose indices may wrap have such a side (PacketInstructions::wrapsAt).
llvm::BasicBlock* rareHeadOf(const llvm::Use& use, const llvm::DominatorTree& dominators) {
  const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
  const llvm::BasicBlock* before = llvm::cast<llvm::Instruction>(use.get())->getParent();
  if (llvm::isa<llvm::PHINode>(user)) return nullptr;
  for (const auto* node = dominators.getNode(user->getParent()); node; node = node->getIDom()) {
    llvm::BasicBlock* head = node->getBlock();
    if (head == before) return nullptr;
    const llvm::BasicBlock* from = head->getSinglePredecessor();
    if (from && WeightedRegion::rareSuccessor(*from->getTerminator()) == head) return head;
  }
  return nullptr;
}

/// The shuffles that make parts of members.
void collectShuffles(llvm::Value& value, llvm::SmallPtrSetImpl<const llvm::Value*>& members,
                     llvm::SmallPtrSetImpl<const llvm::Value*>& shuffles) {
  auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&value);
  if (!shuffle || members.contains(shuffle) || !shuffles.insert(shuffle).second) return;
  for (llvm::Value* operand : shuffle->operand_values()) collectShuffles(*operand, members, shuffles);
}

/// Whether an instruction can stand behind all of the values: they are in one block.
bool isInOneBlock(llvm::ArrayRef<llvm::Value*> values) {
  const llvm::BasicBlock* block = nullptr;
  for (const llvm::Value* value : values)
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value)) {
      if (block && block != instruction->getParent()) return false;
      block = instruction->getParent();
    } else if (!llvm::isa<llvm::Constant>(value)) {
      return false;
    }
  return true;
}

}  // namespace

void MemoryOrder::collect(unsigned index, llvm::SmallPtrSetImpl<const llvm::Value*>& replaced, Uses& uses) const {
  if (index == none || uses.visited[index]) return;
  uses.visited[index] = true;
  const Source& source = sources_[index];
  uses.fromMemory |= source.kind == Source::Known;
  uses.aroundLoops |= source.kind == Source::Phi;
  if (source.kind != Source::Computed && source.kind != Source::Phi) return;
  replaced.insert(source.members.begin(), source.members.end());
  for (const unsigned operand : source.operands) collect(operand, replaced, uses);
}

/// A store whose members are not to be shuffled.
struct MemoryOrder::Candidate {
  const MemberGroup* store;
  unsigned source;
  llvm::SmallPtrSet<const llvm::Value*, 32> replaced, shuffles;
};

/// Nothing if members of the store do not come around a loop from memory, or if shuffles would be left.
std::optional<MemoryOrder::Candidate> MemoryOrder::candidateOf(const MemberGroup& store) {
  Values members;
  for (const llvm::WeakTrackingVH& member : store.members) members.push_back(member);
  const std::size_t before = sources_.size();
  shuffles_ = 0;
  Candidate candidate{&store, find(members, 0), {}, {}};
  bool fits = candidate.source != none && shuffles_ == 0;
  if (fits) {
    Uses uses;
    uses.visited.resize(sources_.size());
    collect(candidate.source, candidate.replaced, uses);
    fits = uses.fromMemory && uses.aroundLoops;
    for (unsigned i = 0; i < sources_.size() && fits; ++i)
      fits = !uses.visited[i] || sources_[i].kind == Source::Same || isInOneBlock(sources_[i].members);
  }
  if (!fits) {
    sources_.resize(before);
    return std::nullopt;
  }
  llvm::SmallPtrSet<const llvm::Value*, 8> own(members.begin(), members.end());
  for (const llvm::WeakTrackingVH& part : store.parts) collectShuffles(*part, own, candidate.shuffles);
  return candidate;
}

/// Leaves those whose values nothing else uses often: it would need them in the order of lanes, and all would be
/// computed twice.
void MemoryOrder::dropShared(std::vector<Candidate>& candidates, const llvm::DominatorTree& dominators) {
  for (bool isStable = false; !isStable;) {
    llvm::SmallPtrSet<const llvm::Value*, 32> known;
    for (const Candidate& each : candidates) {
      known.insert(each.replaced.begin(), each.replaced.end());
      known.insert(each.shuffles.begin(), each.shuffles.end());
    }
    isStable = std::erase_if(candidates, [&](const Candidate& each) {
                 return llvm::any_of(each.replaced, [&](const llvm::Value* value) {
                   return llvm::any_of(value->uses(), [&](const llvm::Use& use) {
                     return !known.contains(use.getUser()) && !rareHeadOf(use, dominators);
                   });
                 });
               }) == 0;
  }
}

/// Shuffles the members from the parts where they are used rarely.
void MemoryOrder::shuffleWhereRare(unsigned index, const std::set<llvm::Instruction*>& dead,
                                   const llvm::DominatorTree& dominators) {
  const Source& source = sources_[index];
  if (source.kind != Source::Computed && source.kind != Source::Phi) return;
  llvm::DenseMap<llvm::BasicBlock*, Values> shuffled;
  for (unsigned i = 0; i < source.members.size(); ++i)
    for (llvm::Use& use : llvm::make_early_inc_range(source.members[i]->uses())) {
      if (dead.contains(llvm::cast<llvm::Instruction>(use.getUser()))) continue;
      llvm::BasicBlock* head = rareHeadOf(use, dominators);  // dropShared has left no other uses
      Values& members = shuffled[head];
      if (members.empty()) {
        builder_.SetInsertPoint(head->getFirstInsertionPt());
        members = membersOfParts(builder_, made_[index], lanes_);
      }
      use.set(members[i]);
    }
}

void MemoryOrder::keep(llvm::ArrayRef<const MemberGroup*> stores) {
  acrossBlocks_ = true;
  sources_.clear();
  made_.clear();
  std::vector<Candidate> candidates;
  for (const MemberGroup* store : stores)
    if (auto candidate = candidateOf(*store)) candidates.push_back(*std::move(candidate));
  if (candidates.empty()) return;
  auto* any = llvm::cast<llvm::Instruction>(const_cast<llvm::Value*>(*candidates[0].replaced.begin()));
  const llvm::DominatorTree dominators(*any->getFunction());
  dropShared(candidates, dominators);
  made_.resize(sources_.size());
  std::set<llvm::Instruction*> dead;
  for (const Candidate& each : candidates) {
    const Values parts = make(each.source);
    for (unsigned i = 0; i < parts.size(); ++i)
      llvm::cast<llvm::Value>(each.store->parts[i])->replaceAllUsesWith(parts[i]);
    for (const auto* values : {&each.replaced, &each.shuffles})
      for (const llvm::Value* value : *values)
        dead.insert(llvm::cast<llvm::Instruction>(const_cast<llvm::Value*>(value)));
  }
  for (unsigned i = 0; i < sources_.size(); ++i)
    if (!made_[i].empty()) shuffleWhereRare(i, dead, dominators);
  for (llvm::Instruction* instruction : dead) instruction->dropAllReferences();
  for (llvm::Instruction* instruction : dead) instruction->eraseFromParent();
}

void keepMemoryOrder(llvm::Function& function, llvm::ArrayRef<MemberGroup> groups) {
  std::set<unsigned> widths;
  for (const MemberGroup& group : groups)
    if (group.isStore) widths.insert(group.lanes);
  for (const unsigned lanes : widths) {
    llvm::IRBuilder<> builder(function.getContext());
    MemoryOrder order(builder, lanes);
    llvm::SmallVector<const MemberGroup*> stores;
    for (const MemberGroup& group : groups) {
      const bool isThere =
          llvm::all_of(group.members, [](const auto& handle) { return handle.pointsToAliveValue(); }) &&
          llvm::all_of(group.parts, [](const auto& handle) { return handle.pointsToAliveValue(); });
      if (group.lanes != lanes || !isThere) continue;
      if (group.isStore) {
        stores.push_back(&group);
        continue;
      }
      llvm::SmallVector<llvm::Value*, 4> members(group.members.begin(), group.members.end());
      llvm::SmallVector<llvm::Value*, 4> parts(group.parts.begin(), group.parts.end());
      order.know(members, parts);
    }
    order.keep(stores);
  }
}

}  // namespace clarity::compiler
