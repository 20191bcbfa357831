// SPDX-License-Identifier: Apache-2.0
// This file reads llvm.global_ctors.
#include "compiler/passes/collect_constructors.h"
#include "compiler/ir/demangled_name.h"

#include "compiler/ir/primitives.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <vector>

namespace clarity::compiler {
namespace {

struct Constructor {
  std::uint64_t priority;
  llvm::Function* function;
};

std::vector<Constructor> constructorsIn(const llvm::GlobalVariable& list) {
  std::vector<Constructor> result;
  const auto* entries = llvm::dyn_cast<llvm::ConstantArray>(list.getInitializer());
  if (!entries) return result;
  for (const llvm::Use& entry : entries->operands()) {
    const auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry.get());
    auto* function = fields ? llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts()) : nullptr;
    if (function) result.push_back({llvm::cast<llvm::ConstantInt>(fields->getOperand(0))->getZExtValue(), function});
  }
  std::ranges::stable_sort(result, {}, &Constructor::priority);
  return result;
}

/// Where an object is registered for its destructor, the object is the second argument, or the destructor alone says
/// whose it is. A program may define a function of this name.
std::string checkDestructors(const llvm::Module& module) {
  const llvm::Function* registration = module.getFunction("__cxa_atexit");
  if (!registration || !registration->isDeclaration() || registration->use_empty()) return {};
  std::string text;
  for (const llvm::User* user : registration->users()) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->arg_size() < 1) continue;
    const std::string destructor = demangledName(call->getArgOperand(0)->stripPointerCasts()->getName());
    const std::string line =
        fmt::format("error: an object at program scope has a destructor, '{}', which would never run\n", destructor);
    if (!text.contains(line)) text += line;
  }
  return text;
}

/// The guard of a static variable in a function is named after it: `_ZGVZ...` for `_ZZ...`.
std::string checkGuards(const llvm::Module& module) {
  std::string text;
  for (const llvm::GlobalVariable& variable : module.globals()) {
    llvm::StringRef name = variable.getName();
    if (variable.getAddressSpace() != globalAddressSpace || !name.consume_front("_ZGVZ") || variable.use_empty())
      continue;
    text += fmt::format(
        "error: static variable '{}' needs a constant initialiser: work-items cannot wait for the first one to "
        "initialise it\n",
        demangledName("_ZZ" + name.str()));
  }
  return text;
}

}  // namespace

llvm::Expected<llvm::Function*> collectConstructors(llvm::Module& module) {
  if (const std::string wrong = checkDestructors(module) + checkGuards(module); !wrong.empty())
    return llvm::createStringError(wrong);
  llvm::GlobalVariable* list = module.getGlobalVariable("llvm.global_ctors");
  if (!list || !list->hasInitializer()) return nullptr;
  const std::vector<Constructor> constructors = constructorsIn(*list);
  list->eraseFromParent();
  if (constructors.empty()) return nullptr;

  llvm::LLVMContext& context = module.getContext();
  auto* kernel = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                        llvm::GlobalValue::ExternalLinkage, constructorsName, module);
  kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", kernel));
  for (const Constructor& constructor : constructors) {
    constructor.function->setCallingConv(llvm::CallingConv::SPIR_FUNC);  // clang makes kernels of them
    builder.CreateCall(constructor.function)->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  }
  builder.CreateRetVoid();
  return kernel;
}

llvm::PreservedAnalyses CollectConstructorsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  auto made = collectConstructors(module);
  if (made) return llvm::PreservedAnalyses::none();
  out_ << llvm::toString(made.takeError());
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
