// SPDX-License-Identifier: Apache-2.0
// This file finds the loops over work-items, builds their tiles and the loops around them.
#include "compiler/passes/packets.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/variance.h"
#include "compiler/packets/choose_shape.h"
#include "compiler/packets/item_nest.h"
#include "compiler/packets/packet_builder.h"
#include "compiler/packets/packet_plan.h"
#include "compiler/packets/promote_variables.h"
#include "compiler/packets/report.h"
#include "compiler/passes/sub_group_size.h"
#include "compiler/passes/work_item_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <memory>
#include <vector>

namespace clarity::compiler {
namespace {

// --- private variables -----------------------------------------------------------------------------------------------

/// Whether all accesses are of scalars of one size at multiples of it, so that elements can be interleaved by lane.
bool interleavable(const llvm::AllocaInst& variable, const llvm::DataLayout& layout, std::int64_t& size) {
  llvm::SmallVector<const llvm::Value*, 8> work{&variable};
  size = 0;
  const auto sees = [&](llvm::Type* type) {
    if (!type->isSingleValueType() || type->isVectorTy()) return false;
    const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedValue());
    if (size == 0) size = bytes;
    return size == bytes;
  };
  llvm::SmallVector<const llvm::GetElementPtrInst*, 8> addresses;
  while (!work.empty()) {
    const llvm::Value* pointer = work.pop_back_val();
    for (const llvm::User* user : pointer->users()) {
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (!load->isSimple() || !sees(load->getType())) return false;
      } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (!store->isSimple() || store->getValueOperand() == pointer || !sees(store->getValueOperand()->getType())) return false;
      } else if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        if (address->getType()->isVectorTy() || address->getPointerOperand() != pointer) return false;
        addresses.push_back(address);
        work.push_back(address);
      } else if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user); !intrinsic || !intrinsic->isLifetimeStartOrEnd()) {
        return false;
      }
    }
  }
  if (size == 0) return false;
  for (const llvm::GetElementPtrInst* address : addresses) {
    llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variableOffsets;
    llvm::APInt constant(64, 0);
    if (!address->collectOffset(layout, 64, variableOffsets, constant)) return false;
    if (constant.getSExtValue() % size != 0) return false;
    for (const auto& [index, scale] : variableOffsets)
      if (scale.getSExtValue() % size != 0) return false;
  }
  return true;
}

PrivateLayouts layOutPrivateVariables(llvm::Function& function) {
  PrivateLayouts layouts;
  const llvm::DataLayout& layout = function.getDataLayout();
  for (const llvm::Instruction& instruction : function.getEntryBlock()) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!variable || !llvm::isa<llvm::ConstantInt>(variable->getArraySize()) || variable->getMetadata(uniformSlotMetadata)) continue;
    PrivateLayout place;
    place.interleaved = interleavable(*variable, layout, place.stride);
    if (!place.interleaved)
      place.stride = static_cast<std::int64_t>(llvm::alignTo(layout.getTypeAllocSize(variable->getAllocatedType()).getFixedValue() *
                                                                 llvm::cast<llvm::ConstantInt>(variable->getArraySize())->getZExtValue(),
                                                             variable->getAlign()));
    layouts[variable] = place;
  }
  return layouts;
}

/// Addresses in private memory that were computed once for the group, in its first block, go to where they are used: every
/// packet has its own.
void sinkPrivateAddresses(llvm::Function& function) {
  llvm::BasicBlock& entry = function.getEntryBlock();
  for (llvm::Instruction& address : llvm::make_early_inc_range(llvm::reverse(entry))) {
    if (!llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(address)) continue;
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&address, 0));
    if (!variable || variable->getMetadata(uniformSlotMetadata)) continue;
    for (llvm::Use& use : llvm::make_early_inc_range(address.uses())) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::Instruction* at = phi ? phi->getIncomingBlock(use)->getTerminator() : user;
      if (at->getParent() == &entry) continue;
      llvm::Instruction* copy = address.clone();
      copy->insertBefore(at->getIterator());
      use.set(copy);
    }
    if (address.use_empty()) address.eraseFromParent();
  }
}

// --- loops around tiles ----------------------------------------------------------------------------------------------

