// SPDX-License-Identifier: Apache-2.0
// This file counts the instructions of a kernel with all calls inlined.
#include "compiler/nvptx/inline_calls.h"

#include "compiler/ir/cost_model.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace clarity::compiler::nvptx {
namespace {

constexpr std::uint64_t endless = std::uint64_t{1} << 40;

class Callees {
public:
  /// Instructions of a function and of all that it calls, as often as it calls it.
  std::uint64_t sizeOf(llvm::Function& function) {
    const auto [known, isNew] = sizes_.try_emplace(&function, endless);  // endless while it is counted: recursion
    if (!isNew) return known->second;
    std::uint64_t size = 0;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      ++size;
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration() || callee->hasFnAttribute(llvm::Attribute::NoInline) || call->isNoInline())
        continue;
      size = std::min(size + sizeOf(*callee), endless);
      found_.insert(callee);
    }
    return sizes_[&function] = size;
  }

  llvm::ArrayRef<llvm::Function*> found() const { return found_.getArrayRef(); }

private:
  llvm::DenseMap<const llvm::Function*, std::uint64_t> sizes_;
  llvm::SetVector<llvm::Function*> found_;
};

}  // namespace

bool markCallsForInlining(llvm::Function& kernel) {
  Callees callees;
  if (callees.sizeOf(kernel) > cost::mostInlinedOnGpu) return false;
  for (llvm::Function* callee : callees.found()) callee->addFnAttr(llvm::Attribute::AlwaysInline);
  return !callees.found().empty();
}

}  // namespace clarity::compiler::nvptx
