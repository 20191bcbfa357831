// SPDX-License-Identifier: Apache-2.0
// This file counts the instructions of a kernel with all calls inlined.
#include "compiler/passes/inline_calls.h"

#include "compiler/ir/inlined_sizes.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

bool markCallsForInlining(llvm::Function& kernel, std::uint64_t most) {
  llvm::SmallSetVector<llvm::Function*, 8> callees;
  InlinedSizes sizes([&](const llvm::CallInst& call, llvm::Function& callee) {
    if (callee.hasFnAttribute(llvm::Attribute::NoInline) || call.isNoInline()) return false;
    callees.insert(&callee);
    return true;
  });
  if (sizes.of(kernel) > most) return false;
  for (llvm::Function* callee : callees) callee->addFnAttr(llvm::Attribute::AlwaysInline);
  return !callees.empty();
}

}  // namespace clarity::compiler
