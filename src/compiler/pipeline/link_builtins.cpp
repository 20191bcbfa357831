// SPDX-License-Identifier: Apache-2.0
// This file reads the modules of the library that a program needs, lazily: only functions that are used leave the
// bitcode.
#include "compiler/pipeline/link_builtins.h"

#include "builtins/builtins.h"
#include "compiler/ir/backend.h"
#include "compiler/ir/processor_functions.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include <set>

namespace clarity::compiler {

namespace {

/// Functions of the library (sub_group/matrices.cl, async_copy/staged_copy.cl) for which devices may have instructions;
/// behind "__", the primitives that stand for these. Empty for other functions.
llvm::StringRef primitiveOf(llvm::StringRef mangled) {
  unsigned length = 0;
  if (!mangled.consume_front("_Z") || mangled.consumeInteger(10, length)) return {};
  const llvm::StringRef name = mangled.take_front(length);
  const bool isPrimitive = name.starts_with("clarity_sub_group_matrix_") || name.starts_with("clarity_copy_");
  return isPrimitive ? name : llvm::StringRef();
}

llvm::Error linkModule(llvm::Module& module, const builtins::LibraryModule& part) {
  const llvm::MemoryBufferRef buffer(llvm::StringRef(part.bitcode), llvm::StringRef(part.source));
  auto library = llvm::getLazyBitcodeModule(buffer, module.getContext(), /*ShouldLazyLoadMetadata=*/true);
  if (!library) return library.takeError();
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded))
    return llvm::createStringError("the functions of '" + llvm::Twine(llvm::StringRef(part.source)) +
                                   "' in the builtin library could not be linked");
  return llvm::Error::success();
}

void useFormsOfLibrary(llvm::Module& module, bool relaxed, bool avx512) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic()) continue;
    const std::string form = builtins::formOf(std::string_view(function.getName()), relaxed, avx512);
    if (form.empty()) continue;
    if (llvm::Function* known = module.getFunction(form))
      function.replaceAllUsesWith(known);
    else
      function.setName(form);
  }
}

/// Functions that the library calls and the compiler lowers.
void markProcessorFunctions(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (processorOperationOf(function)) markPure(function);
}

/// `function` calls the device's function, lane by lane.
void defineByDevice(llvm::Function& function, llvm::StringRef form) {
  llvm::Module& module = *function.getParent();
  llvm::SmallVector<llvm::Type*, 2> types;
  for (const llvm::Argument& argument : function.args()) types.push_back(argument.getType()->getScalarType());
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      form, llvm::FunctionType::get(function.getReturnType()->getScalarType(), types, /*isVarArg=*/false));
  auto& target = *llvm::cast<llvm::Function>(callee.getCallee());
  target.setDoesNotAccessMemory();
  target.setDoesNotThrow();
  target.setWillReturn();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &function));
  const auto callOf = [&](const auto& lane) {
    llvm::SmallVector<llvm::Value*, 2> values;
    for (llvm::Argument& argument : function.args()) values.push_back(lane(&argument));
    return builder.CreateCall(callee, values);
  };
  llvm::Value* result = nullptr;
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(function.getReturnType())) {
    result = llvm::PoisonValue::get(function.getReturnType());
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = builder.CreateInsertElement(
          result, callOf([&](llvm::Value* value) { return builder.CreateExtractElement(value, i); }), i);
  } else {
    result = callOf([](llvm::Value* value) { return value; });
  }
  builder.CreateRet(result);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
}

void useFormsOfDevice(llvm::Module& module, bool relaxed, const BackEnd& device) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic()) continue;
    if (const llvm::StringRef primitive = primitiveOf(function.getName());
        device.multipliesMatrices() && !primitive.empty()) {
      function.setName("__" + primitive);
      continue;
    }
    const auto known = builtins::mathFunction(std::string_view(function.getName()));
    if (!known) continue;
    const auto [name, isDouble] = *known;
    const std::string_view form = isDouble ? device.doubleForm(name) : device.floatForm(name, relaxed);
    if (!form.empty()) defineByDevice(function, form);
  }
}

}  // namespace

llvm::Error linkBuiltins(llvm::Module& module, bool relaxed, bool avx512, const BackEnd& device) {
  useFormsOfDevice(module, relaxed, device);
  if (relaxed || avx512) useFormsOfLibrary(module, relaxed, avx512);
  // The functions of images call functions of other modules, which have no functions of others.
  for (std::set<std::size_t> linked, needed;; linked.merge(needed)) {
    needed.clear();
    for (const llvm::Function& function : module) {
      if (!function.isDeclaration() || function.isIntrinsic()) continue;
      const auto number = builtins::moduleOf(std::string_view(function.getName()));
      if (number && !linked.contains(*number)) needed.insert(*number);
    }
    if (needed.empty()) break;
    for (const std::size_t number : needed)
      if (llvm::Error error = linkModule(module, builtins::libraryModule(number))) return error;
  }
  if (avx512) markProcessorFunctions(module);
  return llvm::Error::success();
}

}  // namespace clarity::compiler
