// SPDX-License-Identifier: Apache-2.0
// This file finds loops whose work-items share what they load, and runs them strip by strip.
#include "compiler/passes/strip_mine.h"

#include "compiler/analysis/address.h"
#include "compiler/analysis/affine.h"
#include "compiler/analysis/variance.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/ir/strip_marks.h"
#include "compiler/transforms/counted_loop.h"
#include "compiler/transforms/guarded_loop.h"
#include "compiler/transforms/index_form.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <optional>
#include <string>

namespace clarity::compiler {
namespace {

/// A loop `for (i = start; i < limit; i += step)`.
struct Counted {
  llvm::PHINode* counter = nullptr;
  llvm::Value *start = nullptr, *limit = nullptr;
  std::uint64_t step = 1;
  llvm::CmpInst::Predicate predicate{};
};

/// The loads of an iteration that neighbours have in common.
struct SharedLoads {
  bool alongX = false, alongY = false;  ///< some differ along this dimension alone
  bool far = false;                     ///< neighbours or iterations of one of these are far apart, not both
  std::uint64_t bytes = 1;              ///< bytes of the largest element
};

class StripMiner {
public:
  StripMiner(llvm::Function& function, const VarianceInfo& variance)
      : function_(function), context_(function.getContext()), layout_(function.getDataLayout()), variance_(variance) {}

  /// A loop whose only way out is its header, to a block that has no other way in.
  static bool hasForm(const llvm::Loop& loop) {
    return endsAtHeader(loop) && loop.getExitBlock() && loop.getExitBlock()->getSinglePredecessor() == loop.getHeader();
  }

  bool run(llvm::Loop& loop, bool onlyNotes) {
    if (!hasForm(loop)) return false;
    before_ = loop.getLoopPreheader();
    const auto counted = count(loop);
    if (!counted) return false;
    const auto shared = sharedLoads(loop);
    if (!shared || !shared->alongX || !shared->alongY || !shared->far || !takeCarried(loop, *counted)) return false;
    auto guard = guardOf(loop, variance_);
    if (!guard || !startsAreKnown(loop, *guard)) return false;
    function_.addFnAttr(boxAttribute, std::to_string(cost::strip::boxSide));
    if (onlyNotes) return true;
    const std::uint64_t iterations = cost::strip::panelBytes / (cost::strip::boxSide * shared->bytes);
    remark(function_, placeOf(loop), RemarkKind::Order,
           "loop runs in strips of " + std::to_string(iterations) +
               " iterations, each for all work-items of a box: they read the same rows and columns");
    rewrite(loop, *counted, *guard, iterations);
    return true;
  }

private:
  // --- candidates ----------------------------------------------------------------------------------------------------

  std::optional<Counted> count(const llvm::Loop& loop) const {
    const auto test = testOf(loop);
    if (!test || test->limit->getType() != test->counter->getType()) return std::nullopt;
    Counted counted;
    counted.counter = test->counter, counted.limit = test->limit, counted.predicate = test->predicate;
    return complete(loop, counted) ? std::optional(counted) : std::nullopt;
  }

  bool complete(const llvm::Loop& loop, Counted& counted) const {
    if (counted.predicate != llvm::CmpInst::ICMP_ULT && counted.predicate != llvm::CmpInst::ICMP_SLT) return false;
    const auto* step = llvm::dyn_cast_or_null<llvm::ConstantInt>(stepOf(*counted.counter, loop));
    counted.start = startOf(*counted.counter);
    if (!step || step->getBitWidth() > 64 || step->isZero() || step->getValue().ugt(cost::strip::mostStep))
      return false;
    counted.step = step->getZExtValue();
    const auto* next =
        llvm::dyn_cast<llvm::BinaryOperator>(counted.counter->getIncomingValueForBlock(loop.getLoopLatch()));
    if (!next || next->getOpcode() != llvm::Instruction::Add) return false;
    return isSame(*counted.start, loop) && isSame(*counted.limit, loop);
  }

  bool isSame(const llvm::Value& value, const llvm::Loop& loop) const {
    return loop.isLoopInvariant(&value) && variance_.uniform(value);
  }

  llvm::Value* startOf(const llvm::PHINode& phi) const { return phi.getIncomingValueForBlock(before_); }

