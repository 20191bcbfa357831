// SPDX-License-Identifier: Apache-2.0
// This file finds the loops, and the places where copies have to have ended.
#include "compiler/nvptx/async_copies.h"

#include "compiler/guard/limits.h"
#include "compiler/ir/attributes.h"
#include "compiler/nvptx/address_spaces.h"
#include "compiler/nvptx/launch_abi.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include <cstddef>

namespace clarity::compiler::nvptx {
namespace {

/// The instruction that copies so many bytes; none for other sizes.
llvm::Intrinsic::ID copyOf(std::uint64_t bytes) {
  switch (bytes) {
    case 4: return llvm::Intrinsic::nvvm_cp_async_ca_shared_global_4;
    case 8: return llvm::Intrinsic::nvvm_cp_async_ca_shared_global_8;
    case 16: return llvm::Intrinsic::nvvm_cp_async_cg_shared_global_16;
    default: return llvm::Intrinsic::not_intrinsic;
  }
}

bool isCopy(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return false;
  const auto id = call->getIntrinsicID();
  return id == copyOf(4) || id == copyOf(8) || id == copyOf(16);
}

/// Whether something must not happen before copies that are under way have ended.
bool hasToWait(const llvm::Instruction& instruction) {
  if (isCopy(instruction)) return false;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return !load->isSimple() ||
           (load->getPointerAddressSpace() != globalSpace && load->getPointerAddressSpace() != constantSpace);
  return instruction.mayReadOrWriteMemory();
}

/// The load of a store that makes a copy of both, or nullptr.
const llvm::LoadInst* loadOf(const llvm::StoreInst& store) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(store.getValueOperand());
  if (!load || !load->isSimple() || !store.isSimple() || !load->hasOneUse() || load->getParent() != store.getParent() ||
      load->getPointerAddressSpace() != globalSpace || store.getPointerAddressSpace() != sharedSpace)
    return nullptr;
  const std::uint64_t bytes = store.getDataLayout().getTypeStoreSize(load->getType());
  const bool fits = copyOf(bytes) != llvm::Intrinsic::not_intrinsic && load->getAlign() >= bytes &&
                    store.getAlign() >= bytes && bytes == store.getDataLayout().getTypeAllocSize(load->getType());
  return fits ? load : nullptr;
}

/// Loops whose copies may end in any order.
class CopyingLoop {
public:
  CopyingLoop(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) : loop_(loop), evolution_(evolution) {}

