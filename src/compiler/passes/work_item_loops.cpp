// SPDX-License-Identifier: Apache-2.0
// This file turns a kernel into a function for a work-group: loops around regions, spilled variables, ids from
// counters.
#include "compiler/passes/work_item_loops.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/loop_properties.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/packets/choose_dimension.h"
#include "compiler/passes/save_live_values.h"
#include "compiler/transforms/barrier_checks.h"
#include "compiler/transforms/region_nests.h"
#include "compiler/transforms/region_order.h"
#include "compiler/transforms/scalar_nest_width.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallBitVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <array>
#include <cstdint>

namespace clarity::compiler {
namespace {

class WorkGroupBuilder {
public:
  WorkGroupBuilder(llvm::Function& function, const BarrierRegions& regions, llvm::ArrayRef<unsigned> lanes,
                   const llvm::SmallBitVector& once, unsigned along, WorkItemLoopsPass::Options options)
      : group_(function, {.groupAgnostic = options.groupAgnostic, .wideIds = options.wideIds}),
        nests_(group_, regions, along, once),
        checks_(group_, regions),
        order_(group_, nests_, regions, checks_),
        regions_(regions),
        lanes_(lanes) {}

  void run() {
    group_.makeEntry(regions_.regions().size() > 1);
    nests_.make();
    order_.redirectExits();
    placePrivateMemory();
    for (unsigned i = 0; i < nests_.size(); ++i) lowerRegion(i);
    checks_.reportRegions(nests_);
    order_.connect();
    markIndependent();
    group_.function().addFnAttr(spillBytesAttribute, std::to_string(nests_.spillBytes()));
  }

private:
  // --- private memory -----------------------------------------------------------------------------------------------

  /// Private variables of one run of one region share a place on the stack; those that other regions read, or the next
  /// run of the same region, have a place for each work-item in the spill area.
  void placePrivateMemory() {
    llvm::SmallVector<llvm::AllocaInst*, 16> slots;
    for (llvm::Instruction& instruction : group_.entry())
      if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          slot && slot != order_.choice() && !slot->getMetadata(uniformSlotMetadata))
        slots.push_back(slot);
    for (llvm::AllocaInst* slot : slots)
      if (regions_.outlivesRegion(*slot)) spillForEachItem(*slot);
  }