  /// Nothing where the loop does more than load and compute.
  std::optional<SharedLoads> sharedLoads(const llvm::Loop& loop) const {
    SharedLoads shared;
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const llvm::Instruction& instruction : *block) {
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
          note(*load, loop, shared);
        } else if (instruction.mayReadOrWriteMemory()) {
          return std::nullopt;
        }
      }
    return shared;
  }

  void note(const llvm::LoadInst& load, const llvm::Loop& loop, SharedLoads& shared) const {
    const ValueVariance address = variance_.of(*load.getPointerOperand());
    const bool alongX = address.dims == Dimensions::only(0), alongY = address.dims == Dimensions::only(1);
    if (!alongX && !alongY) return;
    const auto bytes = layout_.getTypeAllocSize(load.getType()).getFixedValue();
    const auto stride = address.stride[alongX ? 0 : 1];
    const auto step = bytesPerIteration(*load.getPointerOperand(), loop, layout_);
    const bool farStep = !step || distance(*step) > cost::cacheLine;
    const auto size = static_cast<std::int64_t>(bytes);
    const bool neighbours = stride && distance(*stride) == size;
    const bool farNeighbours = !stride || distance(*stride) > cost::mostShuffledStride * size;
    if (step == 0) return;
    shared.alongX |= alongX;
    shared.alongY |= alongY;
    shared.far |= (neighbours && farStep) || (alongX && farNeighbours && step == size);
    shared.bytes = std::max<std::uint64_t>(shared.bytes, bytes);
  }

  /// Finds what the loop carries from iteration to iteration.
  bool takeCarried(const llvm::Loop& loop, const Counted& counted) {
    for (llvm::PHINode& phi : loop.getHeader()->phis()) {
      llvm::Value* step = stepOf(phi, loop);
      const bool counts = step && isSame(*step, loop);
      if (counts && usedOutside(phi, loop)) return false;
      if (&phi == counted.counter) continue;
      // A value that all work-items share must not become one of each.
      if (!counts && (phi.getType()->isPointerTy() || variance_.uniform(phi))) return false;
      (counts ? counters_ : values_).push_back(&phi);
    }
    return values_.size() <= cost::strip::mostCarried &&
           llvm::none_of(*loop.getHeader(), [&](const llvm::Instruction& instruction) {
             return !llvm::isa<llvm::PHINode>(instruction) && usedOutside(instruction, loop);
           });
  }

  static bool usedOutside(const llvm::Instruction& value, const llvm::Loop& loop) {
    return llvm::any_of(value.users(),
                        [&](const llvm::User* user) { return !loop.contains(llvm::cast<llvm::Instruction>(user)); });
  }

  /// Whether what stays behind the guard is needed for no more than where values start.
  bool startsAreKnown(const llvm::Loop& loop, const LoopGuard& guard) const {
    return llvm::all_of(guard.staying, [&](const llvm::Instruction* instruction) {
      return llvm::all_of(instruction->uses(), [&](const llvm::Use& use) {
        const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
        return user->getParent() == before_ || (phi && llvm::is_contained(values_, phi));
      });
    });
  }

  // --- strips --------------------------------------------------------------------------------------------------------

  llvm::BasicBlock* block(const char* name, llvm::BasicBlock* before) {
    return llvm::BasicBlock::Create(context_, name, &function_, before);
  }

