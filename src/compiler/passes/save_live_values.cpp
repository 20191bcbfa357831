// SPDX-License-Identifier: Apache-2.0
// This file decides for each value that is live across a barrier whether to rematerialise or to spill it.
#include "compiler/passes/save_live_values.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"

#include <fmt/format.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallBitVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace clarity::compiler {
namespace {

std::string quoted(std::string_view name) { return name.empty() ? "a value" : fmt::format("'{}'", name); }

std::string sizeText(std::uint64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

class LiveValueSpiller {
public:
  LiveValueSpiller(llvm::Function& function, const VarianceInfo& variance, const BarrierRegions& regions)
      : function_(function), variance_(variance), regions_(regions), dominators_(function) {}

  bool run() {
    if (regions_.regions().size() < 2) return false;
    for (const Region& region : regions_.regions()) heads_.insert(region.head);
    for (unsigned region = 0; region < regions_.regions().size(); ++region) coalescePhis(region);
    for (const Region& region : regions_.regions()) replacePhis(*region.head);
    for (const Region& region : regions_.regions()) {
      // Behind the loads that replace phis, ahead of every possible use.
      auto first = region.head->getFirstInsertionPt();
      while (isUniformLoad_.contains(&*first)) ++first;
      copiesBefore_.push_back(&*first);
      llvm::copy_if(region.blocks, std::back_inserter(leaving_.emplace_back()),
                    [&](const llvm::BasicBlock* block) { return leavesRegion(*block); });
    }
    for (const auto& [value, slot] : coalescedSlot_) spill(*value);
    for (llvm::Instruction* value : crossingValues()) makeAvailable(*value);
    for (llvm::AllocaInst* slot : booleanSlots_) widenToBytes(*slot);
    const auto mark = llvm::MDNode::get(function_.getContext(), {});
    for (const Region& region : regions_.regions()) region.head->getTerminator()->setMetadata(regionHeadMetadata, mark);
    return true;
  }

private:
  llvm::AllocaInst* makeSlot(llvm::Type* type, bool uniform, const llvm::Twine& name) {
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* slot = builder.CreateAlloca(type, nullptr, name);
    if (uniform) slot->setMetadata(uniformSlotMetadata, llvm::MDNode::get(function_.getContext(), {}));
    if (type->isIntOrIntVectorTy(1) && (type->isVectorTy() || !uniform)) booleanSlots_.push_back(slot);
    return slot;
  }

  /// Gives each i1 a byte: the scalarizer splits accesses to memory by the addresses of elements, and packets store
  /// those of neighbouring work-items side by side; bits have no addresses.
  static void widenToBytes(llvm::AllocaInst& slot) {
    llvm::Type* booleans = slot.getAllocatedType();
    llvm::IRBuilder<> builder(&slot);
    llvm::Type* bytes = booleans->getWithNewType(builder.getInt8Ty());  // of a scalar the type itself
    llvm::AllocaInst* wide = builder.CreateAlloca(bytes);
    wide->takeName(&slot);
    wide->copyMetadata(slot);
    for (llvm::User* user : llvm::make_early_inc_range(slot.users())) {
      auto* access = llvm::cast<llvm::Instruction>(user);
      builder.SetInsertPoint(access);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(access)) {
        builder.CreateStore(builder.CreateZExt(store->getValueOperand(), bytes), wide);
      } else {
        llvm::Value* boolean = builder.CreateTrunc(builder.CreateLoad(bytes, wide), booleans);
        boolean->takeName(access);
        access->replaceAllUsesWith(boolean);
      }
      access->eraseFromParent();
    }
    slot.eraseFromParent();
  }

  /// Regions that may run after the region `from` and before the region `until`.
  llvm::SmallBitVector reachable(unsigned from, unsigned until) const {
    llvm::SmallBitVector seen(static_cast<unsigned>(regions_.regions().size()));
    llvm::SmallVector<unsigned, 8> work(llvm::ArrayRef(regions_.regions()[from].next));
    while (!work.empty()) {
      const unsigned region = work.pop_back_val();
      if (region == until || seen.test(region)) continue;
      seen.set(region);
      work.append(regions_.regions()[region].next.begin(), regions_.regions()[region].next.end());
    }
    return seen;
  }

  /// Coalesces slots: the value that a phi gets from the latch of a loop shares the slot of the phi if their live
  /// ranges do not overlap, so that no copy is needed at the end of an iteration.
  void coalescePhis(unsigned region) {
    const llvm::BasicBlock& head = *regions_.regions()[region].head;
    for (const llvm::PHINode& phi : head.phis()) {
      if (isUniformInRegion(phi)) continue;
      for (llvm::Value* incoming : phi.incoming_values()) {
        auto* next = llvm::dyn_cast<llvm::Instruction>(incoming);
        if (!next || llvm::isa<llvm::AllocaInst>(next) || coalesced_.contains(next) || isUniformInRegion(*next))
          continue;
        if (!dominators_.dominates(&head, next->getParent())) continue;
        if (llvm::isa<llvm::PHINode>(next) && regions_.regions()[regionOf(*next)].head == next->getParent())
          continue;  // has its own slot
        if (canRematerialise(*next)) continue;
        const llvm::SmallBitVector later = reachable(regionOf(*next), region);
        const bool overlap = llvm::any_of(phi.uses(), [&](const llvm::Use& use) {
          const auto at = regions_.regionOf(blockOfUse(use));
          return at && later.test(*at);
        });
        if (!overlap) {
          coalesced_[next] = &phi;
          break;
        }
      }
    }
  }

  /// Remembers for the report which variable has the slot and why it is spilled.
  void noteReason(llvm::AllocaInst& slot, const llvm::Instruction& value, std::string_view why) {
    if (!wantsRemarks(function_)) return;
    slot.setMetadata(variableMetadata, variableNode(value, why));
    const unsigned line = lineOfVariable(value);
    const std::string name = variableName(value);
    if (slot.getMetadata(uniformSlotMetadata) && (line || !name.empty()))
      remark(function_, {line}, RemarkKind::Spill,
             fmt::format("{} spilled across the barrier, once for the work-group: it {}", quoted(name), why));
  }

  /// Why a value is not rematerialised.
  std::string whySpilled(const llvm::Instruction& value) const {
    unsigned visited = 0;
    llvm::SmallVector<const llvm::Instruction*, 16> work{&value};
    while (!work.empty() && visited++ < cost::mostVaryingOfVarying + cost::mostUniformOfVarying) {
      const llvm::Instruction* next = work.pop_back_val();
      if (llvm::isa<llvm::PHINode>(next) || isUniformLoad_.contains(next))
        return regions_.regions()[regionOf(*next)].inCycle ? "is carried around a loop"
                                                           : "depends on the branches taken";
      if (llvm::isa<llvm::LoadInst>(next)) return "is loaded from memory, which may change";
      if (!isCheap(*next)) return "is too expensive to compute again";
      for (const llvm::Use& operand : next->operands())
        if (const auto* from = llvm::dyn_cast<llvm::Instruction>(operand); from && !llvm::isa<llvm::AllocaInst>(from))
          work.push_back(from);
    }
    return "takes too many instructions to compute again";
  }

  void replacePhis(llvm::BasicBlock& head) {
    while (auto* phi = llvm::dyn_cast<llvm::PHINode>(&head.front())) {
      const bool uniform = isUniform(*phi);  // work-items that have left a loop keep what they had
      llvm::AllocaInst* slot = makeSlot(phi->getType(), uniform, phi->getName() + ".in");
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        auto* value = llvm::dyn_cast<llvm::Instruction>(phi->getIncomingValue(i));
        if (value && coalesced_.lookup(value) == phi)
          coalescedSlot_[value] = slot;
        else if (!llvm::isa<llvm::UndefValue>(phi->getIncomingValue(i)))
          llvm::IRBuilder<>(phi->getIncomingBlock(i)->getTerminator()).CreateStore(phi->getIncomingValue(i), slot);
      }
      llvm::IRBuilder<> builder(&head, head.getFirstInsertionPt());
      llvm::LoadInst* load = builder.CreateLoad(phi->getType(), slot, phi->getName());
      isUniformLoad_[load] = uniform;
      phiSlot_[load] = slot;
      noteReason(*slot, *phi,
                 regions_.regions()[*regions_.regionOf(head)].inCycle ? "is carried around a loop"
                                                                      : "depends on the branches taken");
      phi->replaceAllUsesWith(load);
      phi->eraseFromParent();
    }
  }

