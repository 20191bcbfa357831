// SPDX-License-Identifier: Apache-2.0
// This file finds what every function needs, and gives it new parameters and its callers new arguments.
#include "compiler/passes/pass_ids.h"

#include "compiler/ir/primitives.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

namespace clarity::compiler {
namespace {

/// A primitive with its dimension, or a variable in local memory.
using Need = std::pair<llvm::GlobalValue*, unsigned>;

class QueryPasser {
public:
  explicit QueryPasser(llvm::Module& module) : module_(module) {}

  bool run() {
    findNeeds();
    for (auto& [function, needs] : needs_)
      if (!needs.empty()) withParameters(*function, needs);
    for (auto& [function, replacement] : replacements_) redirectCalls(*function, *replacement);
    for (auto& [function, replacement] : replacements_) answer(*replacement);
    for (auto& [function, replacement] : replacements_) {
      function->replaceAllUsesWith(replacement);  // an address that a program prints
      function->eraseFromParent();
    }
    return expanded_ || !replacements_.empty();
  }

private:
  using Needs = llvm::SetVector<Need>;

  static bool isHelper(const llvm::Function& function) {
    return !function.isDeclaration() && function.hasLocalLinkage();
  }

  /// The queries that a call stands for: one, or all dimensions if which is known only when running.
  static llvm::SmallVector<Need, 3> needsOf(const llvm::CallInst& call) {
    const auto primitive = primitiveOf(call);
    if (!primitive || !isQuery(*primitive)) return {};
    llvm::Function* query = call.getCalledFunction();
    if (call.arg_size() == 0) return {{query, 0}};
    if (const auto dimension = dimensionOf(call)) return {{query, *dimension}};
    return {{query, 0}, {query, 1}, {query, 2}};
  }

  void findNeeds() {
    llvm::SmallVector<llvm::Constant*, 4> variables;
    for (llvm::GlobalVariable& variable : module_.globals())
      if (variable.getAddressSpace() == localAddressSpace) variables.push_back(&variable);
    expanded_ = llvm::convertUsersOfConstantsToInstructions(variables);
    for (llvm::Function& function : module_) {
      if (!isHelper(function)) continue;
      Needs& needs = needs_[&function];
      for (llvm::Instruction& instruction : llvm::instructions(function)) {
        if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) needs.insert_range(needsOf(*call));
        for (llvm::Value* operand : instruction.operands())
          if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(operand);
              variable && variable->getAddressSpace() == localAddressSpace)
            needs.insert({variable, 0});
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [function, needs] : needs_)
        for (const llvm::User* user : function->users())
          if (const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
              call && isHelper(*call->getFunction()) && call->getFunction() != function)
            for (const Need& need : needs)
              changed |= needs_[const_cast<llvm::Function*>(call->getFunction())].insert(need);
    }
  }

  static llvm::Type* typeOf(const Need& need) {
    const auto* query = llvm::dyn_cast<llvm::Function>(need.first);
    return query ? query->getReturnType() : need.first->getType();
  }

  /// The function with parameters for what it needs; the old one is left without a body.
  void withParameters(llvm::Function& function, const Needs& needs) {
    llvm::SmallVector<llvm::Type*, 8> types(function.getFunctionType()->params());
    for (const Need& need : needs) types.push_back(typeOf(need));
    auto* replacement =
        llvm::Function::Create(llvm::FunctionType::get(function.getReturnType(), types, function.isVarArg()),
                               function.getLinkage(), "", module_);
    replacement->copyAttributesFrom(&function);
    replacement->takeName(&function);
    replacement->splice(replacement->begin(), &function);
    for (llvm::Argument& argument : function.args()) {
      replacement->getArg(argument.getArgNo())->takeName(&argument);
      argument.replaceAllUsesWith(replacement->getArg(argument.getArgNo()));
    }
    for (unsigned i = 0; i < needs.size(); ++i)
      parameters_[{replacement, needs[i]}] = replacement->getArg(static_cast<unsigned>(function.arg_size()) + i);
    replacements_[&function] = replacement;
  }

  /// The value of a need in a function: its parameter, or in a kernel the thing itself.
  llvm::Value* valueOf(const Need& need, llvm::IRBuilder<>& builder) {
    if (const auto known = parameters_.find({builder.GetInsertBlock()->getParent(), need}); known != parameters_.end())
      return known->second;
    auto* query = llvm::dyn_cast<llvm::Function>(need.first);
    if (!query) return need.first;
    llvm::SmallVector<llvm::Value*, 1> dimension;
    if (query->arg_size() > 0) dimension.push_back(builder.getInt32(need.second));
    return builder.CreateCall(query, dimension);
  }

  void redirectCalls(llvm::Function& function, llvm::Function& replacement) {
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledOperand() != &function) continue;
      llvm::IRBuilder<> builder(call);
      llvm::SmallVector<llvm::Value*, 8> arguments(call->args());
      for (const Need& need : needs_[&function]) arguments.push_back(valueOf(need, builder));
      llvm::CallInst* with = builder.CreateCall(&replacement, arguments);
      with->setAttributes(call->getAttributes());
      with->setCallingConv(call->getCallingConv());
      with->setDebugLoc(call->getDebugLoc());
      with->takeName(call);
      call->replaceAllUsesWith(with);
      call->eraseFromParent();
    }
  }

  /// Parameters take the places of queries and variables.
  void answer(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::IRBuilder<> builder(&instruction);
      for (llvm::Use& operand : instruction.operands())
        if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(operand);
            variable && variable->getAddressSpace() == localAddressSpace)
          operand.set(valueOf({variable, 0}, builder));
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const auto needs = call ? needsOf(*call) : llvm::SmallVector<Need, 3>();
      if (needs.empty()) continue;
      llvm::Value* value = valueOf(needs[0], builder);
      if (needs.size() > 1) {
        // As the kernel would: 0 for a dimension that is none of the three.
        value = llvm::ConstantInt::get(call->getType(), 0);
        for (const Need& need : needs)
          value = builder.CreateSelect(builder.CreateICmpEQ(call->getArgOperand(0), builder.getInt32(need.second)),
                                       valueOf(need, builder), value);
      }
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }

  llvm::Module& module_;
  bool expanded_ = false;  ///< constant expressions into instructions
  llvm::MapVector<llvm::Function*, Needs> needs_;
  llvm::MapVector<llvm::Function*, llvm::Function*> replacements_;
  llvm::DenseMap<std::pair<llvm::Function*, Need>, llvm::Value*> parameters_;
};

}  // namespace

llvm::PreservedAnalyses PassIdsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  return QueryPasser(module).run() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
