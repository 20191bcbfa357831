// SPDX-License-Identifier: Apache-2.0
// This file emits three loops for each region, z, y, x, and computes ids and spill places from their counters. It finds
// the regions that need no loops.
#include "compiler/transforms/region_nests.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <string>

namespace clarity::compiler {
namespace {

bool callsSubGroup(const Region& region) {
  return llvm::any_of(region.blocks, [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& instruction) {
      return collectiveOf(instruction, subGroupPrefix).has_value();
    });
  });
}

class UniformRegion {
public:
  UniformRegion(const BarrierRegions& regions, const VarianceInfo& variance) : regions_(regions), variance_(variance) {}

  bool holds(const Region& region) {
    return llvm::all_of(region.blocks, [&](const llvm::BasicBlock* block) {
      return llvm::all_of(*block, [&](const llvm::Instruction& instruction) { return isSame(instruction); });
    });
  }

private:
  bool isSame(const llvm::Instruction& instruction) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return load->isSimple() && isShared(*load->getPointerOperand());
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->isSimple() && isShared(*store->getPointerOperand());
    if (llvm::isa<llvm::AllocaInst>(instruction)) return true;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return isSameCall(*call);
    return !instruction.mayReadOrWriteMemory() || llvm::isa<llvm::FenceInst>(instruction);
  }

  bool isSameCall(const llvm::CallInst& call) {
    if (const auto primitive = primitiveOf(call)) {
      if (*primitive == Primitive::GlobalId || *primitive == Primitive::LocalId)
        return dimensionOf(call) && variance_.uniform(call);
      if (*primitive == Primitive::PrintfSink || *primitive == Primitive::Parent) return false;
      return isQuery(*primitive) || *primitive == Primitive::Barrier || *primitive == Primitive::LocalMemory;
    }
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
      if (intrinsic->isAssumeLikeIntrinsic()) return true;
      if (const auto* transfer = llvm::dyn_cast<llvm::MemIntrinsic>(intrinsic)) {
        const auto* source = llvm::dyn_cast<llvm::MemTransferInst>(transfer);
        return !transfer->isVolatile() && isShared(*transfer->getRawDest()) &&
               (!source || isShared(*source->getRawSource()));
      }
    }
    return call.doesNotAccessMemory() && !call.isInlineAsm() && !call.isConvergent();
  }

  /// Whether memory is the same for all work-items, or is private to one run of the region.
  bool isShared(const llvm::Value& pointer) {
    const unsigned space = pointer.getType()->getPointerAddressSpace();
    if (space != 0 && space != genericAddressSpace) return true;
    llvm::SmallVector<const llvm::Value*, 4> objects;
    llvm::getUnderlyingObjects(&pointer, objects);
    return llvm::all_of(objects, [&](const llvm::Value* object) {
      const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(object);
      return variable && (variable->getMetadata(uniformSlotMetadata) || !outlives(*variable));
    });
  }

  bool outlives(const llvm::AllocaInst& variable) {
    const auto [place, isNew] = outlives_.try_emplace(&variable, false);
    if (isNew) place->second = regions_.outlivesRegion(variable);
    return place->second;
  }

  const BarrierRegions& regions_;
  const VarianceInfo& variance_;
  llvm::DenseMap<const llvm::AllocaInst*, bool> outlives_;
};

}  // namespace

bool runsOnce(const BarrierRegions& regions, unsigned region, const VarianceInfo& variance) {
  return !regions.masked() && UniformRegion(regions, variance).holds(regions.regions()[region]);
}

bool loopsOverMemory(const BarrierRegions& regions, unsigned region) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  bool loops = false, accesses = false;
  for (const llvm::BasicBlock* block : regions.regions()[region].blocks) {  // in reverse post-order
    seen.insert(block);
    loops |= llvm::any_of(llvm::successors(block), [&](const llvm::BasicBlock* next) { return seen.contains(next); });
    accesses |= llvm::any_of(*block, [](const llvm::Instruction& instruction) {
      return llvm::getLoadStorePointerOperand(&instruction) != nullptr;
    });
  }
  return loops && accesses;
}