  void rewrite(llvm::Loop& loop, const Counted& counted, LoopGuard& guard, std::uint64_t mostIterations) {
    llvm::BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch(), *exit = loop.getExitBlock();
    llvm::FoldSingleEntryPHINodes(exit);
    guard.ask();
    llvm::BasicBlock *test = block("strips", header), *strip = block("strip", header),
                     *leave = block("strip.end", exit), *next = block("strip.next", exit),
                     *finish = block("strips.done", exit);
    llvm::BasicBlock* enter = guard.condition ? block("strip.begin", header) : strip;
    llvm::Type* type = counted.counter->getType();
    const auto number = [&](std::uint64_t value) { return llvm::ConstantInt::get(type, value); };

    llvm::IRBuilder<> builder(guard.outer->getTerminator());
    builder.SetCurrentDebugLocation({});  // no line of the source
    llvm::Value* total = iterationsOf(counted, builder);
    builder.SetInsertPoint(test);
    llvm::PHINode* done = builder.CreatePHI(type, 2, "done");
    builder.CreateCondBr(builder.CreateICmpULT(done, total), strip, finish);
    builder.SetInsertPoint(strip);
    llvm::Value* length = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, builder.CreateSub(total, done),
                                                        number(mostIterations), {}, "length");
    if (guard.condition)
      builder.CreateCondBr(guard.condition, enter, next);
    else
      builder.CreateBr(header);
    if (enter != strip) llvm::BranchInst::Create(header, enter);
    builder.SetInsertPoint(leave);
    builder.CreateBr(next);
    builder.SetInsertPoint(next);
    builder.CreateCall(&declarePrimitive(*function_.getParent(), Primitive::Barrier), {builder.getInt32(0)});
    llvm::Value* following = builder.CreateAdd(done, length, "", true);
    builder.CreateBr(test);
    builder.SetInsertPoint(finish);
    if (guard.condition)
      builder.CreateCondBr(guard.condition, exit, guard.join);
    else
      builder.CreateBr(exit);

