// SPDX-License-Identifier: Apache-2.0
// This file finds loops whose turns suit memory better than their work-items do, and puts the turns first.
#include "compiler/passes/interchange_loops.h"

#include "compiler/analysis/variance.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/attributes.h"
#include "compiler/cost_model.h"
#include "compiler/kernel_abi.h"
#include "compiler/passes/interleave_groups.h"
#include "compiler/primitives.h"
#include "compiler/remarks.h"

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

constexpr unsigned idBits = 31;              ///< of ids and sizes: other launches are not for this pass
constexpr unsigned mostDepth = 8;            ///< of expressions that are looked through
constexpr unsigned mostCarried = cost::interchange::mostCarried;          ///< values that a work-item may take from turn to turn
constexpr unsigned mostFromBefore = cost::interchange::mostFromBefore;       ///< values of its own that the loop may read and that are not cheap to compute again
constexpr std::uint64_t leastPieceBytes = cost::interchange::leastGroupBytes;  ///< what a work-group accesses at a time, if it cannot run together with its neighbours
constexpr std::uint64_t leastStepBytes = cost::interchange::leastStepBytes;  ///< shorter ones stay within a few cache lines

/// A loop `for (i = start; i < bound; i += step)`, whatever the comparison.
struct Counted {
  llvm::PHINode* counter = nullptr;
  llvm::Value* start = nullptr;  ///< in 64 bits
  llvm::Value* step = nullptr;
  llvm::Value* bound = nullptr;
  llvm::CmpInst::Predicate predicate{};  ///< counter PREDICATE bound: another turn
};

/// What a loop takes from turn to turn beside its counter.
struct Carried {
  llvm::SmallVector<llvm::PHINode*, 4> counters;  ///< grow by the same in every turn
  llvm::SmallVector<llvm::PHINode*, 4> values;    ///< anything else
};

class LoopInterchanger {
public:
  LoopInterchanger(llvm::Function& function, const VarianceInfo& variance, std::uint64_t itemsTogether, bool always)
      : function_(function), layout_(function.getDataLayout()), variance_(variance), itemsTogether_(itemsTogether), always_(always) {}

  /// Moves what every turn computes alike ahead of the loop, and gives counters the width that the program gave them.
  static bool prepare(llvm::Loop& loop) {
    if (!loop.isInnermost() || !loop.getLoopPreheader() || !loop.getLoopLatch()) return false;
    bool changed = false;
    for (llvm::BasicBlock* block : loop.blocks())
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        const auto primitive = primitiveOf(instruction);
        const bool pure = primitive ? isQuery(*primitive) : !instruction.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&instruction);
        if (!pure || instruction.isTerminator() || llvm::isa<llvm::PHINode>(instruction) || !loop.hasLoopInvariantOperands(&instruction)) continue;
        instruction.moveBefore(loop.getLoopPreheader()->getTerminator()->getIterator());
        changed = true;
      }
    for (llvm::PHINode& phi : llvm::make_early_inc_range(loop.getHeader()->phis())) changed |= narrow(phi, loop);
    for (llvm::PHINode& phi : loop.getHeader()->phis()) changed |= compareApart(phi);
    return changed;
  }

  /// A loop of its own that is left where a turn begins.
  static bool hasForm(const llvm::Loop* loop) {
    const llvm::BasicBlock* header = loop->getHeader();
    return loop->isInnermost() && !loop->getParentLoop() && loop->getLoopPreheader() && loop->getLoopLatch() && loop->getLoopLatch() != header && loop->getExitingBlock() == header;
  }

  bool run(llvm::Loop& loop) {
    const auto counted = count(loop);
    if (!counted || (!always_ && !llvm::isa<llvm::ConstantInt>(counted->step)) || !gainsFrom(loop, *counted)) return false;
    const auto carried = carriedBy(loop, *counted);
    if (!carried) return false;
    remark(function_, placeOf(loop), RemarkKind::Order, "loop interchanged with the loops over work-items: they step through memory together");
    function_.addFnAttr(wantsInterleavingAttribute, std::to_string(itemBytes_));
    rewrite(loop, *counted, *carried);
    return true;
  }