  /// Whether all work-items have the same value where it is computed. An address of private memory counts as varying,
  /// although the analysis calls it uniform: it stands for an address of its own in each work-item.
  bool isUniformInRegion(const llvm::Instruction& value) const {
    return variance_.uniform(value) && !variance_.privateAddress(value);
  }

  /// Whether they also have the same value in other regions, so that one slot for the work-group is enough.
  bool isUniform(const llvm::Instruction& value) const {
    // The analysis has no results for loads that this pass has inserted.
    const auto inserted = isUniformLoad_.find(&value);
    if (inserted != isUniformLoad_.end()) return inserted->second;
    return isUniformInRegion(value) && variance_.uniformEverywhere(value);
  }

  unsigned regionOf(const llvm::Instruction& instruction) const {
    return regions_.regionOf(*instruction.getParent()).value_or(0);
  }

  static const llvm::BasicBlock& blockOfUse(const llvm::Use& use) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) return *phi->getIncomingBlock(use);
    return *user->getParent();
  }

  llvm::SmallVector<llvm::Instruction*, 16> crossingValues() const {
    llvm::SmallVector<llvm::Instruction*, 16> result;
    for (llvm::Instruction& value : llvm::instructions(function_)) {
      if (llvm::isa<llvm::AllocaInst>(value)) continue;  // WorkItemLoopsPass lays this memory out
      const auto home = regions_.regionOf(*value.getParent());
      if (llvm::any_of(value.uses(), [&](const llvm::Use& use) { return regions_.regionOf(blockOfUse(use)) != home; }))
        result.push_back(&value);
    }
    return result;
  }

  /// Gives every other region that uses the value a copy of its own, rematerialised or loaded.
  void makeAvailable(llvm::Instruction& value) {
    llvm::MapVector<unsigned, llvm::SmallVector<llvm::Use*, 4>> usesByRegion;
    const unsigned home = regionOf(value);
    for (llvm::Use& use : value.uses())
      if (const unsigned region = regions_.regionOf(blockOfUse(use)).value_or(home); region != home)
        usesByRegion[region].push_back(&use);
    if (usesByRegion.empty()) return;
    const bool isRematerialised = !coalescedSlot_.contains(&value) && canRematerialise(value);
    for (auto& [region, uses] : usesByRegion) {
      llvm::IRBuilder<> builder(copiesBefore_[region]);
      llvm::Value* copy;
      if (isRematerialised) {
        copy = rematerialise(value, region, builder);
      } else {
        copy = loadSpilled(value, builder);
      }
      for (llvm::Use* use : uses) use->set(copy);
    }
  }

  llvm::LoadInst* loadSpilled(llvm::Instruction& value, llvm::IRBuilder<>& builder) {
    llvm::AllocaInst* slot = coalescedSlot_.lookup(&value);
    if (!slot) slot = spilledSlot_.lookup(&value);
    if (!slot) slot = spilledSlot_[&value] = spill(value);
    llvm::LoadInst* load = builder.CreateLoad(value.getType(), slot, value.getName());
    isUniformLoad_[load] = isUniform(value);
    return load;
  }

  /// Stores the value at the exits of its region, not at the definition: inside loops of the region it stays in a
  /// register. No use is reachable from an exit that the definition does not dominate.
  llvm::AllocaInst* spill(llvm::Instruction& value) {
    // The slot of a demoted phi keeps its value until the head is entered again: no edge into a head is critical, so no
    // block stores to the slot and then branches elsewhere.
    if (const auto slot = phiSlot_.find(&value); slot != phiSlot_.end() && !isUniform(value)) return slot->second;
    llvm::AllocaInst* slot = coalescedSlot_.lookup(&value);
    if (!slot) {
      slot = makeSlot(value.getType(), isUniform(value), value.getName() + ".spill");
      noteReason(*slot, value, whySpilled(value));
    }
    for (llvm::BasicBlock* block : leaving_[regionOf(value)])
      if (dominators_.dominates(value.getParent(), block))
        llvm::IRBuilder<>(block->getTerminator()).CreateStore(&value, slot);
    return slot;
  }

  bool leavesRegion(const llvm::BasicBlock& block) const {
    return llvm::any_of(llvm::successors(&block), [&](const llvm::BasicBlock* successor) {
      const auto next = regions_.regionOf(*successor);
      return next && regions_.regions()[*next].head == successor;
    });
  }

  /// Whether the instruction may be computed again: it depends on its operands only and takes a cycle or so.
  static bool isCheap(const llvm::Instruction& instruction) {
    if (const auto collective = collectiveOf(instruction, subGroupPrefix)) return collective->alone();
    if (const auto primitive = primitiveOf(instruction))
      return *primitive != Primitive::Barrier && !isFamily(*primitive);
    switch (instruction.getOpcode()) {
      case llvm::Instruction::UDiv:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::URem:
      case llvm::Instruction::SRem: return false;
      case llvm::Instruction::GetElementPtr:
      case llvm::Instruction::ICmp:
      case llvm::Instruction::Select:
      case llvm::Instruction::Freeze: return true;
      default: return instruction.isCast() || (instruction.isBinaryOp() && instruction.getType()->isIntOrIntVectorTy());
    }
  }

  /// Instructions that compute a value. Uniform ones cost less: they run ahead of the loops over work-items.
  struct Count {
    unsigned varying = 0, uniform = 0;
  };

  /// Whether it is known by how much neighbours along x differ, which a load from a slot would hide.
  bool isAffine(const llvm::Instruction& value) const { return variance_.of(value).stride[0].has_value(); }

  bool canRematerialise(const llvm::Instruction& value) const {
    Count count;
    const Count most = isUniform(value) ? Count{.varying = 0, .uniform = cost::mostUniformOfUniform}
                       : isAffine(value)
                           ? Count{.varying = cost::mostVaryingOfAffine, .uniform = cost::mostUniformOfAffine}
                           : Count{.varying = cost::mostVaryingOfVarying, .uniform = cost::mostUniformOfVarying};
    return canRematerialise(value, most, count);
  }

  /// Whether a work-item comes to an instruction no more than once in its region. In a loop that work-items leave in
  /// different iterations, what all have the same in each is no longer the same behind it.
  bool runsOnce(const llvm::Instruction& instruction) const {
    auto* own = const_cast<llvm::BasicBlock*>(instruction.getParent());
    llvm::SmallVector<llvm::BasicBlock*, 8> next(llvm::successors(own));
    return heads_.contains(own) || !llvm::isPotentiallyReachableFromMany(next, own, &heads_);
  }

  /// Values of the work-group that a varying value needs may be spilled: they are spilled once.
  bool canRematerialise(const llvm::Value& value, const Count& most, Count& count) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || llvm::isa<llvm::AllocaInst>(instruction)) return true;
    if (isUniform(*instruction) ? ++count.uniform > most.uniform : ++count.varying > most.varying) return false;
    if (!isCheap(*instruction)) return most.varying > 0 && isUniform(*instruction) && runsOnce(*instruction);
    return llvm::all_of(instruction->operands(), [&](const llvm::Use& operand) {
      return llvm::isa<llvm::Function>(operand) || canRematerialise(*operand, most, count);
    });
  }

  llvm::Value* rematerialise(llvm::Value& value, unsigned region, llvm::IRBuilder<>& builder) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || llvm::isa<llvm::AllocaInst>(instruction)) return &value;
    llvm::Value*& copy = copies_[{instruction, region}];
    if (copy) return copy;
    if (!isCheap(*instruction)) return copy = loadSpilled(*instruction, builder);
    llvm::Instruction* clone = instruction->clone();
    for (llvm::Use& operand : clone->operands()) operand.set(rematerialise(*operand, region, builder));
    builder.Insert(clone, instruction->getName());
    return copies_[{instruction, region}] = clone;
  }

  llvm::Function& function_;
  const VarianceInfo& variance_;
  const BarrierRegions& regions_;
  llvm::SmallVector<llvm::Instruction*, 8> copiesBefore_;  ///< by region: copies are inserted before this instruction
  llvm::SmallVector<llvm::SmallVector<llvm::BasicBlock*, 4>, 8> leaving_;  ///< by region: blocks that branch to another
  llvm::DenseMap<std::pair<llvm::Instruction*, unsigned>, llvm::Value*> copies_;
  llvm::DenseMap<const llvm::Instruction*, bool> isUniformLoad_;              ///< loads that this pass has inserted
  llvm::SmallVector<llvm::AllocaInst*, 4> booleanSlots_;                      ///< slots of i1, and of vectors of it
  llvm::DenseMap<const llvm::Instruction*, llvm::AllocaInst*> phiSlot_;       ///< slots of loads that replace phis
  llvm::DenseMap<const llvm::Instruction*, const llvm::PHINode*> coalesced_;  ///< values that share the slot of a phi
  llvm::MapVector<llvm::Instruction*, llvm::AllocaInst*> coalescedSlot_;      ///< the slots that they share
  llvm::DenseMap<const llvm::Instruction*, llvm::AllocaInst*> spilledSlot_;   ///< the slots of other values
  llvm::SmallPtrSet<llvm::BasicBlock*, 8> heads_;                             ///< heads of regions
  llvm::DominatorTree dominators_;
};

}  // namespace

