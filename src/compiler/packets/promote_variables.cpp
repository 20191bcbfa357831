// SPDX-License-Identifier: Apache-2.0
// This file walks from the loads of a variable back to its stores, and joins what meets on the way.
#include "compiler/packets/promote_variables.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

namespace clarity::compiler {
namespace {

class Promoter {
public:
  explicit Promoter(llvm::Function& function) : dominators_(function), loops_(dominators_) {
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
      number_[block] = static_cast<unsigned>(blocks_.size());
      blocks_.push_back(block);
    }
    predecessors_.resize(blocks_.size());
    for (unsigned i = 0; i < blocks_.size(); ++i) {
      for (const llvm::BasicBlock* predecessor : llvm::predecessors(blocks_[i]))
        predecessors_[i].push_back(number_[predecessor]);
      llvm::sort(predecessors_[i]);
    }
    live_.resize(blocks_.size());
    defined_.resize(blocks_.size());
    incoming_.resize(blocks_.size());
    outgoing_.resize(blocks_.size());
  }

  void run(llvm::ArrayRef<RunVariables> runs) {
    for (const RunVariables& run : runs)
      for (llvm::AllocaInst* variable : run.variables) {
        index_[variable] = static_cast<unsigned>(variables_.size());
        variables_.push_back({.place = variable, .begin = number_[run.begin]});
      }
    for (unsigned i = 0; i < blocks_.size(); ++i) readBlock(i);
    for (Variable& variable : variables_) join(variable);
    finish();
  }

private:
  struct Variable {
    llvm::AllocaInst* place;
    unsigned begin;                                             ///< the run's first block
    std::vector<std::pair<unsigned, llvm::Value*>> stores{};    ///< by block: what the last one leaves
    std::vector<std::pair<unsigned, llvm::LoadInst*>> loads{};  ///< by block: the first, ahead of any store
    unsigned block = ~0u;                                       ///< last block that was read
    llvm::Value* known = nullptr;                               ///< there
  };

  Variable* variableOf(llvm::Value* pointer) {
    const auto* place = llvm::dyn_cast<llvm::AllocaInst>(pointer);
    const auto known = place ? index_.find(place) : index_.end();
    return known == index_.end() ? nullptr : &variables_[known->second];
  }