    carry(loop, *enter, *leave);
    count(loop, counted, *enter, *done);
    llvm::PHINode* iteration = countInStrip(*header, *enter, *latch, type);
    auto* branch = llvm::cast<llvm::BranchInst>(header->getTerminator());
    if (!loop.contains(branch->getSuccessor(0))) branch->swapSuccessors();
    builder.SetInsertPoint(branch);
    branch->setCondition(builder.CreateICmpULT(iteration, length));
    branch->setSuccessor(1, leave);
    branch->setMetadata(stripMetadata, llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                                                                       builder.getInt64Ty(), mostIterations))));
    replaceCounter(counted, *enter, *latch, *done, *iteration);
    // One way in: values that meet behind a condition count as different.
    llvm::BasicBlock* first = block("strips.begin", test);
    llvm::BranchInst::Create(test, first);
    guard.leadTo(*first, *before_);
    done->addIncoming(number(0), first);
    done->addIncoming(following, next);
  }

  /// How often the loop runs: its counter is below the limit so often.
  static llvm::Value* iterationsOf(const Counted& counted, llvm::IRBuilder<>& builder) {
    llvm::Type* type = counted.counter->getType();
    llvm::Value* some = builder.CreateICmp(counted.predicate, counted.start, counted.limit);
    llvm::Value* all = builder.CreateSub(counted.limit, counted.start);
    if (counted.step > 1) {
      llvm::Value* one = llvm::ConstantInt::get(type, 1);
      all = builder.CreateUDiv(builder.CreateSub(all, one), llvm::ConstantInt::get(type, counted.step));
      all = builder.CreateAdd(all, one);
    }
    return builder.CreateSelect(some, all, llvm::ConstantInt::get(type, 0), "iterations");
  }

  /// A value that a work-item carries along is a private variable between strips.
  void carry(const llvm::Loop& loop, llvm::BasicBlock& enter, llvm::BasicBlock& leave) {
    llvm::IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
    llvm::IRBuilder<> start(before_->getTerminator()), begin(enter.getTerminator()), end(leave.getTerminator()),
        after(&*loop.getExitBlock()->getFirstInsertionPt());
    for (llvm::PHINode* phi : values_) {
      llvm::AllocaInst* place = entry.CreateAlloca(phi->getType(), nullptr, phi->getName() + ".carried");
      if (wantsRemarks(function_)) place->setMetadata(variableMetadata, variableNode(*phi, "is carried around a loop"));
      start.CreateStore(startOf(*phi), place);
      llvm::Value* now = begin.CreateLoad(phi->getType(), place, phi->getName());
      llvm::Value* last = usedOutside(*phi, loop) ? after.CreateLoad(phi->getType(), place, phi->getName()) : nullptr;
      phi->replaceUsesWithIf(last, [&](const llvm::Use& use) {
        return last && !loop.contains(llvm::cast<llvm::Instruction>(use.getUser()));
      });
      end.CreateStore(phi, place);
      enterWith(*phi, enter, now);
    }
  }

  void enterWith(llvm::PHINode& phi, llvm::BasicBlock& enter, llvm::Value* value) const {
    const auto from = static_cast<unsigned>(phi.getBasicBlockIndex(before_));
    phi.setIncomingValue(from, value);
    phi.setIncomingBlock(from, &enter);
  }

  /// Counters beside the loop's own begin each strip where the last one ended.
  void count(const llvm::Loop& loop, const Counted& counted, llvm::BasicBlock& enter, llvm::PHINode& done) {
    llvm::IRBuilder<> builder(enter.getTerminator());
    for (llvm::PHINode* phi : counters_) {
      llvm::Value* grown = builder.CreateMul(builder.CreateZExtOrTrunc(&done, phi->getType()), stepOf(*phi, loop));
      enterWith(*phi, enter, builder.CreateAdd(startOf(*phi), grown, phi->getName()));
    }
    enterWith(*counted.counter, enter, counted.start);
  }

  static llvm::PHINode* countInStrip(llvm::BasicBlock& header, llvm::BasicBlock& enter, llvm::BasicBlock& latch,
                                     llvm::Type* type) {
    llvm::PHINode* iteration = llvm::IRBuilder<>(&header.front()).CreatePHI(type, 2, "in.strip");
    iteration->addIncoming(llvm::ConstantInt::get(type, 0), &enter);
    iteration->addIncoming(
        llvm::IRBuilder<>(latch.getTerminator()).CreateAdd(iteration, llvm::ConstantInt::get(type, 1), "", true, true),
        &latch);
    return iteration;
  }

  /// The counter is where the strip begins and what it has come to there. The sum wraps where the counter would have.
  static void replaceCounter(const Counted& counted, llvm::BasicBlock& enter, llvm::BasicBlock& latch,
                             llvm::Value& done, llvm::Value& iteration) {
    auto* next = llvm::cast<llvm::BinaryOperator>(counted.counter->getIncomingValueForBlock(&latch));
    const bool nuw = next->hasNoUnsignedWrap(), nsw = next->hasNoSignedWrap();
    llvm::IRBuilder<> before(enter.getTerminator()), body(&*counted.counter->getParent()->getFirstInsertionPt());
    llvm::Value* step = llvm::ConstantInt::get(counted.counter->getType(), counted.step);
    llvm::Value* grown = counted.step == 1 ? &done : before.CreateMul(&done, step);
    llvm::Value* begin = before.CreateAdd(counted.start, grown, "strip.first", nuw, nsw);
    llvm::Value* within = counted.step == 1 ? &iteration : body.CreateMul(&iteration, step, "", true, true);
    llvm::Value* now = body.CreateAdd(begin, within, counted.counter->getName(), nuw, nsw);
    counted.counter->replaceAllUsesWith(now);
    counted.counter->eraseFromParent();
    if (next->use_empty()) next->eraseFromParent();
  }

  llvm::Function& function_;
  llvm::LLVMContext& context_;
  const llvm::DataLayout& layout_;
  const VarianceInfo& variance_;
  llvm::BasicBlock* before_ = nullptr;             ///< the loop's preheader
  llvm::SmallVector<llvm::PHINode*, 4> counters_;  ///< grow by the same in every iteration
  llvm::SmallVector<llvm::PHINode*, 4> values_;    ///< anything else that is carried along
};

/// Whether work-items of the kernel do nothing but compute, load and store by themselves.
bool isPlain(const llvm::Function& function) {
  return llvm::all_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::AllocaInst>(instruction) || instruction.isAtomic() || instruction.isVolatile()) return false;
    if (const auto primitive = primitiveOf(instruction)) return isQuery(*primitive);
    return !llvm::isa<llvm::CallBase>(instruction) || llvm::isa<llvm::IntrinsicInst>(instruction);
  });
}

}  // namespace

llvm::PreservedAnalyses StripMinePass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!options.pays || !isPlain(function)) return llvm::PreservedAnalyses::all();
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (llvm::none_of(loops.getTopLevelLoops(), [](const llvm::Loop* loop) { return StripMiner::hasForm(*loop); }))
    return llvm::PreservedAnalyses::all();
  const VarianceInfo variance(function);
  for (llvm::Loop* loop : loops.getTopLevelLoops())
    if (StripMiner(function, variance).run(*loop, options.onlyNotes)) return llvm::PreservedAnalyses::none();
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