void RegionNests::make() {
  for (unsigned i = 0; i < regions_.regions().size(); ++i) make(i);
}

void RegionNests::make(unsigned index) {
  RegionNest nest;
  nest.linear = callsSubGroup(regions_.regions()[index]) && !rowsAreWholeSubGroups();
  llvm::BasicBlock* head = regions_.regions()[index].head;
  const std::string name = "region" + std::to_string(index);
  if (once_[index]) {
    makeSingleRun(nest, name, head);
    nests_.push_back(nest);
    return;
  }
  std::array<llvm::BasicBlock*, 3> header;
  makeLoops(nest, name, head, header);
  llvm::IRBuilder<> builder(header[0]);
  if (!regions_.masked()) {
    // A separate block ahead of a region that begins with a loop.
    nest.body = group_.newBlock(name + ".begin", head);
    builder.CreateBr(nest.body);
    builder.SetInsertPoint(nest.body);
    builder.CreateBr(head);
  } else {
    nest.body = group_.newBlock(name + ".check", head);
    builder.CreateBr(nest.body);
    builder.SetInsertPoint(nest.body);
    nest.row = makeRow(builder, nest);
    llvm::Value* next = builder.CreateLoad(group_.i32(), nextRegionOf(builder, nest));
    builder.CreateCondBr(builder.CreateICmpEQ(next, builder.getInt32(index)), head, nest.latch);
  }
  nests_.push_back(nest);
}

/// The counters of a region that runs once are those of the first work-item.
void RegionNests::makeSingleRun(RegionNest& nest, const std::string& name, llvm::BasicBlock* head) {
  nest.before = group_.newBlock(name + ".before", head);
  nest.body = group_.newBlock(name + ".begin", head);
  nest.latch = group_.newBlock(name + ".end");
  nest.after = group_.newBlock(name + ".after");
  llvm::IRBuilder<>(nest.before).CreateBr(nest.body);
  llvm::IRBuilder<>(nest.body).CreateBr(head);
  llvm::IRBuilder<>(nest.latch).CreateBr(nest.after);
  nest.counter.fill(llvm::ConstantInt::get(group_.counterType(), 0));
}

void RegionNests::makeLoops(RegionNest& nest, const std::string& name, llvm::BasicBlock* head,
                            std::array<llvm::BasicBlock*, 3>& header) {
  llvm::Type* type = group_.counterType();
  nest.before = group_.newBlock(name + ".before", head);
  std::array<llvm::BasicBlock*, 3> latch;
  for (const unsigned d : {2u, 1u, 0u}) header[d] = group_.newBlock(name + "." + "xyz"[d], head);
  for (const unsigned d : {0u, 1u, 2u}) latch[d] = group_.newBlock(name + "." + "xyz"[d] + ".next");
  nest.after = group_.newBlock(name + ".after");
  nest.latch = latch[0];
  nest.body = header[0];

  llvm::IRBuilder<> builder(nest.before);
  builder.CreateBr(header[2]);
  for (const unsigned d : {2u, 1u, 0u}) {
    builder.SetInsertPoint(header[d]);
    llvm::PHINode* counter = builder.CreatePHI(type, 2, std::string(1, "xyz"[d]));
    counter->addIncoming(llvm::ConstantInt::get(type, 0), d == 2 ? nest.before : header[d + 1]);
    counter->setMetadata(counterMetadata, group_.dimensionNode(d));
    nest.counter[d] = counter;
    if (d > 0) builder.CreateBr(header[d - 1]);
  }
  for (const unsigned d : {0u, 1u, 2u}) {
    builder.SetInsertPoint(latch[d]);
    llvm::Value* next = builder.CreateAdd(nest.counter[d], llvm::ConstantInt::get(type, 1), "", true, true);
    llvm::cast<llvm::PHINode>(nest.counter[d])->addIncoming(next, latch[d]);
    llvm::Value* end = group_.size(d);
    if (nest.linear) end = d == 0 ? group_.linearSize() : llvm::ConstantInt::get(type, 1);
    llvm::BranchInst* back =
        builder.CreateCondBr(builder.CreateICmpULT(next, end), header[d], d == 2 ? nest.after : latch[d + 1]);
    back->setMetadata(itemLoopMetadata, group_.dimensionNode(d));
    if (d == 0) nest.innermost = back;
  }
}

