// SPDX-License-Identifier: Apache-2.0
// This file links a program, checks that it is whole and gives it its target.
#include "compiler/frontend/blocks.h"
#include "compiler/frontend/kernel_info.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/backend.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/demangled_name.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/program_functions.h"
#include "compiler/passes/collect_constructors.h"
#include "compiler/passes/place_global_variables.h"
#include "compiler/passes/prepare_inlining.h"
#include "compiler/pipeline/link_builtins.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/pipeline/state.h"
#include "compiler/pipeline/steps.h"
#include "compiler/workarounds/library_names.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/Internalize.h>

namespace clarity::compiler {
namespace {

constexpr std::uint64_t mostInlinedAtAll = cost::budget::mostInlined;

}  // namespace

llvm::Error collectConstructorsOf(PipelineState& state, llvm::Module& module) {
  auto constructors = collectConstructors(module);
  if (!constructors) return constructors.takeError();
  if (!*constructors) return llvm::Error::success();
  state.scope->constructors = kernelInfoOf(**constructors, state.options);
  state.kernels.push_back(&*state.scope->constructors);
  return llvm::Error::success();
}

/// Blocks stay visible, as kernels do: the device finds them by these numbers in the compiled program.
llvm::Error numberBlocks(PipelineState& state, llvm::Module& module) {
  for (std::size_t number = 0; number < state.kernels.size(); ++number) {
    llvm::Function& kernel = *module.getFunction(state.kernels[number]->name);
    if (!isBlock(kernel)) continue;
    kernel.setLinkage(llvm::GlobalValue::ExternalLinkage);
    llvm::Constant* const value = llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), number);
    kernel.replaceUsesWithIf(llvm::ConstantExpr::getIntToPtr(value, kernel.getType()),
                             [](const llvm::Use& use) { return !llvm::isa<llvm::BlockAddress>(use.getUser()); });
  }
  return llvm::Error::success();
}

/// A function of the program that is declared and nowhere defined is the builtin, as after a header's
/// `float sin(float);` (frontend/program_names.h).
llvm::Error takeDeclaredBuiltins(PipelineState&, llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().starts_with(programPrefix)) continue;
    const std::string name = function.hasFnAttribute(builtinAttribute)
                                 ? function.getFnAttribute(builtinAttribute).getValueAsString().str()
                                 : function.getName().drop_front(llvm::StringRef(programPrefix).size()).str();
    llvm::Function* const known = module.getFunction(name);
    if (!known) {
      function.setName(name);
    } else if (known->getFunctionType() == function.getFunctionType()) {
      function.replaceAllUsesWith(known);
      function.eraseFromParent();
    }
  }
  return llvm::Error::success();
}

llvm::Error linkBuiltinsInto(PipelineState& state, llvm::Module& module) {
  return linkBuiltins(module, state.relaxedMath(), state.vectors.maskRegisters, backEndOf(state.target));
}

llvm::Error checkUndefined(PipelineState&, llvm::Module& module) {
  std::string names;
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty() || primitiveOf(function)) continue;
    if (function.getName().starts_with("__clarity_")) continue;  // the runtime's, found when code is loaded
    names += function.getFnAttribute(firstUseAttribute).getValueAsString().str();
    names += "error: undefined function '" + demangledName(function.getName()) + "'";
    if (const auto* call = llvm::dyn_cast<llvm::Instruction>(*function.user_begin()))
      names += " called from '" + demangledName(call->getFunction()->getName()) + "'";
    names += "\n";
  }
  return names.empty() ? llvm::Error::success() : llvm::createStringError(names);
}

llvm::Error retargetModule(PipelineState& state, llvm::Module& module) {
  backEndOf(state.target).retarget(module, state.machine, state.target);
  return llvm::Error::success();
}

/// Declarations that the library brings carry fewer attributes than primitives have.
llvm::Error declarePrimitives(PipelineState&, llvm::Module& module) {
  for (llvm::Function& function : module)
    if (const auto primitive = primitiveOf(function); primitive && !isFamily(*primitive))
      declarePrimitive(module, *primitive);
  return llvm::Error::success();
}

llvm::Error placeVariables(PipelineState& state, llvm::Module& module) {
  auto variables = placeGlobalVariables(module);
  if (!variables) return variables.takeError();
  state.scope->variables = *std::move(variables);
  return llvm::Error::success();
}

llvm::Error internalizeProgram(PipelineState& state, llvm::Module& module) {
  llvm::StringSet<> names;
  for (const KernelInfo* kernel : state.kernels) names.insert(kernel->name);
  llvm::internalizeModule(module, [&](const llvm::GlobalValue& value) { return names.contains(value.getName()); });
  return llvm::Error::success();
}

llvm::Error renameFunctions(PipelineState&, llvm::Module& module) {
  keepFromLibraryNames(module);
  return llvm::Error::success();
}

/// Functions that wait at barriers must become part of their kernel, however often they are called. Code that the
/// source itself has written out is compiled in time that grows with it, up to a limit of its own.
llvm::Error checkInlining(PipelineState& state, llvm::Module& module) {
  for (const KernelInfo* kernel : state.kernels) {
    const llvm::Function& function = *module.getFunction(kernel->name);
    const std::uint64_t written = writtenSize(function);
    if (written > cost::budget::mostWritten)
      return llvm::createStringError(
          fmt::format("error: kernel '{}' is too large: it has {} instructions, at most {} are compiled\n",
                      kernel->name, written, cost::budget::mostWritten));
    if (inlinedSize(function) - written > mostInlinedAtAll)
      return llvm::createStringError(
          fmt::format("error: kernel '{}' is too large: its functions wait at barriers or for their sub-group and are "
                      "copied into it at every call, which adds more than {} instructions, or they call themselves\n",
                      kernel->name, mostInlinedAtAll));
  }
  return llvm::Error::success();
}

/// Notes whether there is anything to inline: otherwise simplified functions are not simplified again.
llvm::Error findCalls(PipelineState& state, llvm::Module& module) {
  state.set(FunctionsCalled, llvm::any_of(module, [](const llvm::Function& function) {
              return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
                const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
                const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
                return callee && !callee->isDeclaration();
              });
            }));
  return llvm::Error::success();
}

llvm::Error instrumentModule(PipelineState& state, llvm::Module& module) {
  return state.instrument ? state.instrument(module) : llvm::Error::success();
}

}  // namespace clarity::compiler
