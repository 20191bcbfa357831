// SPDX-License-Identifier: Apache-2.0
// This file finds loops that access memory in a better order if all work-items run one iteration before any runs the
// next.
#include "compiler/passes/interchange_loops.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/no_wrap.h"
#include "compiler/analysis/variance.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/kernel_abi.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/passes/interleave_groups.h"
#include "compiler/transforms/counted_loop.h"
#include "compiler/transforms/index_form.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace clarity::compiler {
namespace {

/// A loop `for (i = start; i < bound; i += step)`, whatever the comparison.
struct Counted {
  llvm::PHINode* counter = nullptr;
  llvm::Value* start = nullptr;  ///< not negative, in the counter's type or in 64 bits
  llvm::Value* step = nullptr;
  llvm::Value* bound = nullptr;
  llvm::CmpInst::Predicate predicate{};  ///< counter PREDICATE bound: another iteration
};

/// The value that a loop carries from iteration to iteration beside its counter.
struct Carried {
  llvm::SmallVector<llvm::PHINode*, 4> counters;  ///< grow by the same in every iteration
  llvm::SmallVector<llvm::PHINode*, 4> values;    ///< anything else
};

class LoopInterchanger {
public:
  LoopInterchanger(llvm::Function& function, const VarianceInfo& variance, std::uint64_t itemsTogether, bool always)
      : function_(function),
        layout_(function.getDataLayout()),
        variance_(variance),
        itemsTogether_(itemsTogether),
        always_(always) {}

