// SPDX-License-Identifier: Apache-2.0
// This file compares every use of a name with its definition, or with the first use if there is none.
#include "compiler/frontend/shared_names.h"

#include "compiler/ir/demangled_name.h"
#include "compiler/ir/program_functions.h"
#include "compiler/ir/signatures.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstddef>

namespace clarity::compiler {
namespace {

struct Place {
  llvm::GlobalValue* value;
  std::size_t module;
};

bool isShared(const llvm::GlobalValue& value) {
  const bool isUsed = !value.isDeclaration() || !value.use_empty();
  return isUsed && !value.hasLocalLinkage() && !value.hasAppendingLinkage() && !value.getName().starts_with("llvm.");
}

bool isKernel(const llvm::Function& function) { return function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL; }

std::string textOf(const llvm::Function& function) {
  return fmt::format("{} '{}'", isKernel(function) ? "the kernel" : "the function", signatureOf(function));
}

std::string spaceText(unsigned addressSpace, const llvm::GlobalVariable& variable) {
  const std::string pointer = typeText(*llvm::PointerType::get(variable.getContext(), addressSpace));
  return pointer.substr(0, pointer.find(" pointer"));
}

std::string textOf(const llvm::GlobalVariable& variable) {
  return fmt::format("the variable '{} {}'", spaceText(variable.getAddressSpace(), variable),
                     typeText(*variable.getValueType()));
}

std::string textOf(const llvm::GlobalValue& value) {
  if (const auto* function = llvm::dyn_cast<llvm::Function>(&value)) return textOf(*function);
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) return textOf(*variable);
  return "an alias";
}

/// Aggregates need only have one size: clang gives those with an initial value types of their own, such as
/// {int, int, [98 x int]} for 100 numbers of which two are not 0. `extern constant int table[][30];` has none, and is a
/// number of rows.
bool areAlikeVariables(const llvm::GlobalVariable& left, const llvm::GlobalVariable& right) {
  const llvm::Type &one = *left.getValueType(), &other = *right.getValueType();
  if (!one.isAggregateType() || !other.isAggregateType()) return areAlike(one, other);
  const auto sizeOf = [](const llvm::GlobalVariable& variable) {
    return variable.getParent()->getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
  };
  const std::uint64_t size = sizeOf(left), otherSize = sizeOf(right);
  const auto isOfRows = [](std::uint64_t bytes, const llvm::GlobalVariable& rows) {
    const auto* const array = llvm::dyn_cast<llvm::ArrayType>(rows.getValueType());
    const std::uint64_t row =
        array ? rows.getParent()->getDataLayout().getTypeAllocSize(array->getElementType()).getFixedValue() : 0;
    return row == 0 || bytes % row == 0;
  };
  if (size == 0) return isOfRows(otherSize, left);
  return otherSize == 0 ? isOfRows(size, right) : size == otherSize;
}

bool agree(const llvm::GlobalValue& left, const llvm::GlobalValue& right) {
  const auto* function = llvm::dyn_cast<llvm::Function>(&left);
  const auto* otherFunction = llvm::dyn_cast<llvm::Function>(&right);
  if (function && otherFunction)
    return isKernel(*function) == isKernel(*otherFunction) && haveAlikeTypes(*function, *otherFunction) &&
           passAlikeStructures(*function, *otherFunction);
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&left);
  const auto* otherVariable = llvm::dyn_cast<llvm::GlobalVariable>(&right);
  return variable && otherVariable && variable->getAddressSpace() == otherVariable->getAddressSpace() &&
         areAlikeVariables(*variable, *otherVariable);
}

/// Whether calls of a declaration may be calls of a definition: their parameters are alike, and so are their results,
/// or one of them has none. The declaration may leave out `kernel`.
bool mayStandFor(const llvm::Function& definition, const llvm::Function& declaration) {
  const llvm::FunctionType &one = *definition.getFunctionType(), &other = *declaration.getFunctionType();
  const llvm::Type &result = *one.getReturnType(), &expected = *other.getReturnType();
  return !one.isVarArg() && !other.isVarArg() && !isKernel(declaration) &&
         (result.isVoidTy() || expected.isVoidTy() || areAlike(result, expected)) &&
         llvm::equal(one.params(), other.params(),
                     [](const llvm::Type* a, const llvm::Type* b) { return areAlike(*a, *b); }) &&
         passAlikeStructures(definition, declaration) && !declaration.hasStructRetAttr();
}

