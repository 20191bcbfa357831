// SPDX-License-Identifier: Apache-2.0
// This file finds the loops whose unrolling lets SROA split private arrays, and unrolls them.
#include "compiler/passes/unroll_private_loops.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/transforms/tail_duplication.h"
#include "compiler/transforms/unroller.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <limits>

namespace clarity::compiler {
namespace {

using Loops = llvm::SmallSetVector<llvm::Loop*, 8>;

/// Elements of an array of any depth, each counted once whatever it is, or of all members of a structure.
std::uint64_t elementsOf(const llvm::Type& type) {
  if (type.isArrayTy()) {
    const llvm::Type& element = *type.getArrayElementType();
    return type.getArrayNumElements() * (element.isArrayTy() ? elementsOf(element) : 1);
  }
  const auto* structure = llvm::dyn_cast<llvm::StructType>(&type);
  if (!structure) return 1;
  std::uint64_t elements = 0;
  for (const llvm::Type* member : structure->elements()) elements += elementsOf(*member);
  return elements;
}

/// Not a union, whose members are seen in the bytes of the largest one.
bool hasArray(const llvm::Type& type) {
  if (type.isArrayTy()) return true;
  const auto* structure = llvm::dyn_cast<llvm::StructType>(&type);
  return structure && llvm::any_of(structure->elements(), [](const llvm::Type* member) { return hasArray(*member); });
}

class LoopFinder {
public:
  LoopFinder(const Unroller& unroller, const FullUnrollBudget& budget, unsigned mostChosen)
      : unroller_(unroller), budget_(budget), mostChosen_(mostChosen) {}

  /// The loops whose induction variables index an array, or one in a structure; none if SROA could not split it after
  /// unrolling them.
  Loops loopsOf(llvm::AllocaInst& array) const {
    Loops found;
    if (!array.isStaticAlloca() || array.isArrayAllocation() ||
        elementsOf(*array.getAllocatedType()) > cost::mostPrivateElements)
      return {};
    if (!followUses(array, found, elementsOf(*array.getAllocatedType()) <= mostChosen_)) return {};
    addDeciding(found);
    return canUnroll(found) ? found : Loops{};
  }

  /// How many values work-items choose among that leave the loops early, at different places: one of each of `elements`
  /// for every exit that no counter decides.
  std::uint64_t choicesOf(const Loops& found, std::uint64_t elements) const {
    const auto leavesEarly = [&](llvm::Instruction& instruction) {
      llvm::BasicBlock* block = instruction.getParent();
      const llvm::Loop* loop = unroller_.loops.getLoopFor(block);
      return instruction.isTerminator() && loop && loop->isLoopExiting(block) &&
             llvm::isa<llvm::SCEVCouldNotCompute>(unroller_.evolution.getExitCount(loop, block));
    };
    return elements * unroller_.unrolledSize(found.getArrayRef(), leavesEarly, cost::unknownPrivateIterations);
  }

