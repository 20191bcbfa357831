// SPDX-License-Identifier: Apache-2.0
// This file cuts runs out of the entry and calls the device for each of them.
#include "compiler/passes/outline_sub_groups.h"

#include "compiler/packets/sub_group_runs.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>

namespace clarity::compiler {
namespace {

/// The blocks from a begin to its end, each of which is cut out of its block.
llvm::SetVector<llvm::BasicBlock*> blocksOfRun(llvm::CallInst& begin) {
  llvm::BasicBlock* first = llvm::SplitBlock(begin.getParent(), &begin);
  begin.eraseFromParent();
  llvm::SetVector<llvm::BasicBlock*> blocks;
  blocks.insert(first);
  for (unsigned i = 0; i < blocks.size(); ++i) {
    llvm::BasicBlock* block = blocks[i];
    const auto end = llvm::find_if(*block, isEndOfRun);
    if (end == block->end()) {
      for (llvm::BasicBlock* next : llvm::successors(block)) blocks.insert(next);
      continue;
    }
    llvm::SplitBlock(block, std::next(end));
    end->eraseFromParent();
  }
  return blocks;
}

bool usedOnlyIn(const llvm::Instruction& value, const llvm::SetVector<llvm::BasicBlock*>& blocks) {
  return llvm::all_of(value.users(), [&](const llvm::User* user) {
    return blocks.contains(const_cast<llvm::BasicBlock*>(llvm::cast<llvm::Instruction>(user)->getParent()));
  });
}

/// Private variables of the run become variables of its function.
std::uint64_t takeVariables(llvm::Function& entry, const llvm::SetVector<llvm::BasicBlock*>& blocks,
                            llvm::SmallVectorImpl<llvm::AllocaInst*>& taken) {
  const llvm::DataLayout& layout = entry.getDataLayout();
  std::uint64_t bytes = 0;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(entry.getEntryBlock())) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!variable || variable->use_empty() || !usedOnlyIn(*variable, blocks)) continue;
    variable->moveBefore(*blocks.front(), blocks.front()->begin());
    if (const auto size = variable->getAllocationSize(layout))
      bytes += llvm::alignTo(size->getFixedValue(), variable->getAlign());
    taken.push_back(variable);
  }
  return bytes;
}

void outline(llvm::CallInst& begin) {
  llvm::Function& entry = *begin.getFunction();
  const llvm::SetVector<llvm::BasicBlock*> blocks = blocksOfRun(begin);
  llvm::SmallVector<llvm::AllocaInst*, 8> variables;
  const std::uint64_t stackBytes = takeVariables(entry, blocks, variables);

  llvm::DominatorTree dominators(entry);
  llvm::CodeExtractor extractor(blocks.getArrayRef(), &dominators, /*AggregateArgs=*/true, nullptr, nullptr, nullptr,
                                /*AllowVarArgs=*/false, /*AllowAlloca=*/true,
                                /*AllocationBlock=*/nullptr, "sub.group");
  llvm::Function* body = extractor.extractCodeRegion(llvm::CodeExtractorAnalysisCache(entry));
  llvm::BasicBlock& start = (body ? body : &entry)->getEntryBlock();
  for (llvm::AllocaInst* variable : variables) variable->moveBefore(start, start.begin());
  if (!body) return;  // stays where it is, and no other sub-group runs while it waits

  auto* call = llvm::cast<llvm::CallInst>(*body->user_begin());
  llvm::IRBuilder<> builder(call);
  llvm::Value* frame = llvm::ConstantPointerNull::get(builder.getPtrTy());
  std::uint64_t frameBytes = 0;
  if (call->arg_size() > 0) {
    frame = call->getArgOperand(0);
    frameBytes = llvm::cast<llvm::AllocaInst>(frame)->getAllocationSize(entry.getDataLayout())->getFixedValue();
  }
  builder.CreateCall(runtimeHook(*entry.getParent(), "__clarity_run_sub_group",
                                 {builder.getPtrTy(), builder.getPtrTy(), builder.getInt64Ty(), builder.getInt64Ty()}),
                     {body, frame, builder.getInt64(frameBytes), builder.getInt64(stackBytes)});
  call->eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses OutlineSubGroupsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const llvm::Function* marker = module.getFunction(beginOfRun);
  if (!marker) return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::CallInst*, 4> begins;
  for (const llvm::User* user : marker->users())
    begins.push_back(const_cast<llvm::CallInst*>(llvm::cast<llvm::CallInst>(user)));
  for (llvm::CallInst* begin : begins) outline(*begin);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