/// The attributes of parameters alone: those of another result may be wrong.
llvm::AttributeList ofParameters(const llvm::AttributeList& all, const llvm::Function& function) {
  llvm::AttributeList attributes;
  for (unsigned i = 0; i < function.arg_size(); ++i)
    attributes = attributes.addParamAttributes(function.getContext(), i,
                                               llvm::AttrBuilder(function.getContext(), all.getParamAttrs(i)));
  return attributes;
}

/// The function that calls of `definition` call: clang's function with the body, if it is a kernel. Null: other modules
/// cannot call it.
const llvm::Function* calledFor(const llvm::Function& definition) {
  if (!isKernel(definition)) return &definition;
  const llvm::Function* const body =
      definition.getParent()->getFunction((kernelBodyPrefix + definition.getName()).str());
  return body && !body->isDeclaration() && !body->hasLocalLinkage() ? body : nullptr;
}

/// The declaration of `definition` in the module of `old`, whose name it takes unless the definition has another one.
llvm::Function& declarationFor(const llvm::Function& definition, llvm::Function& old) {
  llvm::Module& module = *old.getParent();
  auto* const type = llvm::FunctionType::get(definition.getReturnType(), old.getFunctionType()->params(), false);
  const bool hasItsName = definition.getName() == old.getName();
  if (llvm::Function* const there = hasItsName ? nullptr : module.getFunction(definition.getName());
      there && there->getFunctionType() == type)
    return *there;
  llvm::Function* const made = llvm::Function::Create(type, llvm::Function::ExternalLinkage, old.getAddressSpace(),
                                                      hasItsName ? "" : definition.getName(), &module);
  if (hasItsName) made->takeName(&old);
  made->setCallingConv(definition.getCallingConv());
  made->setAttributes(ofParameters(old.getAttributes(), *made));
  return *made;
}

/// Turns calls of a declaration into calls of the definition: old programs declare kernels without `kernel`, and
/// functions without their result. False: the two differ in more than that.
bool adapt(llvm::GlobalValue& value, const llvm::GlobalValue& known) {
  auto* const declaration = llvm::dyn_cast<llvm::Function>(&value);
  const auto* definition = llvm::dyn_cast<llvm::Function>(&known);
  if (!declaration || !definition || !declaration->isDeclaration() || definition->isDeclaration()) return false;
  definition = calledFor(*definition);
  if (!definition) return false;
  if (!mayStandFor(*definition, *declaration)) return false;
  llvm::SmallVector<llvm::CallInst*, 8> calls;
  for (llvm::Use& use : declaration->uses()) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    if (!call || !call->isCallee(&use) || call->getFunctionType() != declaration->getFunctionType()) return false;
    calls.push_back(call);
  }
  llvm::Function& made = declarationFor(*definition, *declaration);
  for (llvm::CallInst* const call : calls) {
    const llvm::SmallVector<llvm::Value*, 8> arguments(call->args());
    llvm::CallInst* const other = llvm::CallInst::Create(&made, arguments, "", call->getIterator());
    other->setCallingConv(made.getCallingConv());
    other->setDebugLoc(call->getDebugLoc());
    other->setAttributes(ofParameters(call->getAttributes(), made));
    if (call->getType() == other->getType())
      call->replaceAllUsesWith(other);
    else if (!call->getType()->isVoidTy())
      call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
    call->eraseFromParent();
  }
  declaration->eraseFromParent();
  return true;
}

}  // namespace

std::string reconcileSharedNames(const std::vector<std::unique_ptr<llvm::Module>>& modules) {
  llvm::StringMap<Place> first;
  for (const bool definitions : {true, false})
    for (std::size_t i = 0; i < modules.size(); ++i)
      for (llvm::GlobalValue& value : modules[i]->global_values())
        if (isShared(value) && value.isDeclaration() != definitions)
          first.try_emplace(value.getName(), Place{&value, i});
  std::string errors;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    for (llvm::GlobalValue& value : llvm::make_early_inc_range(modules[i]->global_values())) {
      if (!isShared(value)) continue;
      const Place& known = first.find(value.getName())->second;
      if (agree(*known.value, value) || adapt(value, *known.value)) continue;
      errors +=
          fmt::format("error: '{}' is {} in program {} of {}, and {} in program {}\n", demangledName(value.getName()),
                      textOf(*known.value), known.module + 1, modules.size(), textOf(value), i + 1);
    }
  }
  return errors;
}

}  // namespace clarity::compiler
