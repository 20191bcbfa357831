// SPDX-License-Identifier: Apache-2.0
// This file upgrades modules of older compilers. Inside functions images and samplers stay what they were, pointers or
// integers; where one is passed on as the type of today, it goes through a variable, which SROA removes.
#include "compiler/frontend/spir_modules.h"

#include "compiler/frontend/spir_names.h"
#include "compiler/frontend/spir_types.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace clarity::compiler {
namespace {

/// The beginning of the layout that SPIR 1.2 and 2.0 prescribe for addresses of 64 bits: today's, with all defaults
/// written out.
constexpr llvm::StringLiteral layoutOfSpir = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32";
constexpr llvm::StringLiteral samplerOfConstant = "__translate_sampler_initializer";

/// Another view of a value of 8 bytes or fewer.
llvm::Value* throughMemory(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type) {
  llvm::BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> beginning(&entry, entry.begin());
  llvm::AllocaInst* const variable = beginning.CreateAlloca(builder.getInt64Ty());
  if (value->getType()->isIntegerTy(32)) value = builder.CreateZExt(value, builder.getInt64Ty());
  builder.CreateStore(value, variable);
  return builder.CreateLoad(type, variable);
}

/// Whether a type can be the old form of an opaque one: a pointer, or the integer of a sampler.
bool isOldForm(const llvm::Type& type) { return type.isPointerTy() || type.isIntegerTy(32) || type.isIntegerTy(64); }

/// The metadata of kernels in SPIR 1.2: !{ptr @k, !{!"kernel_arg_type", ...}, ...}.
void attachKernelMetadata(llvm::Module& module) {
  llvm::NamedMDNode* const kernels = module.getNamedMetadata("opencl.kernels");
  if (!kernels) return;
  for (llvm::MDNode* const kernel : kernels->operands()) {
    if (kernel->getNumOperands() == 0) continue;
    auto* const function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(kernel->getOperand(0));
    if (!function) continue;
    function->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
    for (unsigned i = 1; i < kernel->getNumOperands(); ++i) {
      const auto* const list = llvm::dyn_cast_or_null<llvm::MDNode>(kernel->getOperand(i));
      const auto* const name =
          list && list->getNumOperands() ? llvm::dyn_cast_or_null<llvm::MDString>(list->getOperand(0)) : nullptr;
      if (!name) continue;
      llvm::SmallVector<llvm::Metadata*, 8> rest(llvm::drop_begin(list->operands()));
      function->setMetadata(name->getString(), llvm::MDNode::get(module.getContext(), rest));
    }
  }
  kernels->eraseFromParent();
}

llvm::StringRef textOf(const llvm::Function& function, llvm::StringRef metadata, unsigned index) {
  const llvm::MDNode* const node = function.getMetadata(metadata);
  if (!node || index >= node->getNumOperands()) return {};
  const auto* const text = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(index));
  return text ? text->getString() : llvm::StringRef();
}

/// The type that an argument of a kernel ought to have; nullptr if it has it.
llvm::Type* kernelArgumentType(const llvm::Function& kernel, unsigned index) {
  if (!isOldForm(*kernel.getArg(index)->getType())) return nullptr;
  llvm::StringRef name = textOf(kernel, "kernel_arg_base_type", index);
  if (name.empty()) name = textOf(kernel, "kernel_arg_type", index);
  const bool isPipe = textOf(kernel, "kernel_arg_type_qual", index).contains("pipe");
  return opaqueTypeOf(kernel.getContext(), isPipe ? "pipe" : name, textOf(kernel, "kernel_arg_access_qual", index));
}

/// The same kernel with other types of parameters; it begins with the old form of each.
void retypeKernel(llvm::Function& kernel) {
  llvm::SmallVector<llvm::Type*, 8> types;
  bool differs = false;
  for (unsigned i = 0; i < kernel.arg_size(); ++i) {
    llvm::Type* const type = kernelArgumentType(kernel, i);
    differs |= type != nullptr;
    types.push_back(type ? type : kernel.getArg(i)->getType());
  }
  if (!differs || kernel.isDeclaration()) return;
  auto* const type = llvm::FunctionType::get(kernel.getReturnType(), types, false);
  llvm::Function* const made = llvm::Function::Create(type, kernel.getLinkage(), "", kernel.getParent());
  made->copyAttributesFrom(&kernel);
  made->copyMetadata(&kernel, 0);
  made->splice(made->begin(), &kernel);
  llvm::BasicBlock& entry = made->getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  for (unsigned i = 0; i < types.size(); ++i) {
    llvm::Argument& old = *kernel.getArg(i);
    llvm::Argument& argument = *made->getArg(i);
    argument.takeName(&old);
    if (types[i] == old.getType()) {
      old.replaceAllUsesWith(&argument);
      continue;
    }
    made->removeParamAttrs(i, llvm::AttributeFuncs::typeIncompatible(types[i], {}));
    old.replaceAllUsesWith(throughMemory(builder, &argument, old.getType()));
  }
  made->takeName(&kernel);
  kernel.replaceAllUsesWith(made);
  kernel.eraseFromParent();
}

