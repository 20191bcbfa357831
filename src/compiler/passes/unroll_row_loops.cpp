// SPDX-License-Identifier: Apache-2.0
// This file finds loops in which each work-item reads its own row, and lets LLVM unroll them.
#include "compiler/passes/unroll_row_loops.h"

#include "compiler/analysis/address.h"
#include "compiler/analysis/affine.h"
#include "compiler/analysis/item_nest.h"
#include "compiler/analysis/variance.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/packets/packet_plan.h"
#include "compiler/transforms/unroller.h"

#include <fmt/format.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <optional>

namespace clarity::compiler {
namespace {

class RowUnroller {
public:
  RowUnroller(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : unroller_(function, analyses),
        layout_(function.getDataLayout()),
        variance_(analyses.getResult<VarianceAnalysis>(function)),
        along_(lanesAlong(function)) {}

  void run() {
    // Find all of them first: the analyses do not know unrolled loops. Interiors have the most work-items, so that
    // their loops come first where a kernel has too many.
    llvm::SmallVector<Row, 4> rows;
    llvm::SmallVector<ItemNest, 4> nests = findItemNests(unroller_.function);
    llvm::stable_sort(nests, [](const ItemNest& a, const ItemNest& b) { return isInterior(a) && !isInterior(b); });
    for (const ItemNest& nest : nests) {
      llvm::Loop* items = unroller_.loops.getLoopFor(nest.header[0]);
      if (!items) continue;
      for (llvm::Loop* loop : items->getLoopsInPreorder())
        if (loop != items && loop->isInnermost())
          if (const unsigned iterations = iterationsOf(*loop)) rows.push_back({loop, iterations});
    }
    share(rows);
    llvm::SmallPtrSet<const llvm::Instruction*, 16> known;
    for (const ItemNest& nest : nests)
      for (const llvm::BasicBlock* header : nest.header)
        for (const llvm::Instruction& instruction : *header) known.insert(&instruction);
    for (const Row& row : rows) unroll(row);
    for (const ItemNest& nest : nests) removeCounters(nest, known);
    clearHeaders(known);
  }

private:
  struct Row {
    llvm::Loop* loop;
    unsigned wanted;               ///< iterations to unroll
    unsigned iterations = 1;       ///< that fit into the kernel, with those of other loops
    bool unrollRemainder = false;  ///< the loop of the remaining iterations is unrolled, too
  };

  /// LLVM counts the work-items from 0 on where the nest's counter begins elsewhere or is narrower. A nest has one
  /// counter for each dimension, which is the first PHI of its header: what LLVM counts is computed from that one.
  static void removeCounters(const ItemNest& nest, const llvm::SmallPtrSetImpl<const llvm::Instruction*>& known) {
    for (unsigned d = 0; d < 3; ++d)
      for (llvm::PHINode& added : llvm::make_early_inc_range(nest.header[d]->phis())) {
        if (known.contains(&added)) continue;
        llvm::IRBuilder<> builder(nest.header[d], nest.header[d]->getFirstInsertionPt());
        llvm::Value* counter = builder.CreateZExtOrTrunc(nest.counter[d], added.getType());
        llvm::Value* begin = builder.CreateZExtOrTrunc(nest.begin[d], added.getType());
        added.replaceAllUsesWith(builder.CreateSub(counter, begin));
        llvm::Value* next = added.getIncomingValueForBlock(nest.latches[d]);
        added.eraseFromParent();
        llvm::RecursivelyDeleteTriviallyDeadInstructions(next);
      }
  }

  /// LLVM computes what depends on a work-item's id ahead of the loop, in the header of the loop over work-items. It is
  /// moved to the work-item's first block: PacketsPass gives lanes to nothing in the headers.
  void clearHeaders(const llvm::SmallPtrSetImpl<const llvm::Instruction*>& known) {
    for (const ItemNest& nest : findItemNests(unroller_.function)) {
      const auto place = nest.entry->getFirstInsertionPt();
      for (llvm::BasicBlock* header : llvm::reverse(nest.header))  // the outermost first
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(*header))
          if (!llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() && !known.contains(&instruction))
            instruction.moveBefore(*nest.entry, place);
    }
  }

  /// Shares out what the kernel may grow by: a few iterations of each loop first, then more of the first loops.
  void share(llvm::MutableArrayRef<Row> rows) {
    const auto fewest = [](unsigned iterations) {
      while (iterations / 2 >= cost::leastRowIterations) iterations /= 2;
      return iterations;
    };
    for (Row& row : rows) grow(row, fewest(row.wanted));
    for (Row& row : rows) {
      if (row.iterations == 1) continue;
      for (unsigned iterations = row.wanted; iterations > row.iterations; iterations /= 2) grow(row, iterations);
      row.unrollRemainder = unrollsRemainder(*row.loop, row.iterations);
    }
  }
  void grow(Row& row, unsigned iterations) {
    if (addToKernel(*row.loop, iterations - row.iterations)) row.iterations = iterations;
  }

  /// Counts what further iterations of a loop add to the kernel; false if it is too much beside the loops so far.
  bool addToKernel(const llvm::Loop& loop, unsigned iterations) {
    const unsigned added = Unroller::sizeOf(loop) * iterations;
    if (added_ + added > cost::mostRowInstructionsOfKernel) return false;
    added_ += added;
    return true;
  }

