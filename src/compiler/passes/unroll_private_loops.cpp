// SPDX-License-Identifier: Apache-2.0
// This file finds the loops whose unrolling lets SROA split private arrays, and unrolls them.
#include "compiler/passes/unroll_private_loops.h"

#include "compiler/ir/cost_model.h"
#include "compiler/transforms/unroller.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

namespace clarity::compiler {
namespace {

using Loops = llvm::SmallSetVector<llvm::Loop*, 8>;

class LoopFinder {
public:
  /// @param budget of all loops together
  LoopFinder(const Unroller& unroller, const FullUnrollBudget& budget) : unroller_(unroller), budget_(budget) {}

  /// The loops whose induction variables index an array; none if SROA could not split it after unrolling them.
  Loops loopsOf(llvm::AllocaInst& array) const {
    Loops found;
    const auto* type = llvm::dyn_cast<llvm::ArrayType>(array.getAllocatedType());
    const auto bytes = array.getAllocationSize(array.getDataLayout());
    if (!type || !bytes || !array.isStaticAlloca()) return {};
    const llvm::Type* element = type;
    while (const auto* inner = llvm::dyn_cast<llvm::ArrayType>(element)) element = inner->getElementType();
    const std::uint64_t size = array.getDataLayout().getTypeAllocSize(const_cast<llvm::Type*>(element)).getFixedValue();
    if (size == 0 || bytes->getFixedValue() / size > cost::mostPrivateElements) return {};
    return followUses(array, found) && canUnroll(found) ? found : Loops{};
  }

private:
  /// Follows a pointer into the array to its accesses; false if it is used by anything but simple loads and stores, or
  /// memory intrinsics of constant length.
  bool followUses(llvm::Value& pointer, Loops& found) const {
    for (llvm::User* user : pointer.users()) {
      if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        if (!llvm::all_of(address->indices(), [&](llvm::Use& index) { return becomesConstant(*index, found); }) ||
            !followUses(*address, found))
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

  /// Whether a value is a constant once loops are unrolled, which are added to `found`: their counters, what is
  /// computed of them, and elements of constant tables that they choose.
  bool becomesConstant(llvm::Value& value, Loops& found, unsigned depth = 0) const {
    if (llvm::isa<llvm::Constant>(value)) return true;
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || depth > cost::mostPrivateIndexDepth) return false;
    if (isOfCounters(value, found)) return true;
    const auto operandsDo = [&] {
      return llvm::all_of(instruction->operand_values(),
                          [&](llvm::Value* operand) { return becomesConstant(*operand, found, depth + 1); });
    };
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return load->isSimple() && isOfConstantTable(*load) && operandsDo();
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      return isChosenByCounters(*phi, found, depth) && operandsDo();
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

  static bool isOfConstantTable(const llvm::LoadInst& load) {
    const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(load.getPointerOperand()));
    return table && table->isConstant() && table->hasDefinitiveInitializer();
  }

  /// Whether the branch that leads to a phi's values is decided by constants, too.
  bool isChosenByCounters(const llvm::PHINode& phi, Loops& found, unsigned depth) const {
    if (unroller_.loops.isLoopHeader(phi.getParent())) return false;
    const auto* node = unroller_.dominators.getNode(phi.getParent());
    const auto* above = node ? node->getIDom() : nullptr;
    const llvm::Instruction* terminator = above ? above->getBlock()->getTerminator() : nullptr;
    return terminator && terminator->getNumOperands() > 0 &&
           becomesConstant(*terminator->getOperand(0), found, depth + 1);
  }

  /// Whether all loops of the set have short constant trip counts, and contain no barrier and no loop outside the set.
  bool canUnroll(const Loops& found) const {
    return llvm::all_of(found, [&](llvm::Loop* loop) {
      return unroller_.canUnrollFully(*loop, budget_) && !hasBarrier(*loop) &&
             llvm::all_of(loop->getSubLoops(), [&](llvm::Loop* inner) { return found.contains(inner); });
    });
  }

  const Unroller& unroller_;
  const FullUnrollBudget budget_;
};

}  // namespace

llvm::PreservedAnalyses UnrollPrivateLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<llvm::AllocaInst*, 8> arrays;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && slot->getAllocatedType()->isArrayTy())
      arrays.push_back(slot);
  if (arrays.empty()) return llvm::PreservedAnalyses::all();
  const llvm::PreservedAnalyses simplified = llvm::LoopSimplifyPass().run(function, analyses);
  analyses.invalidate(function, simplified);
  Unroller unroller(function, analyses);
  const FullUnrollBudget budget{cost::mostPrivateIterations, mostInstructions};
  const LoopFinder finder(unroller, budget);
  Loops wanted;
  for (llvm::AllocaInst* array : arrays) {
    Loops withThis = wanted;
    withThis.insert_range(finder.loopsOf(*array));
    if (unroller.unrolledSize(withThis.getArrayRef()) <= budget.instructions) wanted = std::move(withThis);
  }
  if (wanted.empty()) return simplified;

  const llvm::SmallVector<llvm::Loop*, 8> inPreorder = unroller.loops.getLoopsInPreorder();
  for (llvm::Loop* loop : llvm::reverse(inPreorder))  // inner ones first
    if (wanted.contains(loop)) unroller.unrollFully(*loop, "loop over a private array");
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager splitArrays;
  splitArrays.addPass(llvm::SimplifyCFGPass());
  splitArrays.addPass(llvm::InstCombinePass());  // indices become constants
  splitArrays.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  splitArrays.addPass(llvm::SimplifyCFGPass());
  splitArrays.addPass(llvm::InstCombinePass());
  splitArrays.run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