  /// The stores of a loop that does nothing else to memory, each to another place than all others; none if it does.
  llvm::SmallVector<llvm::StoreInst*, 8> stores() const {
    llvm::SmallVector<llvm::StoreInst*, 8> found;
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block) {
        auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if (!store && hasToWait(instruction)) return {};
        if (!store) continue;
        checkLimits();
        if (!loadOf(*store) || !goesOn(*store)) return {};
        for (const llvm::StoreInst* other : found)
          if (!areApart(*store, *other)) return {};
        found.push_back(store);
      }
    return found;
  }

private:
  /// Where a store goes, if by the same step in each iteration. That an index of 32 bits does not wrap is taken for
  /// granted: local memory is far smaller than what it would step through before. Narrower ones may.
  const llvm::SCEVAddRecExpr* placeOf(const llvm::StoreInst& store) const {
    llvm::SmallVector<const llvm::SCEVPredicate*, 2> granted;
    const llvm::SCEV* const address = evolution_.getSCEV(const_cast<llvm::Value*>(store.getPointerOperand()));
    const auto* place = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address);
    if (!place) place = evolution_.convertSCEVToAddRecWithPredicates(address, &loop_, granted);
    if (!llvm::all_of(granted, isOfWideIndex)) return nullptr;
    return place && place->getLoop() == &loop_ && place->isAffine() ? place : nullptr;
  }

  static bool isOfWideIndex(const llvm::SCEVPredicate* predicate) {
    const auto* wraps = llvm::dyn_cast<llvm::SCEVWrapPredicate>(predicate);
    return wraps && wraps->getExpr()->getType()->isIntegerTy() &&
           wraps->getExpr()->getType()->getIntegerBitWidth() >= 32;
  }

  static std::uint64_t bytesOf(const llvm::StoreInst& store) {
    return store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
  }

  /// By a whole number of elements in each iteration; a loop that goes on by none would not end.
  bool goesOn(const llvm::StoreInst& store) const {
    const auto* place = placeOf(store);
    return place && evolution_.getConstantMultiple(place->getStepRecurrence(evolution_)).urem(bytesOf(store)) == 0;
  }

  /// Whether two stores are to different places in all iterations: constants apart, but no whole number of steps.
  bool areApart(const llvm::StoreInst& one, const llvm::StoreInst& other) const {
    const auto *place = placeOf(one), *otherPlace = placeOf(other);
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(place->getStepRecurrence(evolution_));
    if (!step || step != otherPlace->getStepRecurrence(evolution_) || bytesOf(one) != bytesOf(other)) return false;
    const llvm::SCEV* const difference = evolution_.getMinusSCEV(place, otherPlace);
    if (isOfOtherGroup(*difference)) return true;
    const auto* distance = llvm::dyn_cast<llvm::SCEVConstant>(difference);
    if (!distance || step->isZero()) return false;
    const llvm::APInt apart = distance->getAPInt().abs();
    return apart.urem(bytesOf(one)) == 0 && !apart.urem(step->getAPInt().abs()).isZero();
  }

  /// Whether a distance is that of the local memory of work-groups that a block executes: LaunchInfo::localBytes or a
  /// multiple of it.
  bool isOfOtherGroup(const llvm::SCEV& distance) const {
    const llvm::SCEV* part = &distance;
    if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(part);
        product && product->getNumOperands() == 2 && llvm::isa<llvm::SCEVConstant>(product->getOperand(0)))
      part = product->getOperand(1);
    const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    const auto* load = value ? llvm::dyn_cast<llvm::LoadInst>(value->getValue()) : nullptr;
    if (!load) return false;
    const llvm::Function& kernel = *load->getFunction();
    llvm::APInt offset(64, 0);
    const llvm::Value* base =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(load->getDataLayout(), offset, true);
    return !kernel.arg_empty() && base == kernel.getArg(kernel.arg_size() - 1) &&
           offset == offsetof(LaunchInfo, localBytes);
  }

  const llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
};

/// A variable in local memory: by name-local-accesses, or an argument. nullptr: any of them.
using Variable = const void*;
using Variables = llvm::SmallSet<Variable, 4>;

/// The variable that an access is to.
Variable variableOf(const llvm::Instruction& access, const llvm::Value& pointer) {
  if (const llvm::MDNode* name = access.getMetadata(localVariableMetadata)) return name;
  const llvm::Value* at = &pointer;
  while (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(at)) {
    at = address->getPointerOperand();
    const auto* begin = llvm::dyn_cast<llvm::Argument>(address->idx_begin()->get());
    if (begin && begin->hasAttribute(localArgumentAttribute)) return begin;
  }
  return nullptr;
}

bool haveOneInCommon(const Variables& some, const Variables& others) {
  if (some.empty() || others.empty()) return false;
  return some.contains(nullptr) || others.contains(nullptr) ||
         llvm::any_of(some, [&](Variable each) { return others.contains(each); });
}

void becomeCopy(llvm::StoreInst& store) {
  llvm::LoadInst& load = *llvm::cast<llvm::LoadInst>(store.getValueOperand());
  llvm::IRBuilder<> builder(&store);
  llvm::CallInst* copy =
      builder.CreateIntrinsic(builder.getVoidTy(), copyOf(store.getDataLayout().getTypeStoreSize(load.getType())),
                              {store.getPointerOperand(), load.getPointerOperand()});
  copy->setMetadata(localVariableMetadata, store.getMetadata(localVariableMetadata));
  store.eraseFromParent();
  load.eraseFromParent();
}

/// Destinations of the copies of a loop, by the block ahead of the loop.
using LoopBegins = llvm::DenseMap<const llvm::BasicBlock*, Variables>;

/// Copies may be under way where a block begins.
class Waits {
public:
  Waits(llvm::Function& function, const LoopBegins& begins) : function_(function), begins_(begins) {}

