// SPDX-License-Identifier: Apache-2.0
// This file finds loads whose addresses differ along one dimension, and writes the nests that copy what they read.
#include "compiler/passes/copy_panels.h"

#include "compiler/analysis/address.h"
#include "compiler/analysis/item_nest.h"
#include "compiler/analysis/variance.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/ir/strip_marks.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace clarity::compiler {
namespace {

/// A loop over a strip of iterations, in a nest.
struct Strip {
  const llvm::Loop* loop = nullptr;
  llvm::PHINode* iteration = nullptr;  ///< from 0
  llvm::Value* length = nullptr;
  std::uint64_t most = 0;  ///< iterations
};

/// A load of a strip that is served from a panel.
struct Panel {
  llvm::LoadInst* load = nullptr;
  unsigned dimension = 0;  ///< along which its address differs
};

class PanelCopier {
public:
  PanelCopier(llvm::Function& function, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators,
              const VarianceInfo& variance)
      : function_(function),
        context_(function.getContext()),
        layout_(function.getDataLayout()),
        loops_(loops),
        dominators_(dominators),
        variance_(variance),
        side_(boxSideOf(function)),
        along_(lanesAlong(function)) {}

  bool run() {
    struct Found {
      ItemNest nest;
      Strip strip;
      Panel panel;
    };
    // All of them first: copying leaves the analyses behind.
    llvm::SmallVector<Found, 2> found;
    for (const ItemNest& nest : findItemNests(function_))
      if (const auto strip = stripOf(nest))
        for (const Panel& panel : panelsOf(nest, *strip)) found.push_back({nest, *strip, panel});
    if (found.size() > cost::strip::mostPanels) return false;
    llvm::BasicBlock* before = nullptr;
    for (Found& each : found) {
      if (before && each.nest.header[2] == lastHeader_) each.nest.before = before;
      before = copy(each.nest, each.strip, each.panel);
      lastHeader_ = each.nest.header[2];
    }
    return !found.empty();
  }

private:
  // --- candidates ----------------------------------------------------------------------------------------------------

  bool isInside(const llvm::Value& value, const ItemNest& nest) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction && loops_.getLoopFor(nest.header[2])->contains(instruction);
  }

