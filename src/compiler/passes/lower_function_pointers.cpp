// SPDX-License-Identifier: Apache-2.0
// This file numbers the functions whose addresses are taken, and replaces calls through pointers.
#include "compiler/passes/lower_function_pointers.h"

#include "support/hash.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <set>
#include <vector>

namespace clarity::compiler {
namespace {

constexpr const char* dispatcherName = "__clarity_call_through";

/// Tells uses of a function's address. Lists of LLVM's own, such as that of constructors, only name functions.
class AddressUses {
public:
  bool takesAddress(const llvm::Use& use) {
    const llvm::User* const user = use.getUser();
    if (llvm::isa<llvm::BlockAddress>(user)) return false;
    if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(user)) return !call->isCallee(&use);
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(user))
      return !variable->getName().starts_with("llvm.");
    if (!llvm::isa<llvm::Constant>(user) || llvm::isa<llvm::GlobalValue>(user)) return true;
    const auto [known, isNew] = known_.try_emplace(user, false);
    if (!isNew) return known->second;
    const bool takes = takesAddress(*user);
    known_[user] = takes;
    return takes;
  }
  bool takesAddress(const llvm::Value& value) {
    return llvm::any_of(value.uses(), [&](const llvm::Use& use) { return takesAddress(use); });
  }

private:
  llvm::DenseMap<const llvm::User*, bool> known_;  ///< constants
};

struct Numbered {
  llvm::Function* function;
  llvm::ConstantInt* number;
};

/// The functions whose addresses are taken, in the order of the module. Kernels are called by launches only.
std::vector<Numbered> numberFunctions(llvm::Module& module) {
  AddressUses uses;
  std::vector<Numbered> numbered;
  std::set<std::uint64_t> taken{0};  // 0 is the null pointer
  llvm::Type* const type = llvm::Type::getInt64Ty(module.getContext());
  for (llvm::Function& function : module) {
    if (function.isIntrinsic() || function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL) continue;
    if (!uses.takesAddress(function)) continue;
    std::uint64_t number = support::hashOf(std::string_view(function.getName())).low;
    while (!taken.insert(number).second) ++number;
    numbered.push_back({&function, llvm::cast<llvm::ConstantInt>(llvm::ConstantInt::get(type, number))});
  }
  return numbered;
}

/// A function's number is the same in all address spaces, whereas GPUs' casts between them change the bits of
/// addresses.
void replaceCasts(llvm::Value& function, llvm::ConstantInt& number) {
  llvm::SmallVector<llvm::AddrSpaceCastOperator*, 4> casts;
  for (llvm::User* const user : function.users())
    if (auto* const cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(user)) casts.push_back(cast);
  for (llvm::AddrSpaceCastOperator* const cast : casts) {
    replaceCasts(*cast, number);
    cast->replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(&number, cast->getType()));
    if (auto* const instruction = llvm::dyn_cast<llvm::Instruction>(cast)) instruction->eraseFromParent();
  }
}

/// Whether a value is one of the functions whose addresses are taken, chosen at run time, or null.
class Choices {
public:
  bool isOfFunctions(const llvm::Value& value) {
    if (llvm::isa<llvm::ConstantPointerNull>(value)) return true;
    if (const auto* const function = llvm::dyn_cast<llvm::Function>(&value))
      return function->getCallingConv() != llvm::CallingConv::SPIR_KERNEL;
    const auto* const chosen = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!chosen || !llvm::isa<llvm::SelectInst, llvm::PHINode, llvm::FreezeInst>(chosen)) return false;
    if (!seen_.insert(chosen).second) return true;
    const auto* const select = llvm::dyn_cast<llvm::SelectInst>(chosen);
    return llvm::all_of(chosen->operands(), [&](const llvm::Use& use) {
      return (select && use.get() == select->getCondition()) || isOfFunctions(*use);
    });
  }

private:
  std::set<const llvm::Value*> seen_;
};

/// The same for casts of what is chosen among functions.
void replaceCastsOfChoices(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* const cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
      if (!cast || !llvm::isa<llvm::Instruction>(cast->getPointerOperand())) continue;
      if (!Choices().isOfFunctions(*cast->getPointerOperand())) continue;
      llvm::IRBuilder<> builder(cast);
      llvm::Value* const number = builder.CreatePtrToInt(cast->getPointerOperand(), builder.getInt64Ty());
      cast->replaceAllUsesWith(builder.CreateIntToPtr(number, cast->getType()));
      cast->eraseFromParent();
    }
}