  void insert() {
    for (bool changed = true; changed;) {
      changed = false;
      checkLimits();
      for (const llvm::BasicBlock& block : function_)
        for (const Variable each : leftOpenBy(block))
          for (const llvm::BasicBlock* next : llvm::successors(&block)) changed |= open_[next].insert(each).second;
    }
    for (llvm::BasicBlock& block : function_) waitIn(block);
  }

private:
  /// Whether copies that are under way have to end ahead of an instruction. Copies of a loop to the same variable as
  /// those of another loop, or of the last execution of this one, may be to the same places.
  bool hasToEnd(const Variables& open, const llvm::Instruction& ahead) const {
    if (open.empty()) return false;
    if (hasToWait(ahead)) return true;
    const auto loop = ahead.isTerminator() ? begins_.find(ahead.getParent()) : begins_.end();
    return loop != begins_.end() && haveOneInCommon(open, loop->second);
  }

  /// Copies that have not been waited for behind an instruction.
  void pass(const llvm::Instruction& instruction, Variables& open) const {
    if (hasToEnd(open, instruction)) open.clear();
    if (isCopy(instruction))
      open.insert(variableOf(instruction, *llvm::cast<llvm::CallInst>(instruction).getArgOperand(0)));
  }

  Variables leftOpenBy(const llvm::BasicBlock& block) const {
    Variables open = open_.lookup(&block);
    for (const llvm::Instruction& instruction : block) pass(instruction, open);
    return open;
  }

  void waitIn(llvm::BasicBlock& block) const {
    Variables open = open_.lookup(&block);
    for (llvm::Instruction& instruction : block) {
      if (hasToEnd(open, instruction)) {
        llvm::IRBuilder<> builder(&instruction);
        builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::nvvm_cp_async_wait_all, {});
      }
      pass(instruction, open);
    }
  }

  llvm::Function& function_;
  const LoopBegins& begins_;
  llvm::DenseMap<const llvm::BasicBlock*, Variables> open_;
};

}  // namespace

llvm::PreservedAnalyses AsyncCopiesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::ScalarEvolution& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  llvm::SmallVector<llvm::StoreInst*, 8> stores;
  LoopBegins begins;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const llvm::BasicBlock* const before = loop->getLoopPreheader();
    if (!loop->isInnermost() || !before) continue;
    for (llvm::StoreInst* store : CopyingLoop(*loop, evolution).stores()) {
      stores.push_back(store);
      begins[before].insert(variableOf(*store, *store->getPointerOperand()));
    }
  }
  for (llvm::StoreInst* store : stores) becomeCopy(*store);
  if (stores.empty()) return llvm::PreservedAnalyses::all();
  Waits(function, begins).insert();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

namespace {

void emitBegin(llvm::IRBuilder<>& builder, llvm::CallInst& call) {
  llvm::Value *to = call.getArgOperand(0), *from = call.getArgOperand(1), *bytes = call.getArgOperand(2);
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(bytes);
  if (constant && constant->getZExtValue() >= 16)
    builder.CreateIntrinsic(builder.getVoidTy(), copyOf(16), {to, from});
  else
    builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::nvvm_cp_async_cg_shared_global_16_s,
                            {to, from, bytes});
}

void emitWait(llvm::IRBuilder<>& builder, llvm::CallInst& call) {
  if (auto* groups = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)))
    builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::nvvm_cp_async_wait_group, {groups});
  else
    builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::nvvm_cp_async_wait_all, {});
}

}  // namespace

void emitStagedCopies(llvm::Module& module, Capability capability) {
  for (const llvm::StringRef name : {"__clarity_copy_begin", "__clarity_copy_end_group", "__clarity_copy_wait"}) {
    llvm::Function* function = module.getFunction(name);
    if (!function) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function->users())) {
      auto& call = *llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(&call);
      if (capability < firstThatCopies) {
        // No plan has it there.
      } else if (name == "__clarity_copy_begin") {
        emitBegin(builder, call);
      } else if (name == "__clarity_copy_wait") {
        emitWait(builder, call);
      } else {
        builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::nvvm_cp_async_commit_group, {});
      }
      call.eraseFromParent();
    }
    function->eraseFromParent();
  }
}

}  // namespace clarity::compiler::nvptx