void remarkSpill(llvm::AllocaInst& slot, std::uint64_t bytes) {
  llvm::Function& function = *slot.getFunction();
  if (!wantsRemarks(function)) return;
  if (const llvm::MDNode* known = slot.getMetadata(variableMetadata)) {
    const auto line =
        static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(known->getOperand(0))->getZExtValue());
    const auto text = [&](unsigned i) {
      return std::string_view(llvm::cast<llvm::MDString>(known->getOperand(i))->getString());
    };
    return remark(function, {line}, RemarkKind::Spill,
                  fmt::format("{} spilled across the barrier, {} per work-item: it {}", quoted(text(1)),
                              sizeText(bytes), text(2)));
  }
  if (llvm::any_of(slot.users(), [](const llvm::User* user) {
        return primitiveOf(*llvm::cast<llvm::Instruction>(user)) == Primitive::Collective;
      }))
    return remark(function, {}, RemarkKind::Spill,
                  fmt::format("operand of a work-group function spilled, {} per work-item", sizeText(bytes)));
  const std::string name = variableName(slot);
  const auto declared = llvm::findDVRDeclares(&slot);
  const unsigned line = declared.empty() ? 0 : declared.front()->getDebugLoc().getLine();
  llvm::LLVMContext& context = function.getContext();
  slot.setMetadata(variableMetadata, llvm::MDNode::get(context, {llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                                                                     llvm::Type::getInt32Ty(context), line)),
                                                                 llvm::MDString::get(context, name)}));
  remark(function, {line}, RemarkKind::Spill,
         fmt::format("{} spilled across the barrier, {} per work-item: it is used on both sides",
                     name.empty() ? "private memory" : "'" + name + "'", sizeText(bytes)));
}

llvm::PreservedAnalyses SaveLiveValuesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const VarianceInfo& variance = analyses.getResult<VarianceAnalysis>(function);
  const BarrierRegions& regions = analyses.getResult<BarrierRegionsAnalysis>(function);
  return LiveValueSpiller(function, variance, regions).run() ? llvm::PreservedAnalyses::none()
                                                             : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