/// Writes the loops that visit a nest's work-items by tiles, and what is left packet by packet under a mask.
class NestWriter {
public:
  NestWriter(llvm::Function& function, const ItemNest& nest, const PacketShape& shape)
      : function_(function), nest_(nest), shape_(shape), builder_(function.getContext()), type_(nest.counter[0]->getType()) {}

  using Build = std::function<llvm::BasicBlock*(llvm::BasicBlock*, const PacketBuilder::Input&, bool)>;

  /// `build(from, input, tile)` writes a run of a tile, or of one packet, and returns its last block.
  void write(const Build& build) {
    const unsigned v = shape_.along, u = shape_.across, o = 3 - v - u;
    builder_.SetInsertPoint(block("packets"));
    nest_.before->getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(builder_.GetInsertBlock(), nest_.before);
    llvm::Value* begin = nest_.begin[v];
    llvm::Value* end = nest_.end[v];
    llvm::Value* inTiles = builder_.CreateAnd(builder_.CreateSub(end, begin), constant(~std::uint64_t{shape_.width() - 1}));
    llvm::Value* tilesEnd = builder_.CreateAdd(begin, inTiles);
    Loop outer = open("plane", nest_.begin[o]);
    Loop across = open("tile.row", nest_.begin[u]);
    llvm::Value* rowsLeft = builder_.CreateSub(nest_.end[u], across.counter);
    llvm::Value* whole = shape_.rows == 1 ? builder_.getTrue() : builder_.CreateICmpUGE(rowsLeft, constant(shape_.rows));
    llvm::Value* rowsEnd = shape_.rows == 1 ? add(across.counter, 1) : builder_.CreateSelect(whole, add(across.counter, shape_.rows), nest_.end[u]);
    llvm::BasicBlock* decide = builder_.GetInsertBlock();
    llvm::BasicBlock* tiles = block("tiles");
    llvm::BasicBlock* rest = block("rest");
    builder_.CreateCondBr(builder_.CreateAnd(whole, builder_.CreateICmpNE(inTiles, constant(0))), tiles, rest);

    builder_.SetInsertPoint(tiles);
    Loop along = open("tile", begin);
    run(build, {v, along.counter}, {u, across.counter}, {o, outer.counter}, nullptr, true);
    llvm::BasicBlock* tilesDone = close(along, shape_.width(), tilesEnd);
    builder_.CreateBr(rest);

    builder_.SetInsertPoint(rest);
    llvm::BasicBlock* rowsDone = block("rows.done");
    if (!leavesNothing()) {
      llvm::PHINode* left = builder_.CreatePHI(type_, 2);
      left->addIncoming(begin, decide);
      left->addIncoming(tilesEnd, tilesDone);
      llvm::BasicBlock* some = block("rest.rows");
      builder_.CreateCondBr(builder_.CreateICmpULT(left, end), some, rowsDone);
      builder_.SetInsertPoint(some);
      Loop row = open("rest.row", across.counter);
      Loop packet = open("rest.packet", left);
      llvm::Value* lanes = builder_.CreateAdd(builder_.CreateVectorSplat(shape_.lanes, packet.counter), laneNumbers());
      lanes = builder_.CreateICmpULT(lanes, builder_.CreateVectorSplat(shape_.lanes, end));
      run(build, {v, packet.counter}, {u, row.counter}, {o, outer.counter}, lanes, false);
      close(packet, shape_.lanes, end);
      close(row, 1, rowsEnd);
    }
    builder_.CreateBr(rowsDone);
    builder_.SetInsertPoint(rowsDone);
    closeAt(across, rowsEnd, nest_.end[u]);
    close(outer, 1, nest_.end[o]);
    builder_.CreateBr(nest_.after);
    nest_.after->replacePhiUsesWith(nest_.latch, builder_.GetInsertBlock());
  }

private:
  struct Loop {
    llvm::BasicBlock* head = nullptr;
    llvm::PHINode* counter = nullptr;
  };
  using At = std::pair<unsigned, llvm::Value*>;

  llvm::BasicBlock* block(const llvm::Twine& name) { return llvm::BasicBlock::Create(function_.getContext(), name, &function_); }
  llvm::Constant* constant(std::uint64_t value) { return llvm::ConstantInt::get(type_, value); }
  llvm::Value* add(llvm::Value* value, std::uint64_t by) { return builder_.CreateAdd(value, constant(by), "", true, true); }