  bool run(llvm::Loop& loop) {
    const auto counted = count(loop);
    if (!counted || (!always_ && !llvm::isa<llvm::ConstantInt>(counted->step)) || !gainsFrom(loop, *counted))
      return false;
    const auto carried = carriedBy(loop, *counted);
    if (!carried) return false;
    remark(function_, placeOf(loop), RemarkKind::Order,
           "loop interchanged with the loops over work-items: each iteration accesses consecutive memory");
    if (hasNeighbouringRanges(loop)) function_.addFnAttr(wantsInterleavingAttribute, std::to_string(itemBytes_));
    rewrite(loop, *counted, *carried);
    return true;
  }

private:
  /// Whether the loop accesses global memory in which the range of a work-group begins where that of its neighbour
  /// ends: work-groups that run as one make the stream longer. They do not where all of them read the same.
  bool hasNeighbouringRanges(const llvm::Loop& loop) const {
    const auto items = knownLocalSize(function_, 0);
    if (!items) return false;
    constexpr unsigned axis = 1;
    const VarianceInfo variance = VarianceInfo::ofGroups(function_, {.axis = axis});
    return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [&](const llvm::Instruction& access) {
        const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&access);
        if (!pointer || pointer->getType()->getPointerAddressSpace() == localAddressSpace) return false;
        const ValueVariance variances = variance.of(*pointer);
        const auto ofItem = variances.stride[0], ofGroup = variances.stride[axis];
        return ofItem && ofGroup && *ofItem != 0 && *ofGroup == *ofItem * static_cast<std::int64_t>(*items);
      });
    });
  }

  // --- candidates ----------------------------------------------------------------------------------------------

  std::optional<Counted> count(const llvm::Loop& loop) const {
    if (!endsAtHeader(loop) || !variance_.divergence(*loop.getLoopPreheader()).empty()) return std::nullopt;
    const auto test = testOf(loop);
    if (!test) return std::nullopt;
    Counted counted;
    counted.counter = test->counter, counted.bound = test->limit, counted.predicate = test->predicate;
    return complete(loop, counted) ? std::optional(counted) : std::nullopt;
  }

  bool complete(const llvm::Loop& loop, Counted& counted) const {
    using llvm::CmpInst;
    if (counted.predicate != CmpInst::ICMP_ULT && counted.predicate != CmpInst::ICMP_ULE &&
        counted.predicate != CmpInst::ICMP_SLT && counted.predicate != CmpInst::ICMP_SLE)
      return false;
    if (!counted.counter->getType()->isIntegerTy(32) && !counted.counter->getType()->isIntegerTy(64)) return false;
    if (counted.bound->getType()->getIntegerBitWidth() > 64 || !sameInAllIterations(counted.bound, loop)) return false;
    counted.step = uniformStepOf(*counted.counter, loop);
    if (!counted.step || !isPositiveSize(*counted.step)) return false;
    counted.start = wideStart(startOf(*counted.counter, loop), CmpInst::isSigned(counted.predicate));
    return counted.start;
  }

  static llvm::Value* startOf(const llvm::PHINode& phi, const llvm::Loop& loop) {
    return phi.getIncomingValueForBlock(loop.getLoopPreheader());
  }

  bool sameInAllIterations(const llvm::Value* value, const llvm::Loop& loop) const {
    return loop.isLoopInvariant(value) && variance_.uniform(*value);
  }

  /// By how much a phi grows in every iteration, the same for all work-items; nullptr: it does not.
  llvm::Value* uniformStepOf(const llvm::PHINode& phi, const llvm::Loop& loop) const {
    llvm::Value* step = stepOf(phi, loop);
    return step && variance_.uniform(*step) ? step : nullptr;
  }

  /// A value that is the start of a counter in 64 bits, perhaps by an extension; nullptr if the counter may be below
  /// zero.
  llvm::Value* wideStart(llvm::Value* start, bool isSigned) const {
    const unsigned room = isSigned ? 31 : 32;
    if (const auto* cut = llvm::dyn_cast<llvm::TruncInst>(start); cut && start->getType()->isIntegerTy(32))
      if (valuesOf(*cut->getOperand(0)).getUnsignedMax().isIntN(room)) return cut->getOperand(0);
    if (start->getType()->isIntegerTy(64) && valuesOf(*start).isAllNonNegative()) return start;
    return !isSigned || isNonNegative(*start, layout_) ? start : nullptr;
  }

  /// Whether somewhere in the loop neighbours access consecutive memory, and iterations memory far from each other.
  bool gainsFrom(const llvm::Loop& loop, const Counted& counted) {
    bool gains = false;
    llvm::SmallPtrSet<const llvm::Value*, 8> fromBefore;
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const llvm::Instruction& instruction : *block) {
        if (!mayMove(instruction)) return false;
        gains |= isSideBySide(instruction, counted);
        if (llvm::isa<llvm::PHINode>(instruction)) continue;
        for (const llvm::Value* operand : instruction.operands())
          if (llvm::isa<llvm::Instruction>(operand) && loop.isLoopInvariant(operand) && !variance_.uniform(*operand) &&
              !isArithmetic(operand))
            fromBefore.insert(operand);
      }
    return gains && fromBefore.size() <= cost::interchange::mostFromBefore;
  }

  static bool mayMove(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call)) return true;
    if (const auto primitive = primitiveOf(instruction))
      return isQuery(*primitive) || *primitive == Primitive::ExpectBelow;
    return !call->isConvergent();
  }

  bool isSideBySide(const llvm::Instruction& instruction, const Counted& counted) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || pointer->getType()->getPointerAddressSpace() == localAddressSpace) return false;
    const auto bytes =
        static_cast<std::int64_t>(layout_.getTypeAllocSize(llvm::getLoadStoreType(&instruction)).getFixedValue());
    const auto stride = variance_.of(*pointer).stride[0];
    if (!stride || distance(*stride) != bytes ||
        itemsTogether_ * static_cast<std::uint64_t>(bytes) < cost::interchange::leastGroupBytes)
      return false;
    itemBytes_ = std::max(itemBytes_, static_cast<std::uint64_t>(bytes));
    const auto* step = llvm::dyn_cast<llvm::ConstantInt>(counted.step);
    return !step || step->getZExtValue() * static_cast<std::uint64_t>(bytes) >= cost::interchange::leastStepBytes;
  }

  /// Whether a value is no more than arithmetic on ids, computed again wherever it is needed.
  static bool isArithmetic(const llvm::Value* value, unsigned depth = 0) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return true;
    if (const auto primitive = primitiveOf(*instruction)) return isQuery(*primitive);
    if (depth > cost::search::interchangeDepth ||
        !(instruction->isCast() || instruction->isBinaryOp() ||
          llvm::isa<llvm::GetElementPtrInst, llvm::SelectInst, llvm::ICmpInst>(instruction)))
      return false;
    if (instruction->getType()->isFPOrFPVectorTy()) return false;
    return llvm::all_of(instruction->operands(),
                        [&](const llvm::Value* operand) { return isArithmetic(operand, depth + 1); });
  }

  /// Nothing if that is too much, or is used where it is not available.
  std::optional<Carried> carriedBy(const llvm::Loop& loop, const Counted& counted) const {
    Carried carried;
    for (llvm::PHINode& phi : loop.getHeader()->phis()) {
      const bool counts = uniformStepOf(phi, loop);
      if (counts && usedOutside(phi, loop)) return std::nullopt;
      if (&phi == counted.counter) continue;
      if (counts)
        carried.counters.push_back(&phi);
      else if (phi.getType()->isPointerTy())
        return std::nullopt;
      else
        carried.values.push_back(&phi);
    }
    for (const llvm::Instruction& instruction : *loop.getHeader())
      if (!llvm::isa<llvm::PHINode>(instruction) && usedOutside(instruction, loop)) return std::nullopt;
    return carried.values.size() <= cost::interchange::mostCarried ? std::optional(carried) : std::nullopt;
  }

  static bool usedOutside(const llvm::Instruction& value, const llvm::Loop& loop) {
    return llvm::any_of(value.users(),
                        [&](const llvm::User* user) { return !loop.contains(llvm::cast<llvm::Instruction>(user)); });
  }

  // --- the new order -------------------------------------------------------------------------------------------

  /// The old header begins the body of an iteration; a work-item that has reached its end skips the rest of it.
  void rewrite(llvm::Loop& loop, const Counted& counted, const Carried& carried) {
    llvm::BasicBlock *before = loop.getLoopPreheader(), *body = loop.getHeader(), *latch = loop.getLoopLatch(),
                     *exit = loop.getExitBlock();
    llvm::LLVMContext& context = function_.getContext();
    llvm::BasicBlock* test = llvm::BasicBlock::Create(context, "iterations", &function_, body);
    llvm::BasicBlock* next = llvm::BasicBlock::Create(context, "iterations.next", &function_, exit);
    llvm::BasicBlock* done = llvm::BasicBlock::Create(context, "iterations.done", &function_, exit);
    const bool isSigned = llvm::CmpInst::isSigned(counted.predicate);
    llvm::Type* wide = llvm::Type::getInt64Ty(context);

    // Once for all work-items: how far this iteration is, and whether any work-item may have to run it.
    llvm::IRBuilder<> builder(before->getTerminator());
    builder.SetCurrentDebugLocation({});  // no line of the source
    llvm::Value* start = builder.CreateZExt(counted.start, wide);
    markNoWrap(*start);
    llvm::Value* step = builder.CreateZExt(counted.step, wide);
    llvm::Value* bound = isSigned ? builder.CreateSExt(counted.bound, wide) : builder.CreateZExt(counted.bound, wide);
    llvm::Value* least = leastOf(*counted.start, differsBetweenGroups(*counted.bound), builder);
    builder.SetInsertPoint(test);
    llvm::PHINode* at = builder.CreatePHI(wide, 2, "at");
    llvm::PHINode* iteration = carried.counters.empty() ? nullptr : builder.CreatePHI(wide, 2, "iteration");
    builder.SetInsertPoint(next);
    at->addIncoming(builder.getInt64(0), before);
    at->addIncoming(builder.CreateAdd(at, step, "", true, true), next);
    if (iteration) {
      iteration->addIncoming(builder.getInt64(0), before);
      iteration->addIncoming(builder.CreateAdd(iteration, builder.getInt64(1), "", true, true), next);
    }
    builder.CreateCall(&declarePrimitive(*function_.getParent(), Primitive::Barrier), {builder.getInt32(0)});
    builder.CreateBr(test);

    carry(loop, carried, done);
    replaceCounters(loop, counted, carried, {at, iteration, start, bound});
    builder.SetInsertPoint(test);
    llvm::Value* first = least ? builder.CreateAdd(least, at, "", true, true) : at;
    builder.CreateCondBr(builder.CreateICmp(counted.predicate, first, bound), body, done);
    before->getTerminator()->replaceSuccessorWith(body, test);
    body->getTerminator()->replaceSuccessorWith(exit, next);
    latch->getTerminator()->replaceSuccessorWith(body, next);
    llvm::BranchInst::Create(exit, done);
    exit->replacePhiUsesWith(body, done);
  }

  /// The sum of those terms of a start that all work-items share, in 64 bits: none of them starts below. nullptr: 0.
  /// Terms of the work-group's keep work-groups from being interleaved, unless the bound does so anyway.
  llvm::Value* leastOf(llvm::Value& start, bool ofGroup, llvm::IRBuilder<>& builder, unsigned depth = 0) const {
    using namespace llvm::PatternMatch;
    llvm::Value *a = nullptr, *b = nullptr;
    if (match(&start, m_Zero()) || depth > cost::search::interchangeDepth) return nullptr;
    if (variance_.uniform(start) && (ofGroup || !differsBetweenGroups(start)))
      return builder.CreateZExt(&start, builder.getInt64Ty());
    if (match(&start, m_ZExt(m_Value(a)))) return leastOf(*a, ofGroup, builder, depth + 1);
    if (!match(&start, m_NUWAddLike(m_Value(a), m_Value(b)))) return nullptr;
    llvm::Value* left = leastOf(*a, ofGroup, builder, depth + 1);
    llvm::Value* right = leastOf(*b, ofGroup, builder, depth + 1);
    return left && right ? builder.CreateAdd(left, right, "", true, true) : left ? left : right;
  }

  /// Later passes read from flags that ids computed in 64 bits do not wrap.
  static void markNoWrap(llvm::Value& value, unsigned depth = 0) {
    auto* instruction = llvm::dyn_cast<llvm::BinaryOperator>(&value);
    if (!instruction || depth > cost::search::interchangeDepth || !value.getType()->isIntegerTy(64)) return;
    if (neverWraps(*instruction)) {
      instruction->setHasNoUnsignedWrap();
      instruction->setHasNoSignedWrap();
    }
    for (const llvm::Use& operand : instruction->operands()) markNoWrap(*operand, depth + 1);
  }

  /// A value that a work-item carries along is a private variable: work-items that have reached their end do not change
  /// it.
  void carry(const llvm::Loop& loop, const Carried& carried, llvm::BasicBlock* done) {
    llvm::IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
    llvm::IRBuilder<> before(loop.getLoopPreheader()->getTerminator()), body(&*loop.getHeader()->getFirstInsertionPt()),
        latch(loop.getLoopLatch()->getTerminator()), after(done);
    for (llvm::PHINode* phi : carried.values) {
      llvm::AllocaInst* place = entry.CreateAlloca(phi->getType(), nullptr, phi->getName() + ".carried");
      if (wantsRemarks(function_)) place->setMetadata(variableMetadata, variableNode(*phi, "is carried around a loop"));
      before.CreateStore(startOf(*phi, loop), place);
      latch.CreateStore(phi->getIncomingValueForBlock(loop.getLoopLatch()), place);
      llvm::Value* now = body.CreateLoad(phi->getType(), place, phi->getName());
      llvm::Value* last = usedOutside(*phi, loop) ? after.CreateLoad(phi->getType(), place, phi->getName()) : nullptr;
      for (llvm::Use& use : llvm::make_early_inc_range(phi->uses()))
        use.set(loop.contains(llvm::cast<llvm::Instruction>(use.getUser())) ? now : last);
      phi->eraseFromParent();
    }
  }

  /// The progress of the loop around the work-items, in 64 bits.
  struct Progress {
    llvm::Value* at = nullptr;                       ///< the growth of the counter
    llvm::Value* iteration = nullptr;                ///< its number, where that is needed
    llvm::Value *start = nullptr, *bound = nullptr;  ///< the range of the counter
  };

  void replaceCounters(const llvm::Loop& loop, const Counted& counted, const Carried& carried,
                       const Progress& progress) {
    const bool isSigned = llvm::CmpInst::isSigned(counted.predicate);
    llvm::IRBuilder<> builder(&*loop.getHeader()->getFirstInsertionPt());
    llvm::Value* start = startOf(*counted.counter, loop);
    // Compared in 64 bits, which do not wrap; where the comparison holds the narrow counter has not wrapped.
    llvm::Value* exact = builder.CreateAdd(progress.start, progress.at, "", true, true);
    llvm::Value* more = builder.CreateICmp(counted.predicate, exact, progress.bound);
    auto* branch = llvm::cast<llvm::BranchInst>(loop.getHeader()->getTerminator());
    if (!loop.contains(branch->getSuccessor(0))) branch->swapSuccessors();
    branch->setCondition(more);
    llvm::Value* now = builder.CreateAdd(start, builder.CreateTrunc(progress.at, start->getType()),
                                         counted.counter->getName(), /*HasNUW=*/true, /*HasNSW=*/isSigned);
    replace(*counted.counter, now);
    for (llvm::PHINode* phi : carried.counters) {
      llvm::Value* by = uniformStepOf(*phi, loop);
      llvm::Value* grown = builder.CreateMul(builder.CreateZExtOrTrunc(progress.iteration, phi->getType()), by);
      replace(*phi, builder.CreateAdd(startOf(*phi, loop), grown, phi->getName()));
    }
  }

  static void replace(llvm::PHINode& phi, llvm::Value* value) {
    phi.replaceAllUsesWith(value);
    phi.eraseFromParent();
  }

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  const VarianceInfo& variance_;
  const std::uint64_t itemsTogether_;
  const bool always_;
  std::uint64_t itemBytes_ = 1;  ///< bytes of what neighbours read or write side by side
};

/// How many work-items run together at least; nothing where the interchange would cost more than it gains: where they
/// have private variables in memory that would have to be spilled for every one of them.
std::optional<std::uint64_t> itemsTogether(llvm::Function& function, bool groupAgnostic) {
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (llvm::isa<llvm::AllocaInst>(instruction) || primitiveOf(instruction) == Primitive::SubGroup)
      return std::nullopt;
  if (groupAgnostic || function.hasFnAttribute(mergedGroupsAttribute)) return maxChunkItems;
  const auto items = knownLocalSize(function, 0);
  return items ? std::optional(*items * groupsToInterleave(function)) : std::nullopt;
}

}  // namespace

llvm::PreservedAnalyses InterchangeLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) changed |= narrowCounters(*loop);
  // Variance is computed only where a loop has the form.
  const auto together =
      llvm::any_of(loops.getTopLevelLoops(), [](const llvm::Loop* loop) { return endsAtHeader(*loop); })
          ? itemsTogether(function, options.groupAgnostic)
          : std::nullopt;
  if (together) {
    const VarianceInfo variance(function);
    LoopInterchanger interchanger(function, variance, *together, options.always);
    for (llvm::Loop* loop : loops.getTopLevelLoops()) changed |= interchanger.run(*loop);
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
