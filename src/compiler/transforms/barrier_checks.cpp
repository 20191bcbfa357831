// SPDX-License-Identifier: Apache-2.0
// This file emits the reports of regions (support/observer_hooks.h).
#include "compiler/transforms/barrier_checks.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

std::uint32_t numberIn(const llvm::MDNode& node, unsigned operand) {
  return static_cast<std::uint32_t>(
      llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(operand))->getZExtValue());
}

}  // namespace

BarrierChecks::BarrierChecks(GroupCode& group, const BarrierRegions& regions) : group_(group) {
  if (!group.function().hasFnAttribute(checkedAttribute)) return;
  for (const Region& region : regions.regions()) {
    Start start;
    for (const llvm::BasicBlock* block : llvm::predecessors(region.head)) {
      // Live values may be stored behind the barrier.
      const auto barrier = llvm::find_if(llvm::reverse(*block), [](const llvm::Instruction& instruction) {
        return primitiveOf(instruction) == Primitive::Barrier;
      });
      const llvm::MDNode* const site = barrier == block->rend() ? nullptr : barrier->getMetadata(siteMetadata);
      if (!site) continue;
      start.site = numberIn(*site, 0);
      start.flags = numberIn(*site, 1);
    }
    if (starts_.empty()) start.site = kernelBegins;
    starts_.push_back(start);
  }
}

void BarrierChecks::reportRegions(RegionNests& nests) {
  for (unsigned i = 0; i < starts_.size(); ++i) {
    if (starts_[i].site == noBarrier) continue;
    llvm::IRBuilder<> builder(nests[i].before->getTerminator());
    callHook(builder, "__clarity_check_region", builder.getVoidTy(),
             {builder.getInt32(starts_[i].site), builder.getInt32(starts_[i].flags)});
  }
}

llvm::Value* BarrierChecks::chooseNext(llvm::IRBuilder<>& builder, llvm::Value* row, llvm::Value* items) {
  if (starts_.empty()) return nullptr;
  llvm::SmallVector<std::uint32_t, 8> sites;
  for (const Start& start : starts_) sites.push_back(start.site);
  llvm::Constant* const values = llvm::ConstantDataArray::get(group_.context(), sites);
  auto* const table = new llvm::GlobalVariable(group_.module(), values->getType(), /*isConstant=*/true,
                                               llvm::GlobalValue::PrivateLinkage, values, "barrier.sites");
  return callHook(builder, "__clarity_check_barriers", group_.i32(), {row, items, table});
}

llvm::CallInst* BarrierChecks::callHook(llvm::IRBuilder<>& builder, const char* name, llvm::Type* type,
                                        llvm::ArrayRef<llvm::Value*> values) {
  llvm::SmallVector<llvm::Value*, 6> arguments(values);
  for (unsigned d = 0; d < 3; ++d) arguments.push_back(builder.CreateZExt(group_.base(d), group_.i64()));
  llvm::SmallVector<llvm::Type*, 6> types;
  for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::FunctionCallee hook = group_.module().getOrInsertFunction(name, llvm::FunctionType::get(type, types, false));
  llvm::cast<llvm::Function>(hook.getCallee())->setDoesNotThrow();
  return builder.CreateCall(hook, arguments);
}

}  // namespace clarity::compiler