  /// The iterations to unroll; 0: the loop stays as it is.
  unsigned iterationsOf(const llvm::Loop& loop) const {
    if (!loop.isLoopSimplifyForm() || !loop.getExitingBlock()) return 0;
    const unsigned instructions = Unroller::sizeOf(loop);
    if (instructions > cost::mostRowInstructions) return 0;
    unsigned bytes = 0;
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const llvm::Instruction& instruction : *block) {
        if (instruction.isTerminator()) {
          if (instruction.getNumSuccessors() > 1 && !variance_.uniform(*instruction.getOperand(0))) return 0;
          continue;
        }
        if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction) &&
            primitiveOf(instruction) != Primitive::ExpectBelow)
          return 0;
        bytes = std::max(bytes, rowBytesOf(instruction, loop));
      }
    if (bytes == 0) return 0;
    if (const unsigned known = unroller_.iterationsOf(loop);
        known > 1 && known <= cost::mostRowIterations && known * instructions <= cost::mostRowInstructions)
      return known;
    unsigned iterations = std::clamp(cost::cacheLine / bytes, cost::leastRowIterations, cost::mostRowIterations);
    while (iterations >= cost::leastRowIterations && iterations * instructions > cost::mostRowInstructions)
      iterations /= 2;
    return iterations >= cost::leastRowIterations ? iterations : 0;
  }

  bool unrollsRemainder(const llvm::Loop& loop, unsigned iterations) {
    const unsigned tests = unroller_.tripCountOf(loop);
    const bool hasRemainder = tests == 0 || tests > iterations + 1;
    return hasRemainder && iterations > cost::leastRowIterations && addToKernel(loop, cost::leastRowIterations - 1);
  }

  /// The bytes of its row that an access takes in an iteration, with those beside it (the components of a float4), if
  /// consecutive iterations access what is consecutive, and neighbouring work-items do not; otherwise 0.
  unsigned rowBytesOf(const llvm::Instruction& instruction, const llvm::Loop& loop) const {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || instruction.isVolatile() || instruction.isAtomic()) return 0;
    llvm::Type* type = llvm::getLoadStoreType(&instruction);
    const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(type).getFixedValue());
    if (!type->isSingleValueType() || type->isVectorTy() || bytes > 8 ||
        llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)))
      return 0;
    const auto& varies = variance_.of(*pointer);
    if (!varies.dims.has(along_) || consecutiveAcross(instruction, variance_, along_, 1 - along_)) return 0;
    const auto step = bytesPerIteration(*pointer, loop, layout_);
    if (!step || *step < bytes || *step > 4 * bytes || *step % bytes != 0) return 0;
    if (const auto stride = varies.stride[along_]; stride && distance(*stride) <= cost::mostShuffledStride * *step)
      return 0;
    return *step == bytes || *step <= bytes * accessesBeside(instruction, *step, loop) ? static_cast<unsigned>(*step)
                                                                                       : 0;
  }

  /// The accesses in a block that are like this one, of the same memory.
  std::int64_t accessesBeside(const llvm::Instruction& access, std::int64_t step, const llvm::Loop& loop) const {
    const llvm::Value* memory = llvm::getUnderlyingObject(llvm::getLoadStorePointerOperand(&access));
    return llvm::count_if(*access.getParent(), [&](const llvm::Instruction& other) {
      if (other.getOpcode() != access.getOpcode() || llvm::getLoadStoreType(&other) != llvm::getLoadStoreType(&access))
        return false;
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&other);
      return llvm::getUnderlyingObject(pointer) == memory && bytesPerIteration(*pointer, loop, layout_) == step;
    });
  }

  /// Values that all iterations share must be one value, or their addresses seem to have nothing in common.
  static void hoist(llvm::Loop& loop) {
    bool changed = false;
    for (llvm::BasicBlock* block : loop.blocks())
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block))
        if (!instruction.isTerminator() && isLoopInvariant(instruction, loop)) {
          // Flags that a condition in the loop implies do not hold ahead of it.
          if (block != loop.getHeader() && block != loop.getLoopLatch()) instruction.dropPoisonGeneratingFlags();
          loop.makeLoopInvariant(&instruction, changed);
        }
  }

  void unroll(const Row& row) {
    if (row.iterations == 1) return;
    llvm::Loop& loop = *row.loop;
    hoist(loop);
    unroller_.rotate(loop, cost::mostRowInstructions);
    const Place place = placeOf(loop);
    llvm::Loop* remainder = nullptr;
    if (!unroller_.unrollBy(row.iterations, loop, /*testsEach=*/true, &remainder)) return;
    const bool both = remainder && row.unrollRemainder &&
                      unroller_.unrollBy(cost::leastRowIterations, *remainder, /*testsEach=*/true);
    remark(unroller_.function, place, RemarkKind::Unroll,
           fmt::format("loop unrolled by {}{}: each work-item accesses its own row", row.iterations,
                       both ? fmt::format(", the remaining iterations by {}", cost::leastRowIterations) : ""));
  }

  Unroller unroller_;
  const llvm::DataLayout& layout_;
  const VarianceInfo& variance_;
  const unsigned along_;
  unsigned added_ = 0;  ///< instructions, by all loops
};

}  // namespace

llvm::PreservedAnalyses UnrollRowLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (analyses.getResult<llvm::LoopAnalysis>(function).empty()) return llvm::PreservedAnalyses::all();
  RowUnroller(function, analyses).run();
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