  /// Whether loops are in budget once they are unrolled, all together.
  bool areInBudget(const Loops& found) const {
    const auto stays = [&](llvm::Instruction& instruction) { return staysUnrolled(instruction); };
    const auto all = [](llvm::Instruction&) { return true; };
    constexpr unsigned unknown = cost::unknownPrivateIterations;
    return unroller_.unrolledSize(found.getArrayRef(), stays, unknown) <= budget_.instructions &&
           unroller_.unrolledSize(found.getArrayRef(), all, unknown) <=
               cost::privateInstructionsGone * budget_.instructions;
  }

private:
  /// Whether an instruction is left where counters are constants and elements of private arrays are values.
  bool staysUnrolled(llvm::Instruction& instruction) const {
    Loops counting;
    const auto isKnown = [&](llvm::Value* value) {
      return llvm::isa<llvm::Constant>(value) || isOfCounters(*value, counting);
    };
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction); branch && branch->isUnconditional())
      return false;
    if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction))
      return !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
    if (llvm::isa<llvm::GetElementPtrInst>(instruction) &&
        llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&instruction)))
      return false;
    if (llvm::isa<llvm::CmpInst>(instruction)) return !llvm::all_of(instruction.operand_values(), isKnown);
    return !isKnown(&instruction);
  }

  /// Follows a pointer into the array to its accesses; false if it is used by anything but simple loads and stores, or
  /// memory intrinsics of constant length. `mayChoose`: outside of loops, indices may be known at run time only.
  bool followUses(llvm::Value& pointer, Loops& found, bool mayChoose) const {
    for (llvm::User* user : pointer.users()) {
      if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        const bool isOnce = mayChoose && !unroller_.loops.getLoopFor(address->getParent());
        Assumed assumed;
        const auto isKnown = [&](llvm::Use& index) { return becomesConstant(*index, found, assumed); };
        if ((!isOnce && !llvm::all_of(address->indices(), isKnown)) || !followUses(*address, found, mayChoose))
          return false;
      } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == &pointer || !store->isSimple()) return false;
      } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (!load->isSimple()) return false;
      } else if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(user)) {
        if (!llvm::isa<llvm::ConstantInt>(memory->getLength()) || memory->isVolatile()) return false;
      } else if (!llvm::isa<llvm::LifetimeIntrinsic>(user)) {
        return false;
      }
    }
    return true;
  }

  /// Values that have been looked at: where they are part of themselves, by a loop, they are taken for constants.
  using Assumed = llvm::SmallPtrSet<const llvm::Instruction*, 16>;

  /// Whether a value is a constant once loops are unrolled, which are added to `found`: their counters, what they carry
  /// on, what is computed of them, and elements of constant tables that they choose.
  bool becomesConstant(llvm::Value& value, Loops& found, Assumed& assumed, unsigned depth = 0) const {
    if (llvm::isa<llvm::Constant>(value)) return true;
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || depth > cost::mostPrivateIndexDepth) return false;
    if (isOfCounters(value, found) || !assumed.insert(instruction).second) return true;
    const auto operandsDo = [&] {
      return llvm::all_of(instruction->operand_values(),
                          [&](llvm::Value* operand) { return becomesConstant(*operand, found, assumed, depth + 1); });
    };
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return load->isSimple() && isOfConstantTable(*load) && operandsDo();
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      return (isCarried(*phi, found) || isChosenByCounters(*phi, found, assumed, depth)) && operandsDo();
    return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst, llvm::GetElementPtrInst>(
               instruction) &&
           operandsDo();
  }

  /// Whether add recurrences of loops alone decide a number.
  bool isOfCounters(llvm::Value& value, Loops& found) const {
    if (!unroller_.evolution.isSCEVable(value.getType())) return false;
    Loops counting;
    const bool isOther = llvm::SCEVExprContains(unroller_.evolution.getSCEV(&value), [&](const llvm::SCEV* part) {
      if (const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
        counting.insert(const_cast<llvm::Loop*>(recurrence->getLoop()));
      return llvm::isa<llvm::SCEVUnknown, llvm::SCEVCouldNotCompute>(part);
    });
    if (!isOther) found.insert_range(counting);
    return !isOther;
  }

  /// A number that a loop passes from iteration to iteration, as the `n` of `array[n++]`, which inner loops add to. It
  /// is a constant in each if what comes from before is, and what is made of it.
  bool isCarried(const llvm::PHINode& phi, Loops& found) const {
    llvm::Loop* loop = unroller_.loops.getLoopFor(phi.getParent());
    if (!loop || loop->getHeader() != phi.getParent()) return false;
    found.insert(loop);
    return true;
  }

  static bool isOfConstantTable(const llvm::LoadInst& load) {
    const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(load.getPointerOperand()));
    return table && table->isConstant() && table->hasDefinitiveInitializer();
  }

  /// Whether the branch that leads to a phi's values is decided by constants, too.
  bool isChosenByCounters(const llvm::PHINode& phi, Loops& found, Assumed& assumed, unsigned depth) const {
    if (unroller_.loops.isLoopHeader(phi.getParent())) return false;
    const auto* node = unroller_.dominators.getNode(phi.getParent());
    const auto* above = node ? node->getIDom() : nullptr;
    const llvm::Instruction* terminator = above ? above->getBlock()->getTerminator() : nullptr;
    return terminator && terminator->getNumOperands() > 0 &&
           becomesConstant(*terminator->getOperand(0), found, assumed, depth + 1);
  }

  /// Adds the loops whose counters decide trip counts of the set, or what they carry on.
  void addDeciding(Loops& found) const {
    for (std::size_t i = 0; i < found.size(); ++i) {
      llvm::Loop& loop = *found[i];
      const auto deciding = unroller_.meanTripCountOf(loop).deciding;
      for (const llvm::Loop* each : deciding) found.insert(const_cast<llvm::Loop*>(each));
      if (unroller_.tripCountOf(loop) == 0 && deciding.empty()) (void)becomesBounded(loop, found);
    }
  }

  /// Whether the trip count of a loop is a constant once others are unrolled, which are added to `found`, or would be
  /// if no condition of other kinds ended it sooner: `while (j > 0 && a[j - 1] > a[j]) ...; j--`.
  bool becomesBounded(const llvm::Loop& loop, Loops& found) const {
    if (!loop.isLoopSimplifyForm() || !loop.getParentLoop()) return false;
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    bool isBounded = false;
    for (llvm::BasicBlock* block : exiting) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (!branch || !branch->isConditional()) return false;
      Loops deciding = found;
      Assumed assumed;
      if (!unroller_.dominators.dominates(block, loop.getLoopLatch()) ||
          !becomesConstant(*branch->getCondition(), deciding, assumed))
        continue;
      found = std::move(deciding);
      isBounded = true;
    }
    return isBounded;
  }

  /// Whether all loops of the set have short trip counts, constant ones, bounded ones or decided by loops of the set,
  /// and contain no barrier and no loop outside the set.
  bool canUnroll(const Loops& found) const {
    return llvm::all_of(found, [&](llvm::Loop* loop) {
      const auto deciding = unroller_.meanTripCountOf(*loop).deciding;
      const unsigned tripCount = unroller_.tripCountOf(*loop);
      const bool isOnce = tripCount == 1 && loop->isLoopSimplifyForm();
      return (isOnce || unroller_.canUnrollFully(*loop, {budget_.tripCount, anySize}) || isBounded(*loop) ||
              (!deciding.empty() && areAmong(found, deciding)) ||
              (tripCount == 0 && deciding.empty() && isBoundedBy(found, *loop))) &&
             !hasBarrier(*loop) &&
             llvm::all_of(loop->getSubLoops(), [&](llvm::Loop* inner) { return found.contains(inner); });
    });
  }

  /// Whether a loop has few iterations at most, and may be left sooner.
  bool isBounded(const llvm::Loop& loop) const {
    const unsigned most = unroller_.mostTripsOf(loop);
    return unroller_.tripCountOf(loop) == 0 && most > 0 && most <= budget_.tripCount && loop.isLoopSimplifyForm();
  }

  /// Whether a loop's trip count has a bound once loops of the set are unrolled, of which one is around it.
  bool isBoundedBy(const Loops& found, const llvm::Loop& loop) const {
    Loops deciding;
    return becomesBounded(loop, deciding) && areAmong(found, deciding.getArrayRef()) &&
           llvm::any_of(deciding, [&](const llvm::Loop* other) { return other != &loop && other->contains(&loop); });
  }

  static bool areAmong(const Loops& loops, llvm::ArrayRef<const llvm::Loop*> others) {
    return llvm::all_of(others, [&](const llvm::Loop* other) { return llvm::is_contained(loops, other); });
  }

  static constexpr std::uint64_t anySize = std::numeric_limits<std::uint64_t>::max();  // areInBudget()

  const Unroller& unroller_;
  const FullUnrollBudget budget_;  ///< the budget of all loops together
  const unsigned mostChosen_;
};