  llvm::Value* laneNumbers() {
    llvm::SmallVector<llvm::Constant*, 16> numbers;
    for (unsigned i = 0; i < shape_.lanes; ++i) numbers.push_back(constant(i));
    return llvm::ConstantVector::get(numbers);
  }

  /// Sizes that are known and whole tiles leave nothing for the masked packet.
  bool leavesNothing() const {
    const auto known = [&](unsigned d) {
      const auto* begin = llvm::dyn_cast<llvm::ConstantInt>(nest_.begin[d]);
      return begin && begin->isZero() ? llvm::dyn_cast<llvm::ConstantInt>(nest_.end[d]) : nullptr;
    };
    const auto* along = known(shape_.along);
    const auto* across = known(shape_.across);
    return along && along->getZExtValue() % shape_.width() == 0 && (shape_.rows == 1 || (across && across->getZExtValue() % shape_.rows == 0));
  }

  Loop open(const llvm::Twine& name, llvm::Value* begin) {
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    Loop loop;
    loop.head = block(name);
    builder_.CreateBr(loop.head);
    builder_.SetInsertPoint(loop.head);
    loop.counter = builder_.CreatePHI(type_, 2, name);
    loop.counter->addIncoming(begin, before);
    return loop;
  }

  llvm::BasicBlock* close(Loop& loop, std::uint64_t step, llvm::Value* end) { return closeAt(loop, add(loop.counter, step), end); }

  /// Returns the block that the loop is left from; the builder stands behind it.
  llvm::BasicBlock* closeAt(Loop& loop, llvm::Value* next, llvm::Value* end) {
    llvm::BasicBlock* latch = builder_.GetInsertBlock();
    llvm::BasicBlock* after = block("done");
    loop.counter->addIncoming(next, latch);
    llvm::BranchInst* back = builder_.CreateCondBr(builder_.CreateICmpULT(next, end), loop.head, after);
    llvm::LLVMContext& context = function_.getContext();
    llvm::Metadata* progress[] = {llvm::MDString::get(context, "llvm.loop.mustprogress")};
    llvm::Metadata* done[] = {llvm::MDString::get(context, "llvm.loop.isvectorized"), llvm::ConstantAsMetadata::get(builder_.getInt32(1))};
    llvm::Metadata* whole[] = {llvm::MDString::get(context, "llvm.loop.unroll.disable")};
    llvm::MDNode* properties = llvm::MDNode::getDistinct(context, {nullptr, llvm::MDNode::get(context, progress), llvm::MDNode::get(context, done), llvm::MDNode::get(context, whole)});
    properties->replaceOperandWith(0, properties);
    back->setMetadata(llvm::LLVMContext::MD_loop, properties);
    builder_.SetInsertPoint(after);
    return after;
  }

  void run(const Build& build, At along, At across, At outer, llvm::Value* lanes, bool tile) {
    PacketBuilder::Input input;
    for (const At& at : {along, across, outer}) input.counter[at.first] = at.second;
    input.lanes = lanes;
    builder_.SetInsertPoint(build(builder_.GetInsertBlock(), input, tile));
  }

  llvm::Function& function_;
  const ItemNest& nest_;
  const PacketShape& shape_;
  llvm::IRBuilder<> builder_;
  llvm::Type* type_;
};

class PacketMaker {
public:
  PacketMaker(llvm::Function& function, const PacketsPass::Options& options, llvm::LoopInfo& loops, llvm::DominatorTree& dominators,
              llvm::PostDominatorTree& postDominators)
      : function_(function), options_(options), loops_(loops), dominators_(dominators), postDominators_(postDominators),
        layouts_(layOutPrivateVariables(function)), variance_(function, layouts_) {}

