// SPDX-License-Identifier: Apache-2.0
// This file names the functions of sub-groups to which all work-items come.
#include "compiler/nvptx/uniform_collectives.h"

#include "compiler/analysis/variance.h"
#include "compiler/ir/collectives.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler::nvptx {
namespace {

constexpr llvm::StringLiteral prefix = "__clarity_sub_group_";

/// The function for all work-items in place of the one that is called; empty if there is none.
std::string uniformForm(llvm::StringRef name) {
  if (!name.consume_front(prefix) || name.starts_with("uniform_")) return {};
  name.consume_front("whole_");
  using Kind = Collective::Kind;
  switch (parseCollective(name).kind) {
    case Kind::Ballot:
    case Kind::Broadcast:
    case Kind::Shuffle:
    case Kind::Reduce:
    case Kind::ClusteredReduce:
    case Kind::InclusiveScan:
    case Kind::ExclusiveScan: return (prefix + "uniform_" + name).str();
    default: return {};
  }
}

}  // namespace

llvm::PreservedAnalyses UniformCollectivesPass::run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<std::pair<llvm::CallInst*, std::string>, 16> calls;
  for (llvm::Instruction& instruction : llvm::instructions(kernel))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->getCalledFunction())
      if (std::string form = uniformForm(call->getCalledFunction()->getName()); !form.empty())
        calls.emplace_back(call, std::move(form));
  if (calls.empty()) return llvm::PreservedAnalyses::all();
  const VarianceInfo variance(kernel);
  bool changed = false;
  for (const auto& [call, form] : calls) {
    if (!variance.divergence(*call->getParent()).empty()) continue;
    const llvm::Function& called = *call->getCalledFunction();
    auto* uniform =
        llvm::cast<llvm::Function>(kernel.getParent()->getOrInsertFunction(form, called.getFunctionType()).getCallee());
    uniform->setAttributes(called.getAttributes());
    uniform->setCallingConv(called.getCallingConv());
    call->setCalledFunction(uniform);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