/// Events have no content: an argument is the null event, a result is null.
llvm::Value* argumentFor(llvm::IRBuilder<>& builder, llvm::Value* given, llvm::Type* wanted) {
  if (given->getType() == wanted) return given;
  const auto* const opaque = llvm::dyn_cast<llvm::TargetExtType>(wanted);
  if (opaque && opaque->getName() == "spirv.Event") return llvm::Constant::getNullValue(wanted);
  return throughMemory(builder, given, wanted);
}

void retypeCall(llvm::CallInst& call, llvm::Function& callee) {
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::Value*, 6> arguments;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    arguments.push_back(argumentFor(builder, call.getArgOperand(i), callee.getArg(i)->getType()));
  llvm::CallInst* const made = builder.CreateCall(&callee, arguments);
  made->setCallingConv(call.getCallingConv());
  made->setAttributes(call.getAttributes());
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (arguments[i]->getType() != call.getArgOperand(i)->getType())
      made->removeParamAttrs(i, llvm::AttributeFuncs::typeIncompatible(arguments[i]->getType(), {}));
  made->setDebugLoc(call.getDebugLoc());
  if (!call.getType()->isVoidTy()) {
    llvm::Value* result = made;
    if (made->getType() != call.getType()) {
      const auto* const opaque = llvm::dyn_cast<llvm::TargetExtType>(made->getType());
      result = opaque && opaque->getName() == "spirv.Event" ? llvm::Constant::getNullValue(call.getType())
                                                            : throughMemory(builder, made, call.getType());
    }
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
}

/// The type of a builtin function, by its mangled name; nullptr if its declaration has it. None with opaque types takes
/// any number of arguments.
llvm::FunctionType* builtinType(const llvm::Function& function, llvm::StringRef name) {
  if (function.isVarArg()) return nullptr;
  llvm::LLVMContext& context = function.getContext();
  llvm::SmallVector<llvm::Type*, 6> types(function.getFunctionType()->params());
  llvm::Type* result = function.getReturnType();
  if (name == samplerOfConstant) {
    if (isOldForm(*result)) result = opaqueTypeOf(context, "sampler_t", {});
  } else {
    const std::optional<BuiltinParameters> parameters = parametersOf(context, name, types.size());
    if (!parameters || parameters->types.size() != types.size()) return nullptr;
    for (unsigned i = 0; i < types.size(); ++i)
      if (parameters->types[i] && isOldForm(*types[i])) types[i] = parameters->types[i];
    if (parameters->result && isOldForm(*result)) result = parameters->result;
  }
  auto* const type = llvm::FunctionType::get(result, types, false);
  return type == function.getFunctionType() ? nullptr : type;
}

void retypeBuiltin(llvm::Function& function) {
  const std::string name = currentName(std::string_view(function.getName()));
  llvm::FunctionType* const type = builtinType(function, name);
  if (!type) {
    if (name != function.getName() && !function.getParent()->getFunction(name)) function.setName(name);
    return;
  }
  const auto isCall = [&](const llvm::Use& use) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    return call && call->isCallee(&use) && call->getFunctionType() == function.getFunctionType();
  };
  if (!llvm::all_of(function.uses(), isCall)) return;
  llvm::Module& module = *function.getParent();
  function.setName("");
  llvm::Function* made = module.getFunction(name);
  if (!made) {
    made = llvm::Function::Create(type, function.getLinkage(), name, module);
    made->setCallingConv(function.getCallingConv());
    made->setAttributes(llvm::AttributeList::get(module.getContext(), function.getAttributes().getFnAttrs(), {}, {}));
  }
  if (made->getFunctionType() != type) return;
  for (llvm::User* const user : llvm::make_early_inc_range(function.users()))
    retypeCall(*llvm::cast<llvm::CallInst>(user), *made);
  function.eraseFromParent();
}

}  // namespace

void upgradeSpir(llvm::Module& module) {
  if (llvm::StringRef(module.getDataLayoutStr()).starts_with(layoutOfSpir))
    module.setDataLayout(module.getTargetTriple().computeDataLayout());
  attachKernelMetadata(module);
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL) retypeKernel(function);
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && !function.isIntrinsic()) retypeBuiltin(function);
}

}  // namespace clarity::compiler