  bool run() {
    bool allDone = true;
    unsigned region = 0;
    struct Planned {
      ItemNest nest;
      PacketShape shape, single;
      std::unique_ptr<PacketPlan> tile, rest;
    };
    // All plans first: building leaves the analyses behind.
    llvm::SmallVector<Planned, 4> planned;
    for (const ItemNest& nest : findItemNests(function_)) {
      if (!loops_.getLoopFor(nest.header[0])) continue;  // nothing leads here
      ++region;
      Planned plan{nest, shapeOf(nest), {}, nullptr, nullptr};
      if (plan.shape.lanes < 2 || !nest.entry) {
        allDone = false;
        tell([&] { return describeScalar(region, nullptr); });
        continue;
      }
      plan.single = plan.shape;
      plan.single.packets = plan.single.rows = 1;
      plan.tile = std::make_unique<PacketPlan>(itemLoop(nest), plan.shape, variance_, loops_, dominators_, postDominators_);
      plan.rest = std::make_unique<PacketPlan>(itemLoop(nest), plan.single, variance_, loops_, dominators_, postDominators_);
      if (const llvm::Instruction* obstacle = PacketBuilder::obstacle(*plan.tile)) {
        allDone = false;
        tell([&] { return describeScalar(region, obstacle); });
        continue;
      }
      tell([&] { return describePackets(region, *plan.tile); });
      planned.push_back(std::move(plan));
    }
    for (Planned& plan : planned) {
      NestWriter(function_, plan.nest, plan.shape).write([&](llvm::BasicBlock* from, const PacketBuilder::Input& input, bool tile) {
        PacketBuilder builder(tile ? *plan.tile : *plan.rest, options_.target, layouts_, function_.getEntryBlock());
        if (options_.streams && longRows(plan.nest, plan.shape)) builder.stream();
        llvm::BasicBlock* end = builder.build(from, input);
        if (builder.hasStreamed()) function_.addFnAttr(streamsAttribute, "yes");
        variables_.push_back({from, llvm::SmallVector<llvm::AllocaInst*, 64>(builder.variables())});
        return end;
      });
    }
    for (unsigned d = 0; d < 3; ++d) {
      unsigned most = 1;
      for (const Planned& plan : planned)
        if (d == plan.shape.along || d == plan.shape.across) most = std::max(most, d == plan.shape.along ? plan.shape.width() : plan.shape.rows);
      function_.addFnAttr(tileAttributes[d], std::to_string(most));
    }
    if (!allDone) function_.addFnAttr(scalarRegionsAttribute, "yes");
    if (planned.empty()) return false;
    llvm::EliminateUnreachableBlocks(function_);
    promoteVariables(function_, variables_);
    return true;
  }

private:
  ItemLoop itemLoop(const ItemNest& nest) const { return {loops_.getLoopFor(nest.header[0]), nest.header[0], nest.entry, nest.latch, nest.counter}; }

  /// Whether neighbours fill whole lines of the cache: parts of lines must not go past it.
  bool longRows(const ItemNest& nest, const PacketShape& shape) const {
    const std::uint64_t items = mostItems(nest, shape.along);
    return items == 0 || items >= 64;
  }

  template <class Text>
  void tell(Text&& text) const {
    if (options_.report) *options_.report += text();
  }

  PacketShape shapeOf(const ItemNest& nest) const {
    if (asksSubGroup(nest)) {
      // A packet is a sub-group: of consecutive work-items, the first of which WorkItemLoopsPass has put at a multiple of its size.
      const unsigned size = subGroupSizeOf(function_);
      return {.along = 0, .across = 1, .lanes = size ? size : options_.lanes, .packets = 1, .rows = 1};
    }
    ShapeLimits limits;
    for (unsigned d = 0; d < 3; ++d) limits.items[d] = mostItems(nest, d);
    function_.getFnAttribute(lanesAlongAttribute).getValueAsString().getAsInteger(10, limits.along);
    limits.lanes = options_.lanes;
    limits.packets = options_.packets;
    limits.rows = options_.rows;
    return chooseShape(itemLoop(nest), variance_, loops_, options_.target, limits);
  }

  llvm::Function& function_;
  const PacketsPass::Options& options_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::PostDominatorTree& postDominators_;
  const PrivateLayouts layouts_;
  const VarianceInfo variance_;
  std::vector<RunVariables> variables_;
};

}  // namespace

llvm::PreservedAnalyses PacketsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (options.lanes == 1 && llvm::none_of(findItemNests(function), asksSubGroup)) return llvm::PreservedAnalyses::all();
  sinkPrivateAddresses(function);
  PacketMaker maker(function, options, analyses.getResult<llvm::LoopAnalysis>(function), analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                    analyses.getResult<llvm::PostDominatorTreeAnalysis>(function));
  return maker.run() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