  /// Replaces variables inside one block, and notes what is left for others.
  void readBlock(unsigned number) {
    for (llvm::Instruction& instruction : *blocks_[number]) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        Variable* variable = variableOf(load->getPointerOperand());
        if (!variable) continue;
        if (variable->block == number) {
          replaced_.emplace_back(load, variable->known);
          continue;
        }
        variable->block = number;
        variable->known = load;
        variable->loads.emplace_back(number, load);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        Variable* variable = variableOf(store->getPointerOperand());
        if (!variable) continue;
        if (variable->stores.empty() || variable->stores.back().first != number)
          variable->stores.emplace_back(number, nullptr);
        variable->block = number;
        variable->known = variable->stores.back().second = store->getValueOperand();
        stores_.push_back(store);
      }
    }
  }

  /// The first block that what is stored in a block can come to: loops inside the run lead back to their heads.
  unsigned earliestFrom(unsigned number, const llvm::BasicBlock* begin) const {
    unsigned earliest = number;
    for (const llvm::Loop* loop = loops_.getLoopFor(blocks_[number]); loop && !loop->contains(begin);
         loop = loop->getParentLoop())
      earliest = number_.lookup(loop->getHeader());
    return earliest;
  }

  void join(Variable& variable) {
    if (variable.loads.empty()) return;
    ++round_;
    unsigned earliest = ~0u;
    for (const auto& [block, value] : variable.stores) {
      defined_[block] = round_;
      outgoing_[block] = value;
      earliest = std::min(earliest, earliestFrom(block, blocks_[variable.begin]));
    }
    // Blocks at whose beginning the variable holds a value that a load may still read.
    std::vector<unsigned> live;
    const auto needs = [&](unsigned block) {
      if (live_[block] == round_) return;
      live_[block] = round_;
      live.push_back(block);
    };
    const auto isEmpty = [&](unsigned block) { return block == variable.begin || block < earliest; };
    for (const auto& [block, load] : variable.loads) needs(block);
    for (std::size_t i = 0; i < live.size(); ++i)
      if (!isEmpty(live[i]))
        for (const unsigned predecessor : predecessors_[live[i]])
          if (defined_[predecessor] != round_) needs(predecessor);
    std::ranges::sort(live);

    llvm::Type* type = variable.place->getAllocatedType();
    std::vector<std::pair<unsigned, llvm::PHINode*>> phis;
    for (const unsigned block : live) {
      llvm::Value* value = isEmpty(block) ? llvm::PoisonValue::get(type) : onlyValueInto(block);
      if (!value) {
        auto* phi = llvm::PHINode::Create(type, static_cast<unsigned>(predecessors_[block].size()),
                                          variable.place->getName(), blocks_[block]->begin());
        phis.emplace_back(block, phi);
        value = phi;
      }
      incoming_[block] = value;
    }
    for (const auto& [block, phi] : phis)
      for (const unsigned predecessor : predecessors_[block])
        phi->addIncoming(outOf(predecessor), blocks_[predecessor]);
    for (const auto& [block, load] : variable.loads) replaced_.emplace_back(load, incoming_[block]);
    for (const auto& [block, phi] : phis) phis_.push_back(phi);
  }

  llvm::Value* outOf(unsigned block) const { return defined_[block] == round_ ? outgoing_[block] : incoming_[block]; }

  /// The only value that comes into a block on every way, or nullptr: then values meet there, or come back from blocks
  /// behind.
  llvm::Value* onlyValueInto(unsigned block) const {
    llvm::Value* only = nullptr;
    for (const unsigned predecessor : predecessors_[block]) {
      if (predecessor >= block && defined_[predecessor] != round_) return nullptr;
      llvm::Value* value = outOf(predecessor);
      if (only && only != value) return nullptr;
      only = value;
    }
    return only;
  }

  void finish() {
    for (auto& [load, value] : replaced_) load->replaceAllUsesWith(value);
    for (auto& [load, value] : replaced_) load->eraseFromParent();
    for (llvm::StoreInst* store : stores_) store->eraseFromParent();
    // Heads of loops in which nothing new is stored: from the inside out, then from the outside in. LLVM finds the
    // rest.
    const auto removeTrivial = [](llvm::PHINode*& phi) {
      llvm::Value* same = phi ? phi->hasConstantValue() : nullptr;
      if (!same) return;
      phi->replaceAllUsesWith(same);
      phi->eraseFromParent();
      phi = nullptr;
    };
    std::ranges::for_each(phis_ | std::views::reverse, removeTrivial);
    std::ranges::for_each(phis_, removeTrivial);
    for (const Variable& variable : variables_) variable.place->eraseFromParent();
  }

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::vector<llvm::BasicBlock*> blocks_;  ///< every one behind those that lead to it, but for loops
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> number_;
  std::vector<llvm::SmallVector<unsigned, 2>> predecessors_;
  std::vector<Variable> variables_;
  llvm::DenseMap<const llvm::AllocaInst*, unsigned> index_;

  unsigned round_ = 0;  ///< the variable that the following speak of
  std::vector<unsigned> live_, defined_;
  std::vector<llvm::Value*> incoming_, outgoing_;

  std::vector<std::pair<llvm::LoadInst*, llvm::WeakTrackingVH>> replaced_;
  std::vector<llvm::StoreInst*> stores_;
  std::vector<llvm::PHINode*> phis_;
};

}  // namespace

void promoteVariables(llvm::Function& function, llvm::ArrayRef<RunVariables> runs) { Promoter(function).run(runs); }

}  // namespace clarity::compiler
