// SPDX-License-Identifier: Apache-2.0
// This file counts callees before their callers.
#include "compiler/ir/inlined_sizes.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

constexpr std::uint64_t endless = std::uint64_t{1} << 40;

}  // namespace

std::uint64_t InlinedSizes::of(const llvm::Function& function) {
  const auto [known, isNew] = sizes_.try_emplace(&function, endless);  // endless while it is being counted: recursion
  if (!isNew) return known->second;
  std::uint64_t size = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    ++size;
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration() && isInlined_(*call, *callee)) size = std::min(size + of(*callee), endless);
  }
  return sizes_[&function] = size;
}

}  // namespace clarity::compiler