  void spillForEachItem(llvm::AllocaInst& slot) {
    const llvm::DataLayout& layout = group_.module().getDataLayout();
    const std::uint64_t bytes = llvm::alignTo(layout.getTypeAllocSize(slot.getAllocatedType()).getFixedValue() *
                                                  llvm::cast<llvm::ConstantInt>(slot.getArraySize())->getZExtValue(),
                                              slot.getAlign());
    const std::uint64_t offset = nests_.allocateRow(bytes);
    remarkSpill(slot, bytes);
    llvm::DenseMap<unsigned, llvm::Value*> places;
    for (llvm::Use& use : llvm::make_early_inc_range(slot.uses())) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
          intrinsic && intrinsic->isLifetimeStartOrEnd()) {
        user->eraseFromParent();
        continue;
      }
      if (primitiveOf(*user) == Primitive::Collective) {
        use.set(nests_.rowAhead(nests_[*regions_.regionOf(*user->getParent())], offset));
        continue;
      }
      const llvm::BasicBlock* block = user->getParent();
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) block = phi->getIncomingBlock(use);
      const unsigned region = regions_.regionOf(*block).value_or(0);
      llvm::Value*& place = places[region];
      if (!place) {
        nests_.rowOf(nests_[region]);
        llvm::IRBuilder<> builder(nests_[region].body->getTerminator());
        place = nests_.inRow(builder, nests_[region], offset, bytes);
        place->setName(slot.getName());
        if (llvm::MDNode* known = slot.getMetadata(variableMetadata))
          llvm::cast<llvm::Instruction>(place)->setMetadata(variableMetadata, known);
      }
      use.set(place);
    }
    slot.eraseFromParent();
  }

  // --- a region's instructions --------------------------------------------------------------------------------------

  void lowerRegion(unsigned index) {
    RegionNest& nest = nests_[index];
    for (llvm::BasicBlock* block : regions_.regions()[index].blocks)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
          const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand());
          // Read ahead of the loops: work-items of this run store the value for the next one.
          if (slot && slot->getMetadata(uniformSlotMetadata))
            load->moveBefore(nest.before->getTerminator()->getIterator());
          continue;
        }
        const auto primitive = primitiveOf(instruction);
        if (primitive == Primitive::SubGroup)
          lowerSubGroup(llvm::cast<llvm::CallInst>(instruction), nest);
        else if (primitive == Primitive::Collective)
          computeOnce(llvm::cast<llvm::CallInst>(instruction), nest);
        else if (primitive == Primitive::Barrier)
          instruction.eraseFromParent();  // values may be stored behind it
        else if (primitive == Primitive::LocalId || primitive == Primitive::GlobalId)
          lowerId(llvm::cast<llvm::CallInst>(instruction), *primitive, nest);
      }
  }

  /// The number of a work-item's sub-group follows from its linear id. Other queries are left to PacketsPass.
  void lowerSubGroup(llvm::CallInst& query, RegionNest& nest) {
    if (collectiveOf(query, subGroupPrefix)->kind != Collective::Kind::Id || query.arg_size() > 0) return;
    llvm::Value* item = nests_.rowOf(nest);
    llvm::IRBuilder<> builder(&query);
    llvm::FunctionCallee numbered = group_.module().getOrInsertFunction(
        (llvm::StringRef(subGroupPrefix) + "id_of").str(), group_.i32(), group_.i32());
    llvm::CallInst* id = builder.CreateCall(numbered, {builder.CreateTrunc(item, group_.i32())}, query.getName());
    id->setDoesNotAccessMemory();
    id->setDoesNotThrow();
    query.replaceAllUsesWith(id);
    query.eraseFromParent();
  }

  /// Values of the whole group are computed once, ahead of the region's loops.
  void computeOnce(llvm::CallInst& query, RegionNest& nest) {
    llvm::IRBuilder<> builder(nest.before->getTerminator());
    query.setArgOperand(1, group_.items(builder));
    query.moveBefore(nest.before->getTerminator()->getIterator());
  }

  void lowerId(llvm::CallInst& query, Primitive primitive, RegionNest& nest) {
    llvm::IRBuilder<> builder(&query);
    llvm::Value* id = nullptr;
    if (const auto d = dimensionOf(query)) {
      id = idOf(builder, primitive, *d, nest);
    } else {
      // A dimension that is only known when running: pick among the three.
      id = builder.getInt64(0);
      for (unsigned d = 0; d < 3; ++d)
        id = builder.CreateSelect(builder.CreateICmpEQ(query.getArgOperand(0), builder.getInt32(d)),
                                  idOf(builder, primitive, d, nest), id);
    }
    query.replaceAllUsesWith(id);
    query.eraseFromParent();
  }

  llvm::Value* idOf(llvm::IRBuilder<>& builder, Primitive primitive, unsigned d, RegionNest& nest) {
    llvm::Value* id = nests_.localId(nest, d);
    if (primitive == Primitive::GlobalId)
      id = builder.CreateAdd(group_.base(d), group_.interleaved() ? amongInterleaved(builder, d, nest) : id, "", true,
                             true);
    return builder.CreateZExt(id, group_.i64());
  }

  /// Interleaved work-groups, side by side along x, are counted by y.
  llvm::Value* amongInterleaved(llvm::IRBuilder<>& builder, unsigned d, RegionNest& nest) {
    if (d != 0) return llvm::ConstantInt::get(group_.counterType(), 0);
    return builder.CreateAdd(builder.CreateMul(nest.counter[1], group_.size(0), "", true, true), nest.counter[0], "",
                             true, true);
  }

  /// Tells LLVM that work-items do not depend on each other between barriers.
  void markIndependent() {
    for (unsigned i = 0; i < nests_.size(); ++i) {
      if (!nests_[i].innermost) continue;
      llvm::MDNode* group = llvm::MDNode::getDistinct(group_.context(), {});
      for (llvm::BasicBlock* block : regions_.regions()[i].blocks)
        for (llvm::Instruction& instruction : *block)
          if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
              pointer && !inSharedStack(*pointer))
            instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
      if (llvm::BasicBlock* check = nests_[i].body; regions_.masked())
        for (llvm::Instruction& instruction : *check)
          if (instruction.mayReadOrWriteMemory()) instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
      for (const auto& [key, exit] : order_.exits())
        if (key.first == i && regions_.masked())
          for (llvm::Instruction& instruction : *exit)
            if (instruction.mayReadOrWriteMemory()) instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
      llvm::LLVMContext& context = group_.context();
      llvm::SmallVector<llvm::Metadata*, 3> properties{loopProperty(context, "llvm.loop.parallel_accesses", group),
                                                       loopProperty(context, "llvm.loop.mustprogress")};
      if (lanes_[i]) properties.push_back(loopProperty(context, "llvm.loop.vectorize.width", lanes_[i]));
      nests_[i].innermost->setMetadata(llvm::LLVMContext::MD_loop, loopProperties(context, properties));
    }
  }

  static bool inSharedStack(const llvm::Value& pointer) {
    const llvm::Value* base = llvm::getUnderlyingObject(&pointer, 0);
    if (llvm::isa<llvm::AllocaInst>(base)) return true;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(base)) return !primitiveOf(*call);
    return llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::LoadInst, llvm::IntToPtrInst>(base) &&
           base->getType()->getPointerAddressSpace() % 4 == 0;
  }

  GroupCode group_;
  RegionNests nests_;
  BarrierChecks checks_;
  RegionOrder order_;
  const BarrierRegions& regions_;
  const llvm::ArrayRef<unsigned> lanes_;  ///< by region: how many work-items a vector should hold; 0: LLVM decides
};

