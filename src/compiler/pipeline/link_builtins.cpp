// SPDX-License-Identifier: Apache-2.0
// This file reads the modules of the library that a program needs, lazily: only functions that are used leave the
// bitcode.
#include "compiler/pipeline/link_builtins.h"

#include "builtins/builtins.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/backend.h"
#include "compiler/ir/demangled_name.h"
#include "compiler/ir/processor_functions.h"
#include "compiler/ir/program_functions.h"
#include "compiler/ir/signatures.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>

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

/// The names that a program has written, by those of the forms that it calls in their place.
using NamesByForm = llvm::StringMap<std::string>;

llvm::Expected<std::unique_ptr<llvm::Module>> read(const builtins::LibraryModule& part, llvm::LLVMContext& context) {
  const llvm::MemoryBufferRef buffer(llvm::StringRef(part.bitcode), llvm::StringRef(part.source));
  return llvm::getLazyBitcodeModule(buffer, context, /*ShouldLazyLoadMetadata=*/true);
}

/// Whether a declaration has the type of the builtin function of its name, so that a call of it can be replaced. Others
/// are reported when the library is linked.
bool isDeclaredRight(const llvm::Function& declaration) {
  const auto number = builtins::moduleOf(std::string_view(declaration.getName()));
  if (!number) return false;
  auto library = read(builtins::libraryModule(*number), declaration.getContext());
  if (!library) return llvm::consumeError(library.takeError()), false;
  const llvm::Function* const known = (*library)->getFunction(declaration.getName());
  return known && haveAlikeTypes(*known, declaration);
}

/// Programs in OpenCL C declare builtin functions right, as mangled names say it all, except by another result; IR that
/// others wrote may declare them in any way. The call of a function by another type is undefined in LLVM's IR.
llvm::Error checkDeclarations(const llvm::Module& module, const llvm::Module& library, const NamesByForm& written) {
  std::string errors;
  for (const llvm::Function& builtin : library) {
    const llvm::Function* const own = builtin.isDeclaration() ? nullptr : module.getFunction(builtin.getName());
    if (!own || !own->isDeclaration() || haveAlikeTypes(*own, builtin)) continue;
    const auto known = written.find(builtin.getName());
    const llvm::StringRef name = known == written.end() ? builtin.getName() : llvm::StringRef(known->second);
    errors += fmt::format("{}error: the builtin function '{}' is '{}', and is declared as '{}'\n",
                          std::string_view(own->getFnAttribute(firstUseAttribute).getValueAsString()),
                          demangledName(name), signatureOf(builtin), signatureOf(*own));
  }
  return errors.empty() ? llvm::Error::success() : llvm::createStringError(errors);
}

llvm::Error linkModule(llvm::Module& module, const builtins::LibraryModule& part, const NamesByForm& written) {
  auto library = read(part, module.getContext());
  if (!library) return library.takeError();
  if (llvm::Error error = checkDeclarations(module, **library, written)) return error;
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded))
    return llvm::createStringError("the functions of '" + llvm::Twine(llvm::StringRef(part.source)) +
                                   "' in the builtin library could not be linked");
  return llvm::Error::success();
}

/// A program that defines a function with a builtin's name calls its own; the library calls the builtin. Kernels keep
/// their names, by which the host asks for them.
llvm::Error renameDefinitions(llvm::Module& module) {
  for (llvm::Function& function : module) {
    const llvm::StringRef name = function.getName();
    if (function.isDeclaration() || !builtins::hasName(std::string_view(name))) continue;
    if (function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL)
      function.setName(programPrefix + name);
    else if (name.starts_with("_Z") || name.starts_with("__"))
      return llvm::createStringError(
          fmt::format("error: kernel '{}' has the name of a builtin function in the library", std::string_view(name)));
  }
  return llvm::Error::success();
}

NamesByForm useFormsOfLibrary(llvm::Module& module, bool relaxed, bool avx512) {
  NamesByForm written;
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic()) continue;
    const std::string form = builtins::formOf(std::string_view(function.getName()), relaxed, avx512);
    if (form.empty()) continue;
    written.try_emplace(form, function.getName().str());
    if (llvm::Function* known = module.getFunction(form))
      function.replaceAllUsesWith(known);
    else
      function.setName(form);
  }
  return written;
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

/// Defines min, max and clamp of float by intrinsics. Their results are undefined for NaN (OpenCL C 3.0, 6.15.4), but
/// the library's comparisons say which operand it is then, and keep compilers from using the instructions. The result
/// of two zeros of different signs is either of them.
bool defineByIntrinsics(llvm::Function& function, std::string_view name) {
  const bool isClamp = name == "clamp";
  if ((!isClamp && name != "min" && name != "max") || !isDeclaredRight(function)) return false;
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
  llvm::Type* const type = function.getReturnType();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  llvm::SmallVector<llvm::Value*, 3> values;
  for (llvm::Argument& argument : function.args())
    values.push_back(argument.getType() == type ? &argument
                                                : builder.CreateVectorSplat(vector->getNumElements(), &argument));
  const auto choose = [&](llvm::Intrinsic::ID which, llvm::Value* a, llvm::Value* b) {
    return builder.CreateBinaryIntrinsic(which, a, b);
  };
  llvm::Value* result = values[0];
  if (name != "min") result = choose(llvm::Intrinsic::maxnum, result, values[1]);
  if (name != "max") result = choose(llvm::Intrinsic::minnum, result, values[isClamp ? 2 : 1]);
  builder.CreateRet(result);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  return true;
}

void useFormsOfDevice(llvm::Module& module, bool relaxed, const BackEnd& device) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic()) continue;
    if (const llvm::StringRef primitive = primitiveOf(function.getName());
        device.multipliesMatrices() && !primitive.empty() && isDeclaredRight(function)) {
      function.setName("__" + primitive);
      continue;
    }
    const auto known = builtins::mathFunction(std::string_view(function.getName()));
    if (!known) continue;
    const auto [name, isDouble] = *known;
    if (device.choosesAmongFloats() && !isDouble && defineByIntrinsics(function, name)) continue;
    const std::string_view form = isDouble ? device.doubleForm(name) : device.floatForm(name, relaxed);
    if (!form.empty() && isDeclaredRight(function)) defineByDevice(function, form);
  }
}

}  // namespace

llvm::Error linkBuiltins(llvm::Module& module, bool relaxed, bool avx512, const BackEnd& device) {
  if (llvm::Error error = renameDefinitions(module)) return error;
  useFormsOfDevice(module, relaxed, device);
  NamesByForm written;
  if (relaxed || avx512) written = useFormsOfLibrary(module, relaxed, avx512);
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
      if (llvm::Error error = linkModule(module, builtins::libraryModule(number), written)) return error;
  }
  if (avx512) markProcessorFunctions(module);
  return llvm::Error::success();
}

}  // namespace clarity::compiler
