// SPDX-License-Identifier: Apache-2.0
// This file finds the loops whose unrolling lets SROA split private arrays, and unrolls them.
#include "compiler/passes/unroll_private_loops.h"

#include "compiler/ir/cost_model.h"
#include "compiler/transforms/unroller.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

namespace clarity::compiler {
namespace {

using Loops = llvm::SmallSetVector<llvm::Loop*, 8>;

constexpr FullUnrollBudget budget{cost::mostPrivateIterations,
                                  cost::mostPrivateInstructions};  ///< of all loops together

class LoopFinder {
public:
  explicit LoopFinder(const Unroller& unroller) : unroller_(unroller) {}

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
    return followUses(array, array, found) && canUnroll(found) ? found : Loops{};
  }

private:
  /// Follows a pointer into the array to its accesses; false if it is used by anything but simple loads and stores, or
  /// memory intrinsics of constant length.
  bool followUses(llvm::Value& pointer, const llvm::AllocaInst& array, Loops& found) const {
    for (llvm::User* user : pointer.users()) {
      if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        if (!loopsOfAddress(*address, array, found) || !followUses(*address, array, found)) return false;
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

  /// Adds the loops of the address's add recurrences to `found`; false if the address depends on anything but these and
  /// the array.
  bool loopsOfAddress(llvm::GetElementPtrInst& address, const llvm::AllocaInst& array, Loops& found) const {
    if (!unroller_.evolution.isSCEVable(address.getType())) return false;
    return !llvm::SCEVExprContains(unroller_.evolution.getSCEV(&address), [&](const llvm::SCEV* part) {
      if (const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part)) {
        found.insert(const_cast<llvm::Loop*>(recurrence->getLoop()));
        return false;
      }
      const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
      return (unknown && unknown->getValue() != &array) || llvm::isa<llvm::SCEVCouldNotCompute>(part);
    });
  }

  /// Whether all loops of the set have short constant trip counts, and contain no barrier and no loop outside the set.
  bool canUnroll(const Loops& found) const {
    return llvm::all_of(found, [&](llvm::Loop* loop) {
      return unroller_.canUnrollFully(*loop, budget) && !hasBarrier(*loop) &&
             llvm::all_of(loop->getSubLoops(), [&](llvm::Loop* inner) { return found.contains(inner); });
    });
  }

  const Unroller& unroller_;
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
  const LoopFinder finder(unroller);
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