/// Whether rows must hold values in the order of the work-items' linear ids, because scans and sums go by it. Along y
/// it is the same.
bool inWorkItemOrder(llvm::Function& function, const std::array<std::uint64_t, 3>& items) {
  return items[0] != 1 && llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
           const auto primitive = primitiveOf(instruction);
           return primitive == Primitive::Collective || primitive == Primitive::SubGroup;
         });
}

/// The regions that run once for all work-items; LLVM's vectorisers may find something to do in their loops.
llvm::SmallBitVector regionsThatRunOnce(llvm::Function& function, const BarrierRegions& regions,
                                        const VarianceInfo& variance) {
  llvm::SmallBitVector once(static_cast<unsigned>(regions.regions().size()));
  // Checked work-items are reported each, and interleaved groups have local memory of their own.
  if (function.hasFnAttribute(checkedAttribute) || interleavedGroups(function) > 1) return once;
  for (unsigned i = 0; i < once.size(); ++i) {
    if (!runsOnce(regions, i, variance)) continue;
    once.set(i);
    if (!loopsOverMemory(regions, i)) continue;
    function.addFnAttr(scalarRegionsAttribute, "yes");
    remark(*regions.regions()[i].head->getTerminator(), RemarkKind::Region,
           "region run once for the work-group, as all its work-items do the same");
  }
  return once;
}

}  // namespace

llvm::PreservedAnalyses WorkItemLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const BarrierRegions regions = analyses.getResult<BarrierRegionsAnalysis>(function);
  const VarianceInfo& variance = analyses.getResult<VarianceAnalysis>(function);
  llvm::SmallVector<unsigned, 4> lanes;
  for (const Region& region : regions.regions()) lanes.push_back(scalarNestWidth(region, variance, options.vectorBits));
  std::array<std::uint64_t, 3> items{};
  for (unsigned d = 0; d < 3 && !function.hasFnAttribute(mergedGroupsAttribute); ++d)
    items[d] = knownLocalSize(function, d).value_or(0);
  // Interleaved groups access memory along x, and may be few: along y most lanes would be empty.
  // Checked work-items run, and are reported, in the order of their linear ids.
  const bool alongX =
      interleavedGroups(function) > 1 || inWorkItemOrder(function, items) || function.hasFnAttribute(checkedAttribute);
  const LaneDimension dimension =
      alongX ? LaneDimension{}
             : chooseDimension(function, variance, analyses.getResult<llvm::LoopAnalysis>(function), items,
                               std::max(options.vectorBits, 128u));
  if (!dimension.why.empty()) remark(function, {}, RemarkKind::Order, dimension.why);
  const unsigned along = dimension.along;
  function.addFnAttr(lanesAlongAttribute, std::to_string(along));
  const llvm::SmallBitVector once = regionsThatRunOnce(function, regions, variance);
  WorkGroupBuilder(function, regions, lanes, once, along, options).run();
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