private:
  /// An extension that leads to addresses only is known not to wrap around (variance.h): comparisons get one of their own.
  static bool compareApart(llvm::PHINode& phi) {
    const auto compares = [](const llvm::Use& use) { return llvm::isa<llvm::ICmpInst>(use.getUser()); };
    bool changed = false;
    for (llvm::User* user : llvm::make_early_inc_range(phi.users())) {
      if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(user)) continue;
      auto* extension = llvm::cast<llvm::CastInst>(user);
      if (llvm::none_of(extension->uses(), compares) || llvm::all_of(extension->uses(), compares)) continue;
      llvm::Instruction* apart = extension->clone();
      apart->insertBefore(extension->getIterator());
      extension->replaceUsesWithIf(apart, compares);
      changed = true;
    }
    return changed;
  }

  /// LLVM counts an `int i` in 64 bits where a size_t is added to it, and cuts it back wherever it is used.
  static bool narrow(llvm::PHINode& phi, llvm::Loop& loop) {
    using namespace llvm::PatternMatch;
    llvm::SmallVector<std::pair<llvm::Instruction*, llvm::Instruction::CastOps>, 4> uses;  // and what they are of the narrow counter
    if (!phi.getType()->isIntegerTy(64)) return false;
    for (llvm::User* user : phi.users()) {
      auto* use = llvm::cast<llvm::Instruction>(user);
      if (match(use, m_Trunc(m_Specific(&phi))) && use->getType()->isIntegerTy(32)) {
        uses.emplace_back(use, llvm::Instruction::BitCast);
      } else if (match(use, m_And(m_Specific(&phi), m_SpecificInt(0xffffffff)))) {
        uses.emplace_back(use, llvm::Instruction::ZExt);
      } else if (match(use, m_Shl(m_Specific(&phi), m_SpecificInt(32)))) {
        for (llvm::User* back : use->users()) {
          if (!match(back, m_AShr(m_Specific(use), m_SpecificInt(32)))) return false;
          uses.emplace_back(llvm::cast<llvm::Instruction>(back), llvm::Instruction::SExt);
        }
      } else {
        return false;
      }
    }
    llvm::Value *counted, *step;
    auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    const bool falls = next && match(next, m_Sub(m_Value(counted), m_Value(step)));
    if (!next || (!falls && !match(next, m_Add(m_Value(counted), m_Value(step))))) return false;
    if (!falls && loop.isLoopInvariant(counted)) std::swap(counted, step);
    if (!next->hasOneUse() || !loop.isLoopInvariant(step) || llvm::none_of(uses, [&](const auto& use) { return use.first == counted && use.second != llvm::Instruction::BitCast; })) return false;

    llvm::Type* type = llvm::Type::getInt32Ty(phi.getContext());
    llvm::IRBuilder<> before(loop.getLoopPreheader()->getTerminator()), head(&phi), after(next), body(&*loop.getHeader()->getFirstInsertionPt());
    llvm::PHINode* counter = head.CreatePHI(type, 2, phi.getName());
    counter->addIncoming(before.CreateTrunc(phi.getIncomingValueForBlock(loop.getLoopPreheader()), type), loop.getLoopPreheader());
    llvm::Value* by = before.CreateTrunc(step, type);
    counter->addIncoming(falls ? after.CreateSub(counter, by) : after.CreateAdd(counter, by), loop.getLoopLatch());
    for (const auto& [use, cast] : uses) use->replaceAllUsesWith(cast == llvm::Instruction::BitCast ? counter : body.CreateCast(cast, counter, use->getType()));
    for (const auto& [use, cast] : uses) {
      auto* shifted = cast == llvm::Instruction::SExt ? llvm::cast<llvm::Instruction>(use->getOperand(0)) : nullptr;
      use->eraseFromParent();
      if (shifted && shifted->use_empty()) shifted->eraseFromParent();
    }
    next->replaceAllUsesWith(llvm::PoisonValue::get(next->getType()));
    next->eraseFromParent();
    phi.eraseFromParent();
    return true;
  }

  // --- what is a candidate ----------------------------------------------------------------------------------------------

  std::optional<Counted> count(const llvm::Loop& loop) const {
    const llvm::BasicBlock* header = loop.getHeader();
    if (!hasForm(&loop) || !variance_.divergence(*loop.getLoopPreheader()).empty()) return std::nullopt;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
    auto* comparison = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!comparison) return std::nullopt;
    Counted counted;
    counted.predicate = loop.contains(branch->getSuccessor(0)) ? comparison->getPredicate() : comparison->getInversePredicate();
    for (const bool swapped : {false, true}) {
      llvm::Value* left = withoutExtension(comparison->getOperand(swapped ? 1 : 0), llvm::CmpInst::isSigned(counted.predicate));
      counted.counter = llvm::dyn_cast<llvm::PHINode>(left);
      counted.bound = comparison->getOperand(swapped ? 0 : 1);
      if (!counted.counter || counted.counter->getParent() != header) continue;
      if (swapped) counted.predicate = llvm::CmpInst::getSwappedPredicate(counted.predicate);
      if (!complete(loop, counted)) return std::nullopt;
      return counted;
    }
    return std::nullopt;
  }

  static llvm::Value* withoutExtension(llvm::Value* value, bool isSigned) {
    if (isSigned ? llvm::isa<llvm::SExtInst>(value) : llvm::isa<llvm::ZExtInst>(value)) return llvm::cast<llvm::CastInst>(value)->getOperand(0);
    return value;
  }

  bool complete(const llvm::Loop& loop, Counted& counted) const {
    using llvm::CmpInst;
    if (counted.predicate != CmpInst::ICMP_ULT && counted.predicate != CmpInst::ICMP_ULE && counted.predicate != CmpInst::ICMP_SLT && counted.predicate != CmpInst::ICMP_SLE)
      return false;
    if (!counted.counter->getType()->isIntegerTy(32) && !counted.counter->getType()->isIntegerTy(64)) return false;
    if (counted.bound->getType()->getIntegerBitWidth() > 64 || !sameInAllTurns(counted.bound, loop)) return false;
    counted.step = stepOf(*counted.counter, loop);
    if (!counted.step || !isForward(counted.step)) return false;
    llvm::IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    counted.start = wideStart(startOf(*counted.counter, loop), CmpInst::isSigned(counted.predicate), builder);
    return counted.start;
  }

  static llvm::Value* startOf(const llvm::PHINode& phi, const llvm::Loop& loop) { return phi.getIncomingValueForBlock(loop.getLoopPreheader()); }

  bool sameInAllTurns(const llvm::Value* value, const llvm::Loop& loop) const { return loop.isLoopInvariant(value) && variance_.uniform(*value); }

  /// By what a phi grows in every turn, for all work-items alike; nullptr: it does not.
  llvm::Value* stepOf(const llvm::PHINode& phi, const llvm::Loop& loop) const {
    auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (!sum || sum->getOpcode() != llvm::Instruction::Add) return nullptr;
    for (const unsigned i : {0u, 1u})
      if (sum->getOperand(i) == &phi && sameInAllTurns(sum->getOperand(1 - i), loop)) return sum->getOperand(1 - i);
    return nullptr;
  }

  /// Whether a step is made of sizes only: what is counted with it grows. Of an argument that is not known: 0xffffffff counts down.
  static bool isForward(const llvm::Value* step, unsigned depth = 0) {
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(step)) return known->getValue().isStrictlyPositive();
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(step);
    if (!instruction || depth > mostDepth) return false;
    if (const auto primitive = primitiveOf(*instruction))
      return *primitive == Primitive::GlobalSize || *primitive == Primitive::LocalSize || *primitive == Primitive::EnqueuedLocalSize || *primitive == Primitive::NumGroups;
    switch (instruction->getOpcode()) {
      case llvm::Instruction::Trunc:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::SExt: return isForward(instruction->getOperand(0), depth + 1);
      case llvm::Instruction::Add:
      case llvm::Instruction::Mul:
      case llvm::Instruction::Shl: return isForward(instruction->getOperand(0), depth + 1) && isForward(instruction->getOperand(1), depth + 1);
      default: return false;
    }
  }

  bool isNotNegative(const llvm::Value* value, unsigned depth = 0) const {
    if (llvm::isKnownNonNegative(value, layout_)) return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || depth > mostDepth) return false;
    if (const auto primitive = primitiveOf(*instruction)) return isQuery(*primitive);
    if (instruction->getOpcode() != llvm::Instruction::Add && instruction->getOpcode() != llvm::Instruction::Mul) return false;
    return instruction->hasNoSignedWrap() && isNotNegative(instruction->getOperand(0), depth + 1) && isNotNegative(instruction->getOperand(1), depth + 1);
  }

  /// How many bits a value of 64 bits takes at most that is made of ids, sizes and constants; 64: it may be anything. On the way, what
  /// cannot wrap around is told so.
  unsigned bitsOf(llvm::Value* value, unsigned depth = 0) const {
    using namespace llvm::PatternMatch;
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) return constant->getValue().getActiveBits();
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || depth > mostDepth) return 64;
    if (const auto primitive = primitiveOf(*instruction)) return isQuery(*primitive) && value->getType()->isIntegerTy(64) ? idBits : 64;
    const auto part = [&](unsigned i) { return bitsOf(instruction->getOperand(i), depth + 1); };
    unsigned bits = 64;
    switch (instruction->getOpcode()) {
      case llvm::Instruction::ZExt: return instruction->getOperand(0)->getType()->getIntegerBitWidth();
      case llvm::Instruction::Sub: return instruction->hasNoUnsignedWrap() ? part(0) : 64;
      case llvm::Instruction::Or: return std::max(part(0), part(1));
      case llvm::Instruction::And: return std::min(part(0), part(1));
      case llvm::Instruction::Add: bits = std::max(part(0), part(1)) + 1; break;
      case llvm::Instruction::Mul: bits = part(0) + part(1); break;
      case llvm::Instruction::Shl:
        if (const auto* by = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1))) bits = part(0) + static_cast<unsigned>(by->getLimitedValue(64));
        break;
      default: return 64;
    }
    if (bits > 63) return 64;
    instruction->setHasNoUnsignedWrap();
    instruction->setHasNoSignedWrap();
    return std::min(bits, asPlace(*value));
  }

  /// The same of `group_id * n + local_id`: where n is the work-group's size it is an id, without offset.
  unsigned asPlace(const llvm::Value& value) const {
    using namespace llvm::PatternMatch;
    const llvm::Value *left, *right;
    const llvm::APInt* factor;
    const auto is = [](const llvm::Value* query, Primitive which) {
      match(query, m_CombineOr(m_And(m_Value(query), m_SpecificInt(0xffffffff)), m_ZExt(m_Trunc(m_Value(query)))));
      const auto* call = llvm::dyn_cast<llvm::CallInst>(query);
      return call && primitiveOf(*call) == which;
    };
    std::uint64_t by = 0;
    if (!match(&value, m_Add(m_Value(left), m_Value(right)))) return 64;
    if (is(left, Primitive::LocalId)) std::swap(left, right);
    if (match(left, m_Mul(m_Value(left), m_APInt(factor)))) by = factor->getLimitedValue();
    else if (match(left, m_Shl(m_Value(left), m_APInt(factor))) && factor->ult(31)) by = std::uint64_t{1} << factor->getZExtValue();
    if (by == 0 || !is(left, Primitive::GroupId) || !is(right, Primitive::LocalId)) return 64;
    const std::uint64_t items = knownLocalSize(function_, 0).value_or(0);
    return items == 0 ? 64 : idBits + llvm::Log2_64_Ceil((by + items - 1) / items);
  }

  /// The start of a counter in 64 bits; nullptr if it may be below zero.
  llvm::Value* wideStart(llvm::Value* start, bool isSigned, llvm::IRBuilder<>& builder) const {
    llvm::Type* wide = builder.getInt64Ty();
    const unsigned room = isSigned ? 31 : 32;
    if (const auto* cut = llvm::dyn_cast<llvm::TruncInst>(start); cut && start->getType()->isIntegerTy(32) && bitsOf(cut->getOperand(0)) <= room) return cut->getOperand(0);
    if (start->getType() == wide && bitsOf(start) < 64) return start;
    return !isSigned || isNotNegative(start) ? builder.CreateZExt(start, wide) : nullptr;
  }

  /// Whether neighbours lie side by side in memory somewhere in the loop, and turns far apart.
  bool gainsFrom(const llvm::Loop& loop, const Counted& counted) {
    bool gains = false;
    llvm::SmallPtrSet<const llvm::Value*, 8> fromBefore;
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const llvm::Instruction& instruction : *block) {
        if (!mayMove(instruction)) return false;
        gains |= isSideBySide(instruction, counted);
        if (llvm::isa<llvm::PHINode>(instruction)) continue;
        for (const llvm::Value* operand : instruction.operands())
          if (llvm::isa<llvm::Instruction>(operand) && loop.isLoopInvariant(operand) && !variance_.uniform(*operand) && !isArithmetic(operand)) fromBefore.insert(operand);
      }
    return gains && fromBefore.size() <= mostFromBefore;
  }

  static bool mayMove(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call)) return true;
    if (const auto primitive = primitiveOf(instruction)) return isQuery(*primitive);
    return !call->isConvergent();
  }

  bool isSideBySide(const llvm::Instruction& instruction, const Counted& counted) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || pointer->getType()->getPointerAddressSpace() == localAddressSpace) return false;
    const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(llvm::getLoadStoreType(&instruction)).getFixedValue());
    const auto stride = variance_.of(*pointer).stride[0];
    if (!stride || distance(*stride) != bytes || itemsTogether_ * static_cast<std::uint64_t>(bytes) < leastPieceBytes) return false;
    itemBytes_ = std::max(itemBytes_, static_cast<std::uint64_t>(bytes));
    const auto* step = llvm::dyn_cast<llvm::ConstantInt>(counted.step);
    return !step || step->getZExtValue() * static_cast<std::uint64_t>(bytes) >= leastStepBytes;
  }

  /// Whether a value is no more than arithmetic on ids, computed again wherever it is needed.
  static bool isArithmetic(const llvm::Value* value, unsigned depth = 0) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return true;
    if (const auto primitive = primitiveOf(*instruction)) return isQuery(*primitive);
    if (depth > mostDepth || !(instruction->isCast() || instruction->isBinaryOp() || llvm::isa<llvm::GetElementPtrInst, llvm::SelectInst, llvm::ICmpInst>(instruction))) return false;
    if (instruction->getType()->isFPOrFPVectorTy()) return false;
    return llvm::all_of(instruction->operands(), [&](const llvm::Value* operand) { return isArithmetic(operand, depth + 1); });
  }

  /// Nothing if it is too much, or is asked for where it cannot be had.
  std::optional<Carried> carriedBy(const llvm::Loop& loop, const Counted& counted) const {
    Carried carried;
    for (llvm::PHINode& phi : loop.getHeader()->phis()) {
      const bool counts = phi.getType()->isIntegerTy() && stepOf(phi, loop);
      if (counts && usedOutside(phi, loop)) return std::nullopt;
      if (&phi == counted.counter) continue;
      if (counts) carried.counters.push_back(&phi);
      else if (phi.getType()->isPointerTy()) return std::nullopt;
      else carried.values.push_back(&phi);
    }
    for (const llvm::Instruction& instruction : *loop.getHeader())
      if (!llvm::isa<llvm::PHINode>(instruction) && usedOutside(instruction, loop)) return std::nullopt;
    return carried.values.size() <= mostCarried ? std::optional(carried) : std::nullopt;
  }

  static bool usedOutside(const llvm::Instruction& value, const llvm::Loop& loop) {
    return llvm::any_of(value.users(), [&](const llvm::User* user) { return !loop.contains(llvm::cast<llvm::Instruction>(user)); });
  }

  // --- the new order ----------------------------------------------------------------------------------------------------

  /// The old header begins the body of a turn; a work-item that has reached its end goes around the rest of it.
  void rewrite(llvm::Loop& loop, const Counted& counted, const Carried& carried) {
    llvm::BasicBlock *before = loop.getLoopPreheader(), *body = loop.getHeader(), *latch = loop.getLoopLatch(), *exit = loop.getExitBlock();
    llvm::LLVMContext& context = function_.getContext();
    llvm::BasicBlock* test = llvm::BasicBlock::Create(context, "turns", &function_, body);
    llvm::BasicBlock* next = llvm::BasicBlock::Create(context, "turns.next", &function_, exit);
    llvm::BasicBlock* done = llvm::BasicBlock::Create(context, "turns.done", &function_, exit);
    const bool isSigned = llvm::CmpInst::isSigned(counted.predicate);
    llvm::Type* wide = llvm::Type::getInt64Ty(context);

    // Once for all: how far this turn is, and whether it can concern anybody.
    llvm::IRBuilder<> builder(before->getTerminator());
    builder.SetCurrentDebugLocation({});  // nothing of this is the program's
    llvm::Value* step = builder.CreateZExt(counted.step, wide);
    llvm::Value* bound = isSigned ? builder.CreateSExt(counted.bound, wide) : builder.CreateZExt(counted.bound, wide);
    builder.SetInsertPoint(test);
    llvm::PHINode* at = builder.CreatePHI(wide, 2, "at");
    llvm::PHINode* turn = carried.counters.empty() ? nullptr : builder.CreatePHI(wide, 2, "turn");
    builder.SetInsertPoint(next);
    at->addIncoming(builder.getInt64(0), before);
    at->addIncoming(builder.CreateAdd(at, step, "", true, true), next);
    if (turn) {
      turn->addIncoming(builder.getInt64(0), before);
      turn->addIncoming(builder.CreateAdd(turn, builder.getInt64(1), "", true, true), next);
    }
    builder.CreateCall(&declarePrimitive(*function_.getParent(), Primitive::Barrier), {builder.getInt32(0)});
    builder.CreateBr(test);

    carry(loop, carried, done);
    replaceCounters(loop, counted, carried, at, turn, bound);
    builder.SetInsertPoint(test);
    builder.CreateCondBr(builder.CreateICmp(counted.predicate, at, bound), body, done);
    before->getTerminator()->replaceSuccessorWith(body, test);
    body->getTerminator()->replaceSuccessorWith(exit, next);
    latch->getTerminator()->replaceSuccessorWith(body, next);
    llvm::BranchInst::Create(exit, done);
    exit->replacePhiUsesWith(body, done);
  }

  /// What a work-item takes along has a place of its own: those who have reached their end leave it as it is.
  void carry(const llvm::Loop& loop, const Carried& carried, llvm::BasicBlock* done) {
    llvm::IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
    llvm::IRBuilder<> before(loop.getLoopPreheader()->getTerminator()), body(&*loop.getHeader()->getFirstInsertionPt()), latch(loop.getLoopLatch()->getTerminator()), after(done);
    for (llvm::PHINode* phi : carried.values) {
      llvm::AllocaInst* place = entry.CreateAlloca(phi->getType(), nullptr, phi->getName() + ".carried");
      if (wantsRemarks(function_)) place->setMetadata(variableMetadata, variableNode(*phi, "is carried around a loop"));
      before.CreateStore(startOf(*phi, loop), place);
      latch.CreateStore(phi->getIncomingValueForBlock(loop.getLoopLatch()), place);
      llvm::Value* now = body.CreateLoad(phi->getType(), place, phi->getName());
      llvm::Value* last = usedOutside(*phi, loop) ? after.CreateLoad(phi->getType(), place, phi->getName()) : nullptr;
      for (llvm::Use& use : llvm::make_early_inc_range(phi->uses())) use.set(loop.contains(llvm::cast<llvm::Instruction>(use.getUser())) ? now : last);
      phi->eraseFromParent();
    }
  }

  void replaceCounters(const llvm::Loop& loop, const Counted& counted, const Carried& carried, llvm::Value* at, llvm::Value* turn, llvm::Value* bound) {
    const bool isSigned = llvm::CmpInst::isSigned(counted.predicate);
    llvm::IRBuilder<> builder(&*loop.getHeader()->getFirstInsertionPt());
    llvm::Value* start = startOf(*counted.counter, loop);
    // Compared without wrapping around; behind the comparison the narrow counter cannot have.
    llvm::Value* exact = builder.CreateAdd(counted.start, at, "", true, true);
    llvm::Value* more = builder.CreateICmp(counted.predicate, exact, bound);
    auto* branch = llvm::cast<llvm::BranchInst>(loop.getHeader()->getTerminator());
    if (!loop.contains(branch->getSuccessor(0))) branch->swapSuccessors();
    branch->setCondition(more);
    llvm::Value* now = builder.CreateAdd(start, builder.CreateTrunc(at, start->getType()), counted.counter->getName(), /*HasNUW=*/true, /*HasNSW=*/isSigned);
    replace(*counted.counter, now);
    for (llvm::PHINode* phi : carried.counters) {
      llvm::Value* by = stepOf(*phi, loop);
      llvm::Value* grown = builder.CreateMul(builder.CreateZExtOrTrunc(turn, phi->getType()), by);
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
  std::uint64_t itemBytes_ = 1;  ///< of what neighbours read or write side by side
};

/// How many work-items run together at least; nothing where a turn ahead of them would cost more than it gains: where they have places
/// in memory that would have to be kept for every one of them.
std::optional<std::uint64_t> itemsTogether(llvm::Function& function, bool groupAgnostic) {
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (llvm::isa<llvm::AllocaInst>(instruction) || primitiveOf(instruction) == Primitive::SubGroup) return std::nullopt;
  if (groupAgnostic || function.hasFnAttribute(mergedGroupsAttribute)) return maxChunkItems;
  const auto items = knownLocalSize(function, 0);
  return items ? std::optional(*items * groupsToInterleave(function)) : std::nullopt;
}

}  // namespace

llvm::PreservedAnalyses InterchangeLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) changed |= LoopInterchanger::prepare(*loop);
  // How values vary is asked only where a loop has the form.
  const auto together = llvm::any_of(loops.getTopLevelLoops(), LoopInterchanger::hasForm) ? itemsTogether(function, options.groupAgnostic) : std::nullopt;
  if (together) {
    const VarianceInfo variance(function);
    LoopInterchanger interchanger(function, variance, *together, options.always);
    for (llvm::Loop* loop : loops.getTopLevelLoops()) changed |= interchanger.run(*loop);
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
