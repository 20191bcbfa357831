// SPDX-License-Identifier: Apache-2.0
// This file makes constants of the orders and scopes of atomic operations, one copy of the operation for each value.
#include "compiler/passes/lower_atomic_orders.h"

#include "compiler/ir/sync_scopes.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace clarity::compiler {
namespace {

using Ordering = llvm::AtomicOrdering;

constexpr llvm::StringLiteral orderedPrefix = "__clarity_ordered_", fenceName = "__clarity_fence";

// Values of memory_order and memory_scope.
constexpr std::uint32_t relaxed = 0, acquire = 2, release = 3, acquireRelease = 4;
constexpr std::uint32_t workItem = 0, workGroup = 1, device = 2, subGroup = 4;

/// The meaning of an argument that is `value`. A list of them ends with what all other values ask for.
template <class Meaning>
struct Choice {
  std::uint32_t value;
  Meaning meaning;
};
using Order = Choice<Ordering>;
using Scope = Choice<llvm::SyncScope::ID>;

constexpr std::uint32_t anyOther = ~0u;
constexpr Order others{anyOther, Ordering::SequentiallyConsistent};
constexpr Order orders[] = {{relaxed, Ordering::Monotonic},
                            {acquire, Ordering::Acquire},
                            {release, Ordering::Release},
                            {acquireRelease, Ordering::AcquireRelease},
                            others};
constexpr Order ordersOfLoads[] = {{relaxed, Ordering::Monotonic}, {acquire, Ordering::Acquire}, others};
constexpr Order ordersOfStores[] = {{relaxed, Ordering::Monotonic}, {release, Ordering::Release}, others};
constexpr Order relaxedOrNot[] = {{relaxed, Ordering::Monotonic}, others};
/// A failure is a load; orders that a load cannot have count as its half of them.
constexpr Order ordersOfFailures[] = {{relaxed, Ordering::Monotonic},
                                      {release, Ordering::Monotonic},
                                      {acquire, Ordering::Acquire},
                                      {acquireRelease, Ordering::Acquire},
                                      others};

void setOrder(llvm::Instruction& operation, Ordering order) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&operation)) load->setOrdering(order);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&operation)) store->setOrdering(order);
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&operation)) update->setOrdering(order);
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&operation)) exchange->setSuccessOrdering(order);
  if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&operation)) fence->setOrdering(order);
}

void setScope(llvm::Instruction& operation, llvm::SyncScope::ID scope) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&operation)) load->setSyncScopeID(scope);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&operation)) store->setSyncScopeID(scope);
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&operation)) update->setSyncScopeID(scope);
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&operation)) exchange->setSyncScopeID(scope);
  if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&operation)) fence->setSyncScopeID(scope);
}

/// Calls apply(operation, meaning) for what `argument` asks for, or for copies of the operation, one a meaning.
template <class Meaning, class Apply>
void choose(llvm::Instruction& operation, llvm::Value& argument, llvm::ArrayRef<Choice<Meaning>> choices, Apply apply) {
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(&argument)) {
    const auto* const found =
        llvm::find_if(choices.drop_back(), [&](const Choice<Meaning>& each) { return known->equalsInt(each.value); });
    return apply(operation, found->meaning);
  }
  llvm::BasicBlock* const before = operation.getParent();
  llvm::BasicBlock* const after = before->splitBasicBlock(&operation, "lowered");
  llvm::IRBuilder<> builder(before->getTerminator());
  auto* const type = llvm::cast<llvm::IntegerType>(argument.getType());
  auto* const choice = builder.CreateSwitch(&argument, after, static_cast<unsigned>(choices.size()));
  before->getTerminator()->eraseFromParent();  // the branch behind the switch
  llvm::PHINode* result = nullptr;
  if (!operation.getType()->isVoidTy())
    result = llvm::PHINode::Create(operation.getType(), static_cast<unsigned>(choices.size()), "", after->begin());
  llvm::SmallVector<std::pair<Meaning, llvm::BasicBlock*>, 8> made;
  llvm::SmallVector<std::pair<llvm::Instruction*, Meaning>, 8> copies;
  for (const Choice<Meaning>& each : choices) {
    const auto* known = llvm::find_if(made, [&](const auto& way) { return way.first == each.meaning; });
    llvm::BasicBlock* block = known == made.end() ? nullptr : known->second;
    if (!block) {
      block = llvm::BasicBlock::Create(operation.getContext(), "way", before->getParent(), after);
      made.emplace_back(each.meaning, block);
      llvm::IRBuilder<> at(block);
      llvm::Instruction* copy = at.Insert(operation.clone());
      if (result) result->addIncoming(copy, block);
      at.CreateBr(after);
      copies.emplace_back(copy, each.meaning);
    }
    if (each.value == anyOther)
      choice->setDefaultDest(block);
    else
      choice->addCase(llvm::ConstantInt::get(type, each.value), block);
  }
  if (result) operation.replaceAllUsesWith(result);
  operation.eraseFromParent();
  for (const auto& [copy, meaning] : copies) apply(*copy, meaning);
}

