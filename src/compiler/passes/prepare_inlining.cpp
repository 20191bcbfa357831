// SPDX-License-Identifier: Apache-2.0
// This file walks the callers of primitives and the users of local memory.
#include "compiler/passes/prepare_inlining.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/inlined_sizes.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

/// Functions that become larger than this stay functions where a kernel would become too large.
constexpr std::uint64_t mostOfFunction = cost::budget::mostOfFunction;

void addUsers(const llvm::Value& value, llvm::SetVector<llvm::Function*>& functions) {
  for (const llvm::User* user : value.users()) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      functions.insert(const_cast<llvm::Function*>(instruction->getFunction()));
    else if (llvm::isa<llvm::Constant>(user))
      addUsers(*user, functions);
  }
}

/// Functions that use anything of `roots`, themselves or through others.
llvm::SetVector<llvm::Function*> usersOf(llvm::ArrayRef<const llvm::Value*> roots) {
  llvm::SetVector<llvm::Function*> functions;
  for (const llvm::Value* root : roots) addUsers(*root, functions);
  for (unsigned i = 0; i < functions.size(); ++i) addUsers(*functions[i], functions);
  return functions;
}

/// The mark is the function's or the call's.
bool isAlwaysInline(const llvm::CallInst& call, const llvm::Function&) {
  return call.hasFnAttr(llvm::Attribute::AlwaysInline);
}

void letStay(llvm::Function& function) {
  function.removeFnAttr(llvm::Attribute::AlwaysInline);
  for (llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) call->removeFnAttr(llvm::Attribute::AlwaysInline);
}

void mark(llvm::Function& function) {
  function.removeFnAttr(llvm::Attribute::OptimizeNone);
  function.removeFnAttr(llvm::Attribute::NoInline);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  for (llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) call->removeFnAttr(llvm::Attribute::NoInline);
}

/// Whether a function loads from local memory and stores there: statements of several work-items may have to alternate,
/// which they can as part of the kernel only.
bool exchangesThroughLocalMemory(const llvm::Function& function) {
  if (function.isDeclaration() || function.use_empty()) return false;
  bool loads = false, stores = false;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || pointer->getType()->getPointerAddressSpace() != localAddressSpace) continue;
    (llvm::isa<llvm::LoadInst>(instruction) ? loads : stores) = true;
  }
  return loads && stores;
}

}  // namespace

std::uint64_t inlinedSize(const llvm::Function& kernel) { return InlinedSizes(isAlwaysInline).of(kernel); }

std::uint64_t writtenSize(const llvm::Function& kernel) {
  llvm::SmallVector<const llvm::Function*, 8> left{&kernel};
  llvm::SmallPtrSet<const llvm::Function*, 8> seen{&kernel};
  std::uint64_t size = 0;
  while (!left.empty())
    for (const llvm::Instruction& instruction : llvm::instructions(left.pop_back_val())) {
      ++size;
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration() || !isAlwaysInline(*call, *callee)) continue;
      if (seen.insert(callee).second) left.push_back(callee);
    }
  return size;
}

llvm::PreservedAnalyses PrepareInliningPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<const llvm::Value*, 16> roots, barriers;
  for (const llvm::Function& function : module)
    if (const auto primitive = function.isDeclaration() ? primitiveOf(function) : std::nullopt) {
      roots.push_back(&function);
      if (!isQuery(*primitive)) barriers.push_back(&function);
    }
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == localAddressSpace) roots.push_back(&variable);
  llvm::SmallVector<llvm::Function*, 4> exchanging;
  for (llvm::Function& function : module)
    if (exchangesThroughLocalMemory(function)) exchanging.push_back(&function);
  roots.append(exchanging.begin(), exchanging.end());
  llvm::SetVector<llvm::Function*> dependent = usersOf(roots);
  dependent.insert_range(exchanging);
  for (llvm::Function* function : dependent) mark(*function);

  // Work-items of a sub-group run in step everywhere, which only the kernel's own code can.
  if (llvm::any_of(module,
                   [](const llvm::Function& function) { return primitiveOf(function) == Primitive::SubGroup; })) {
    for (llvm::Function& function : module)
      if (!function.isDeclaration() && !function.use_empty()) mark(function);
    return llvm::PreservedAnalyses::all();
  }

  llvm::SmallVector<const llvm::Function*, 4> tooLarge;
  InlinedSizes whole(isAlwaysInline);
  for (const llvm::Function& function : module)
    if (!function.isDeclaration() && whole.of(function) > most) tooLarge.push_back(&function);
  if (tooLarge.empty()) return llvm::PreservedAnalyses::all();
  const llvm::SetVector<llvm::Function*> waiting = usersOf(barriers);
  llvm::SmallSetVector<llvm::Function*, 8> staying;
  InlinedSizes sizes([&](const llvm::CallInst& call, llvm::Function& callee) {
    if (!isAlwaysInline(call, callee)) return false;
    if (!callee.hasLocalLinkage() || waiting.contains(&callee) || sizes.of(callee) <= mostOfFunction) return true;
    staying.insert(&callee);
    return false;
  });
  for (const llvm::Function* function : tooLarge) sizes.of(*function);
  for (llvm::Function* function : staying) letStay(*function);
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
