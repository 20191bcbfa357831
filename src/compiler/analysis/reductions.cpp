// SPDX-License-Identifier: Apache-2.0
// This file follows the uses of an argument.
#include "compiler/analysis/reductions.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/collectives.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Operator.h>

#include <optional>

namespace clarity::compiler {
namespace {

/// The reduction that one atomic function performs; nothing if its result is used or its operation is no reduction.
std::optional<Reduction> reductionOf(const llvm::AtomicRMWInst& atomic) {
  const auto combination = combinationOf(atomic.getOperation());
  const llvm::Type* type = atomic.getType();
  if (!combination || !atomic.use_empty() || !(type->isIntegerTy(32) || type->isIntegerTy(64))) return std::nullopt;
  return Reduction{*combination, static_cast<std::uint8_t>(type->getIntegerBitWidth() / 8)};
}

/// Calls with each use of the argument's memory, as long as it returns true. An address in it is no use by itself.
bool forEachUse(const llvm::Argument& argument, llvm::function_ref<bool(const llvm::Use&)> look) {
  llvm::SmallVector<const llvm::Value*, 8> pointers{&argument};
  while (!pointers.empty())
    for (const llvm::Use& use : pointers.pop_back_val()->uses()) {
      if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(use.getUser()))
        pointers.push_back(use.getUser());
      else if (!look(use))
        return false;
    }
  return true;
}

}  // namespace

Reduction reductionOf(const llvm::Argument& argument) {
  if (!argument.getType()->isPointerTy()) return {};
  Reduction result;
  const bool counts = forEachUse(argument, [&](const llvm::Use& use) {
    const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(use.getUser());
    if (!atomic || use.getOperandNo() != llvm::AtomicRMWInst::getPointerOperandIndex()) return false;
    const auto reduction = reductionOf(*atomic);
    if (!reduction || (result && *reduction != result)) return false;
    result = *reduction;
    return true;
  });
  return counts ? result : Reduction();
}

void markReduction(const llvm::Argument& argument) {
  forEachUse(argument, [](const llvm::Use& use) {
    auto* atomic = llvm::cast<llvm::Instruction>(use.getUser());
    atomic->setMetadata(reductionMetadata, llvm::MDNode::get(atomic->getContext(), {}));
    return true;
  });
}

bool isOnReduction(const llvm::Instruction& instruction) { return instruction.hasMetadata(reductionMetadata); }

}  // namespace clarity::compiler