class AtomicOrders {
public:
  AtomicOrders(llvm::LLVMContext& context, bool scopes) : hasScopes_(scopes) {
    const auto group = context.getOrInsertSyncScopeID(groupScopeName);
    scopes_ = {{workGroup, group},
               {subGroup, group},
               {workItem, group},
               {device, context.getOrInsertSyncScopeID(deviceScopeName)},
               {anyOther, llvm::SyncScope::System}};
    scopesOfFences_ = scopes_;
    scopesOfFences_[2].meaning = llvm::SyncScope::SingleThread;
  }

  /// A call that passes an address on to atomic operations.
  void apply(llvm::CallInst& call) {
    llvm::SmallVector<llvm::Instruction*, 2> operations;
    for (llvm::User* user : call.users())
      if (auto* operation = llvm::cast<llvm::Instruction>(user); operation->isAtomic()) operations.push_back(operation);
    call.replaceAllUsesWith(call.getArgOperand(0));
    for (llvm::Instruction* each : operations)
      apply(*each, *call.getArgOperand(1), *call.getArgOperand(2), *call.getArgOperand(3));
    call.eraseFromParent();
  }

  void setFenceOrder(llvm::CallInst& call) {
    llvm::IRBuilder<> builder(&call);
    llvm::Instruction* const fence = builder.CreateFence(Ordering::SequentiallyConsistent);
    llvm::Value &order = *call.getArgOperand(0), &scope = *call.getArgOperand(1);
    call.eraseFromParent();
    choose<Ordering>(*fence, order, orders, [&](llvm::Instruction& each, Ordering wanted) {
      if (wanted == Ordering::Monotonic) return void(each.eraseFromParent());
      setOrder(each, wanted);
      chooseScope(each, scope, scopesOfFences_);
    });
  }

private:
  void apply(llvm::Instruction& operation, llvm::Value& order, llvm::Value& failure, llvm::Value& scope) {
    if (llvm::isa<llvm::AtomicCmpXchgInst>(operation)) return setExchangeOrder(operation, order, failure, scope);
    const llvm::ArrayRef<Order> choices = llvm::isa<llvm::LoadInst>(operation)    ? ordersOfLoads
                                          : llvm::isa<llvm::StoreInst>(operation) ? ordersOfStores
                                          : hasScopes_                            ? llvm::ArrayRef<Order>(orders)
                                                                                  : relaxedOrNot;
    choose(operation, order, choices, [&](llvm::Instruction& each, Ordering wanted) {
      setOrder(each, wanted);
      chooseScope(each, scope, scopes_);
    });
  }

  void setExchangeOrder(llvm::Instruction& operation, llvm::Value& order, llvm::Value& failure, llvm::Value& scope) {
    const auto setFailureOrder = [&](llvm::Instruction& each, Ordering wanted) {
      llvm::cast<llvm::AtomicCmpXchgInst>(each).setFailureOrdering(wanted);
      chooseScope(each, scope, scopes_);
    };
    if (hasScopes_)
      return choose<Ordering>(operation, order, orders, [&](llvm::Instruction& each, Ordering wanted) {
        setOrder(each, wanted);
        choose<Ordering>(each, failure, ordersOfFailures, setFailureOrder);
      });
    llvm::IRBuilder<> builder(&operation);
    llvm::Value* const both = builder.CreateOr(&order, &failure);
    choose<Ordering>(operation, *both, relaxedOrNot, [&](llvm::Instruction& each, Ordering wanted) {
      setOrder(each, wanted);
      setFailureOrder(each, wanted);
    });
  }

  void chooseScope(llvm::Instruction& operation, llvm::Value& scope, llvm::ArrayRef<Scope> choices) const {
    if (hasScopes_) choose(operation, scope, choices, setScope);
  }

  bool hasScopes_;
  llvm::SmallVector<Scope, 5> scopes_, scopesOfFences_;
};

}  // namespace

llvm::PreservedAnalyses LowerAtomicOrdersPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  AtomicOrders orders(module.getContext(), scopes);
  bool changed = false;
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const bool isFence = function.getName() == fenceName;
    if (!isFence && !function.getName().starts_with(orderedPrefix)) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users()))
      if (auto& call = llvm::cast<llvm::CallInst>(*user); isFence)
        orders.setFenceOrder(call);
      else
        orders.apply(call);
    function.eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