/// The bits of a function pointer. Its casts between address spaces change none.
llvm::Value* numberIn(llvm::IRBuilder<>& builder, llvm::Value& pointer) {
  llvm::Value* plain = &pointer;
  while (auto* const cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(plain)) plain = cast->getPointerOperand();
  return builder.CreatePtrToInt(plain, builder.getInt64Ty());
}

class Dispatchers {
public:
  Dispatchers(llvm::Module& module, const std::vector<Numbered>& functions) : module_(module), functions_(functions) {}

  void replace(llvm::CallInst& call) {
    llvm::IRBuilder<> builder(&call);
    llvm::SmallVector<llvm::Value*, 8> arguments{numberIn(builder, *call.getCalledOperand())};
    arguments.append(call.arg_begin(), call.arg_end());
    llvm::CallInst* const made = builder.CreateCall(&of(*call.getFunctionType()), arguments);
    made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    made->setConvergent();
    made->setDoesNotThrow();
    made->takeName(&call);
    call.replaceAllUsesWith(made);
    call.eraseFromParent();
  }

private:
  llvm::Function& of(llvm::FunctionType& type) {
    llvm::Function*& known = made_[&type];
    if (!known) known = make(type);
    return *known;
  }

  /// Callees of any calling convention are right, as their calls say it.
  llvm::Function* make(llvm::FunctionType& called) {
    llvm::LLVMContext& context = module_.getContext();
    llvm::SmallVector<llvm::Type*, 8> parameters{llvm::Type::getInt64Ty(context)};
    parameters.append(called.param_begin(), called.param_end());
    llvm::Type* const result = called.getReturnType();
    auto* const type = llvm::FunctionType::get(result, parameters, false);
    llvm::Function* const made =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, dispatcherName, module_);
    made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    made->setConvergent();
    made->setDoesNotThrow();
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", made));
    llvm::BasicBlock* const none = llvm::BasicBlock::Create(context, "none", made);
    llvm::SwitchInst* const choice = builder.CreateSwitch(made->getArg(0), none);
    for (const Numbered& each : functions_) {
      if (each.function->getFunctionType() != &called) continue;
      llvm::BasicBlock* const block = llvm::BasicBlock::Create(context, each.function->getName(), made);
      choice->addCase(each.number, block);
      builder.SetInsertPoint(block);
      returnFrom(builder, *made, *each.function);
    }
    builder.SetInsertPoint(none);
    builder.CreateIntrinsic(llvm::Intrinsic::trap, {});
    if (result->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(llvm::Constant::getNullValue(result));
    return made;
  }

  static void returnFrom(llvm::IRBuilder<>& builder, llvm::Function& dispatcher, llvm::Function& callee) {
    llvm::SmallVector<llvm::Value*, 8> arguments;
    for (llvm::Argument& argument : llvm::drop_begin(dispatcher.args())) arguments.push_back(&argument);
    llvm::CallInst* const call = builder.CreateCall(&callee, arguments);
    call->setCallingConv(callee.getCallingConv());
    call->setAttributes(callee.getAttributes().removeFnAttributes(callee.getContext()));
    call->setConvergent();
    call->setDoesNotThrow();
    if (call->getType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(call);
  }

  llvm::Module& module_;
  const std::vector<Numbered>& functions_;
  llvm::DenseMap<llvm::FunctionType*, llvm::Function*> made_;
};

}  // namespace

llvm::PreservedAnalyses LowerFunctionPointersPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<llvm::CallInst*, 8> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && !call->isInlineAsm() && !llvm::isa<llvm::Function>(call->getCalledOperand()->stripPointerCasts()))
        calls.push_back(call);
  const std::vector<Numbered> functions = numberFunctions(module);
  if (calls.empty() && functions.empty()) return llvm::PreservedAnalyses::all();
  if (!functions.empty()) replaceCastsOfChoices(module);
  for (const Numbered& each : functions) {
    replaceCasts(*each.function, *each.number);
    AddressUses uses;  // constants come and go with each function
    llvm::Constant* const number = llvm::ConstantExpr::getIntToPtr(each.number, each.function->getType());
    each.function->replaceUsesWithIf(number, [&](const llvm::Use& use) { return uses.takesAddress(use); });
  }
  Dispatchers dispatchers(module, functions);
  for (llvm::CallInst* const call : calls) dispatchers.replace(*call);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