  std::optional<Strip> stripOf(const ItemNest& nest) const {
    const llvm::Loop* items = loops_.getLoopFor(nest.header[0]);
    if (!items || !nest.entry || endsByRow(nest)) return std::nullopt;
    for (const llvm::Loop* loop : *items) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(loop->getHeader()->getTerminator());
      const llvm::MDNode* mark = branch ? branch->getMetadata(stripMetadata) : nullptr;
      auto* test = mark && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
      if (!test || !loop->isInnermost() || !loop->getLoopLatch() ||
          !dominators_.dominates(loop->getHeader(), nest.latch))
        continue;
      auto* iteration = llvm::dyn_cast<llvm::PHINode>(test->getOperand(0));
      if (test->getPredicate() != llvm::CmpInst::ICMP_ULT || !iteration || iteration->getParent() != loop->getHeader())
        continue;
      return Strip{loop, iteration, test->getOperand(1),
                   llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->getZExtValue()};
    }
    return std::nullopt;
  }

  llvm::SmallVector<Panel, 2> panelsOf(const ItemNest& nest, const Strip& strip) const {
    llvm::SmallVector<Panel, 2> panels;
    if (!canCopy(*strip.length, nest, strip, nullptr)) return panels;
    for (const llvm::BasicBlock* block : strip.loop->blocks()) {
      if (!dominators_.dominates(block, strip.loop->getLoopLatch())) continue;
      for (const llvm::Instruction& instruction : *block) {
        auto* load = const_cast<llvm::LoadInst*>(llvm::dyn_cast<llvm::LoadInst>(&instruction));
        const auto dimension = load ? dimensionOf(*load, strip) : std::nullopt;
        if (dimension && canCopy(*load->getPointerOperand(), nest, strip, nest.counter[*dimension]))
          panels.push_back({load, *dimension});
      }
    }
    return panels;
  }

  /// The one dimension along which a load's address differs, if it pays to copy what it reads.
  std::optional<unsigned> dimensionOf(const llvm::LoadInst& load, const Strip& strip) const {
    const unsigned space = load.getPointerAddressSpace();
    if (!load.isSimple() || (space != globalAddressSpace && space != constantAddressSpace)) return std::nullopt;
    const ValueVariance address = variance_.of(*load.getPointerOperand());
    llvm::Type* type = load.getType();
    const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(type).getFixedValue());
    if (!(type->isIntegerTy() || type->isFloatingPointTy()) || type->isIntegerTy(1) ||
        static_cast<std::uint64_t>(bytes) * side_ * strip.most > cost::strip::panelBytes)
      return std::nullopt;
    for (const unsigned d : {0u, 1u}) {
      if (address.dims != Dimensions::only(d)) continue;
      const auto step = bytesPerIteration(*load.getPointerOperand(), *strip.loop, layout_);
      const auto& stride = address.stride[d];
      const bool farStep = !step || distance(*step) > cost::cacheLine;
      const bool farStride = !stride || distance(*stride) > cost::mostShuffledStride * bytes;
      if ((stride == bytes && farStep) || (d == along_ && farStride && step == bytes)) return d;
    }
    return std::nullopt;
  }

  /// Whether a value is arithmetic on the iteration, one counter, and what is known ahead of the nest.
  bool canCopy(const llvm::Value& value, const ItemNest& nest, const Strip& strip, const llvm::PHINode* counter,
               unsigned depth = 0) const {
    if (!isInside(value, nest) || &value == counter || (counter && &value == strip.iteration)) return true;
    const auto& instruction = llvm::cast<llvm::Instruction>(value);
    return depth < cost::strip::mostDepth && !llvm::isa<llvm::PHINode>(instruction) &&
           !instruction.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&instruction) &&
           llvm::all_of(
               instruction.operands(),
               [&](const llvm::Use& operand) { return canCopy(*operand, nest, strip, counter, depth + 1); });
  }

  // --- copies --------------------------------------------------------------------------------------------------------

  using Copies = llvm::DenseMap<const llvm::Value*, llvm::Value*>;

  llvm::Value* copyOf(llvm::Value& value, const ItemNest& nest, Copies& copies, llvm::IRBuilder<>& builder) const {
    if (const auto known = copies.find(&value); known != copies.end()) return known->second;
    if (!isInside(value, nest)) return &value;
    llvm::Instruction* copy = llvm::cast<llvm::Instruction>(value).clone();
    for (llvm::Use& operand : copy->operands()) operand.set(copyOf(*operand, nest, copies, builder));
    builder.Insert(copy, value.getName());
    return copies[&value] = copy;
  }

  llvm::BasicBlock* block(const llvm::Twine& name, const ItemNest& nest) {
    return llvm::BasicBlock::Create(context_, name, &function_, nest.header[2]);
  }

  /// Returns the block that leads into the nest now.
  llvm::BasicBlock* copy(const ItemNest& nest, const Strip& strip, const Panel& panel) {
    llvm::Type* type = panel.load->getType();
    llvm::AllocaInst* memory = panelOf(type, strip);
    remark(*panel.load, RemarkKind::Access,
           "copied for a strip of " + std::to_string(strip.most) + " iterations, so that its elements are neighbours");
    llvm::BasicBlock *some = block("panel.some", nest), *done = block("panel.done", nest);
    llvm::IRBuilder<> builder(nest.before->getTerminator());
    Copies ahead;
    llvm::Type* counterType = nest.counter[0]->getType();
    llvm::Value* length = builder.CreateZExtOrTrunc(copyOf(*strip.length, nest, ahead, builder), counterType);
    nest.before->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(nest.before);
    builder.CreateCondBr(builder.CreateICmpULT(llvm::ConstantInt::get(counterType, 0), length), some, done);
    for (llvm::PHINode& phi : nest.header[2]->phis()) phi.replaceIncomingBlockWith(nest.before, done);
    llvm::BranchInst::Create(nest.header[2], done);

    const Loops loops = makeLoops(nest, *some, *done, panel.dimension, length);
    builder.SetInsertPoint(loops.body->getTerminator());
    Copies inside;
    inside[nest.counter[panel.dimension]] = loops.neighbour;
    inside[strip.iteration] = builder.CreateZExtOrTrunc(loops.iteration, strip.iteration->getType());
    llvm::Value* from = copyOf(*panel.load->getPointerOperand(), nest, inside, builder);
    llvm::LoadInst* read = builder.CreateAlignedLoad(type, from, panel.load->getAlign());
    read->copyMetadata(*panel.load, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias});
    read->setDebugLoc(panel.load->getDebugLoc());
    builder.CreateStore(read, placeIn(*memory, *loops.iteration, *loops.neighbour, builder));

    builder.SetInsertPoint(panel.load);
    llvm::Value* place = placeIn(*memory, *strip.iteration, *nest.counter[panel.dimension], builder);
    panel.load->replaceAllUsesWith(builder.CreateLoad(type, place, panel.load->getName()));
    panel.load->eraseFromParent();
    return done;
  }

  llvm::AllocaInst* panelOf(llvm::Type* type, const Strip& strip) {
    llvm::IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* memory = entry.CreateAlloca(llvm::ArrayType::get(type, side_ * strip.most), nullptr, "panel");
    memory->setAlignment(llvm::Align(cost::cacheLine));
    memory->setMetadata(uniformSlotMetadata, llvm::MDNode::get(context_, {}));
    return memory;
  }

  llvm::Value* placeIn(llvm::AllocaInst& memory, llvm::Value& iteration, llvm::Value& neighbour,
                       llvm::IRBuilder<>& builder) const {
    llvm::Type* wide = builder.getInt64Ty();
    llvm::Value* row =
        builder.CreateMul(builder.CreateZExtOrTrunc(&iteration, wide), builder.getInt64(side_), "", true, true);
    llvm::Value* index = builder.CreateAdd(row, builder.CreateZExtOrTrunc(&neighbour, wide), "", true, true);
    return builder.CreateInBoundsGEP(memory.getAllocatedType()->getArrayElementType(), &memory, index);
  }

  struct Loops {
    llvm::BasicBlock* body = nullptr;
    llvm::PHINode *neighbour = nullptr, *iteration = nullptr;
  };

  /// A nest whose lanes are neighbours along the panel's dimension, and whose rows are iterations.
  Loops makeLoops(const ItemNest& nest, llvm::BasicBlock& from, llvm::BasicBlock& to, unsigned dimension,
                  llvm::Value* length) {
    llvm::Type* type = nest.counter[0]->getType();
    llvm::Constant *zero = llvm::ConstantInt::get(type, 0), *one = llvm::ConstantInt::get(type, 1);
    std::array<llvm::Value*, 3> begin{zero, zero, zero}, end{one, one, one};
    begin[along_] = nest.begin[dimension];
    end[along_] = nest.end[dimension];
    end[1 - along_] = length;
    std::array<llvm::BasicBlock*, 3> header, latch;
    for (const unsigned d : {2u, 1u, 0u}) header[d] = block(std::string("panel.") + "xyz"[d], nest);
    Loops loops{.body = block("panel.copy", nest)};
    for (const unsigned d : {0u, 1u, 2u}) latch[d] = block(std::string("panel.next.") + "xyz"[d], nest);
    std::array<llvm::PHINode*, 3> counter;
    llvm::IRBuilder<> builder(&from);
    builder.CreateBr(header[2]);
    const auto mark = [&](unsigned d) {
      return llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(builder.getInt32(d)));
    };
    for (const unsigned d : {2u, 1u, 0u}) {
      builder.SetInsertPoint(header[d]);
      counter[d] = builder.CreatePHI(type, 2, std::string("panel.at.") + "xyz"[d]);
      counter[d]->addIncoming(begin[d], d == 2 ? &from : header[d + 1]);
      counter[d]->setMetadata(counterMetadata, mark(d));
      builder.CreateBr(d == 0 ? loops.body : header[d - 1]);
    }
    builder.SetInsertPoint(loops.body);
    builder.CreateBr(latch[0]);
    for (const unsigned d : {0u, 1u, 2u}) {
      builder.SetInsertPoint(latch[d]);
      llvm::Value* next = builder.CreateAdd(counter[d], one, "", true, true);
      counter[d]->addIncoming(next, latch[d]);
      llvm::BranchInst* back =
          builder.CreateCondBr(builder.CreateICmpULT(next, end[d]), header[d], d == 2 ? &to : latch[d + 1]);
      back->setMetadata(itemLoopMetadata, mark(d));
      if (d == 0) back->setMetadata(panelMetadata, llvm::MDNode::get(context_, {}));
    }
    loops.neighbour = counter[along_];
    loops.iteration = counter[1 - along_];
    return loops;
  }

  llvm::Function& function_;
  llvm::LLVMContext& context_;
  const llvm::DataLayout& layout_;
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  const VarianceInfo& variance_;
  const std::uint64_t side_;
  const unsigned along_;
  llvm::BasicBlock* lastHeader_ = nullptr;  ///< the header of the nest that got a panel last
};

}  // namespace

llvm::PreservedAnalyses CopyPanelsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (boxSideOf(function) == 0 || lanesAlong(function) > 1) return llvm::PreservedAnalyses::all();
  const VarianceInfo variance(function);
  PanelCopier copier(function, analyses.getResult<llvm::LoopAnalysis>(function),
                     analyses.getResult<llvm::DominatorTreeAnalysis>(function), variance);
  return copier.run() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