llvm::SmallVector<llvm::AllocaInst*, 8> arraysOf(llvm::Function& function) {
  llvm::SmallVector<llvm::AllocaInst*, 8> arrays;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && hasArray(*slot->getAllocatedType()))
      arrays.push_back(slot);
  return arrays;
}

/// The loops over arrays that are unrolled together.
Loops wantedLoops(llvm::ArrayRef<llvm::AllocaInst*> arrays, const LoopFinder& finder, std::uint64_t mostChoices) {
  llvm::SmallVector<std::pair<Loops, std::uint64_t>, 8> needs;  // the loops of each array, and its elements
  for (llvm::AllocaInst* array : arrays)
    needs.emplace_back(finder.loopsOf(*array), elementsOf(*array->getAllocatedType()));
  Loops wanted;
  for (const auto& need : needs) {
    Loops withThis = wanted;
    withThis.insert_range(need.first);
    std::uint64_t elements = 0;  // of all arrays in these loops: each becomes values
    for (const auto& [loops, count] : needs)
      if (llvm::any_of(loops, [&](llvm::Loop* loop) { return withThis.contains(loop); })) elements += count;
    if (finder.areInBudget(withThis) && finder.choicesOf(withThis, elements) <= mostChoices)
      wanted = std::move(withThis);
  }
  return wanted;
}

