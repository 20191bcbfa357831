// SPDX-License-Identifier: Apache-2.0
// This file defines what an assertion that fails calls.
#include "compiler/spirv/devicelib.h"

#include "compiler/ir/primitives.h"
#include "compiler/spirv/printf_call.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler::spirv {
namespace {

constexpr const char* assertFail = "__devicelib_assert_fail";
constexpr const char* format = "%s:%d: %s: global id: [%lu,%lu,%lu], local id: [%lu,%lu,%lu] Assertion `%s` failed.\n";

/// void (expression, file, line, function, three global ids, three local ids)
bool isAssertFail(const llvm::Function& function) {
  const auto isPointer = [&](unsigned index) { return function.getArg(index)->getType()->isPointerTy(); };
  return function.getName() == assertFail && function.getReturnType()->isVoidTy() && function.arg_size() == 10 &&
         isPointer(0) && isPointer(1) && isPointer(3);
}

}  // namespace

void defineDevicelib(llvm::Function& function) {
  if (!function.isDeclaration() || !isAssertFail(function)) return;
  llvm::Module& module = *function.getParent();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &function));
  llvm::GlobalVariable* const text = builder.CreateGlobalString(format, "", constantAddressSpace, &module);
  llvm::SmallVector<llvm::Value*, 11> arguments = {text};
  for (const unsigned index : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 0u}) arguments.push_back(function.getArg(index));
  callPrintf(builder, arguments);
  builder.CreateIntrinsic(llvm::Intrinsic::trap, {});
  builder.CreateRetVoid();
  function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
}

}  // namespace clarity::compiler::spirv