/// Whether packets of consecutive work-items, a sub-group each, are neighbours along x everywhere.
bool RegionNests::rowsAreWholeSubGroups() const {
  const auto* x = llvm::dyn_cast<llvm::ConstantInt>(group_.size(0));
  const unsigned size = subGroupSizeOf(group_.function());
  return (group_.isOne(1) && group_.isOne(2)) || (x && size && x->getZExtValue() % size == 0);
}

llvm::Value* RegionNests::localId(RegionNest& nest, unsigned dimension) {
  if (!nest.linear) return nest.counter[dimension];
  if (nest.id[dimension]) return nest.id[dimension];
  llvm::IRBuilder<> builder(nest.body->getTerminator());
  llvm::Value* id = nest.counter[0];
  llvm::Value* zero = llvm::ConstantInt::get(group_.counterType(), 0);
  if (dimension == 0 && !(group_.isOne(1) && group_.isOne(2)))
    id = group_.isOne(0) ? zero : builder.CreateURem(id, group_.size(0));
  if (dimension == 1) {
    if (!group_.isOne(0)) id = builder.CreateUDiv(id, group_.size(0));
    if (!group_.isOne(2)) id = builder.CreateURem(id, group_.size(1));
    if (group_.isOne(1)) id = zero;
  }
  if (dimension == 2)
    id = group_.isOne(2) ? zero : builder.CreateUDiv(id, builder.CreateMul(group_.size(0), group_.size(1)));
  return nest.id[dimension] = id;
}

llvm::Value* RegionNests::makeRow(llvm::IRBuilder<>& builder, const RegionNest& nest) {
  auto wide = [&](llvm::Value* value) { return builder.CreateZExt(value, group_.i64()); };
  if (nest.linear) return wide(nest.counter[0]);
  const unsigned near = along_, far = 1 - along_;
  llvm::Value* row =
      builder.CreateAdd(builder.CreateMul(wide(nest.counter[2]), wide(group_.size(far))), wide(nest.counter[far]));
  return builder.CreateAdd(builder.CreateMul(row, wide(group_.size(near))), wide(nest.counter[near]), "item", true,
                           true);
}

llvm::Value* RegionNests::rowOf(RegionNest& nest) {
  if (nest.row) return nest.row;
  llvm::IRBuilder<> builder(nest.body->getTerminator());
  return nest.row = makeRow(builder, nest);
}

std::uint64_t RegionNests::allocateRow(std::uint64_t bytes) {
  const std::uint64_t offset = spillBytes_;
  spillBytes_ += bytes;
  return offset;
}

llvm::Value* RegionNests::rowAhead(RegionNest& nest, std::uint64_t offset) {
  llvm::IRBuilder<> builder(nest.before->getTerminator());
  return builder.CreateGEP(builder.getInt8Ty(), group_.spillArea(),
                           builder.CreateMul(group_.rowItems(), builder.getInt64(offset)), "row");
}

llvm::Value* RegionNests::inRow(llvm::IRBuilder<>& builder, RegionNest& nest, std::uint64_t offset,
                                std::uint64_t bytes) {
  llvm::Value* start = builder.CreateMul(group_.rowItems(), builder.getInt64(offset));
  llvm::Value* at = builder.CreateMul(rowOf(nest), builder.getInt64(bytes), "", true, true);
  llvm::Value* row = builder.CreateGEP(builder.getInt8Ty(), group_.spillArea(), start);
  return builder.CreateGEP(builder.getInt8Ty(), row, at);
}

llvm::Value* RegionNests::nextRegionOf(llvm::IRBuilder<>& builder, RegionNest& nest) {
  constexpr std::uint64_t bytes = 4;
  if (!nextRegionRow_) nextRegionRow_ = allocateRow(bytes);
  return inRow(builder, nest, *nextRegionRow_, bytes);
}

}  // namespace clarity::compiler