/// Unrolls loops, inner ones first; those whose trip counts are constants, or have their least bounds, in the
/// iterations of others come in the next round. Returns whether there are such, and their trip counts may be constants
/// now.
bool unrollRound(Unroller& unroller, const Loops& wanted, bool isFirst) {
  const auto waits = [&](const llvm::Loop& loop) {
    if (!unroller.meanTripCountOf(loop).deciding.empty() || unroller.mostTripsOf(loop) == 0) return true;
    return unroller.tripCountOf(loop) == 0 &&
           llvm::any_of(wanted, [&](const llvm::Loop* other) { return other != &loop && other->contains(&loop); });
  };
  Loops later;
  for (llvm::Loop* loop : wanted)
    if (waits(*loop)) later.insert(loop);
  const llvm::SmallVector<llvm::Loop*, 8> inPreorder = unroller.loops.getLoopsInPreorder();
  bool isUnrolled = false;
  for (llvm::Loop* loop : llvm::reverse(inPreorder))
    if (wanted.contains(loop) && !later.contains(loop))
      isUnrolled |= unroller.unrollFully(*loop, isFirst ? "loop over a private array" : "");
  return isUnrolled && !later.empty();
}

/// While it exists, queries of global ids, and copies of them that stay, say that these are below a bound: `for (y = id
/// - 1; y <= id + 1; ++y)` has three iterations then, as no sum wraps.
class BoundedIds {
public:
  BoundedIds(llvm::Function& function, std::uint64_t bound) {
    if (bound == 0) return;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (primitiveOf(instruction) != Primitive::GlobalId) continue;
      auto& query = llvm::cast<llvm::CallInst>(instruction);
      if (query.hasRetAttr(llvm::Attribute::Range)) continue;
      query.addRangeRetAttr(llvm::ConstantRange(llvm::APInt::getZero(64), llvm::APInt(64, bound)));
      queries_.emplace_back(&query);
    }
  }
  ~BoundedIds() {
    for (llvm::WeakVH& query : queries_)
      if (query) llvm::cast<llvm::CallInst>(query)->removeRetAttr(llvm::Attribute::Range);
  }
  BoundedIds(const BoundedIds&) = delete;
  BoundedIds& operator=(const BoundedIds&) = delete;

private:
  llvm::SmallVector<llvm::WeakVH, 4> queries_;
};

}  // namespace

llvm::PreservedAnalyses UnrollPrivateLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (arraysOf(function).empty()) return llvm::PreservedAnalyses::all();
  const BoundedIds bounded(function, limits.idsBelow);
  if (limits.idsBelow != 0) analyses.invalidate(function, llvm::PreservedAnalyses::none());
  const llvm::PreservedAnalyses simplified = llvm::LoopSimplifyPass().run(function, analyses);
  analyses.invalidate(function, simplified);
  const FullUnrollBudget budget{cost::mostPrivateIterations, limits.instructions};
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();  // what has begun is finished
  bool changed = false;
  for (bool more = true; more;) {
    Unroller unroller(function, analyses);
    const LoopFinder finder(unroller, budget, limits.chosen);
    const Loops wanted = wantedLoops(arraysOf(function), finder, changed ? any : limits.choices);
    if (wanted.empty()) break;
    more = unrollRound(unroller, wanted, /*isFirst=*/!changed);
    changed = true;
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    llvm::FunctionPassManager simplify;
    simplify.addPass(llvm::SimplifyCFGPass());
    simplify.addPass(llvm::InstCombinePass());  // indices become constants
    if (more) simplify.addPass(llvm::LoopSimplifyPass());
    simplify.run(function, analyses);
  }
  if (!changed) return simplified;

  // Loops that were left early have their counters' last values for indices behind them.
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  if (duplicateTails(function, dominators,
                     [](const llvm::AllocaInst& array) { return hasArray(*array.getAllocatedType()); }))
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager splitArrays;
  splitArrays.addPass(llvm::InstCombinePass());
  splitArrays.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  splitArrays.addPass(llvm::SimplifyCFGPass());
  splitArrays.addPass(llvm::InstCombinePass());
  splitArrays.run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
