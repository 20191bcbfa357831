// SPDX-License-Identifier: Apache-2.0
// This file holds the steps from one kernel to code for the code generator that are no passes by themselves.
#include "compiler/analysis/item_nest.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/kernel_abi.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/strip_marks.h"
#include "compiler/passes/inline_calls.h"
#include "compiler/passes/make_entry.h"
#include "compiler/passes/make_item_entry.h"
#include "compiler/passes/packets.h"
#include "compiler/pipeline/budget.h"
#include "compiler/pipeline/state.h"
#include "compiler/pipeline/steps.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

std::uint64_t codeSize(const llvm::Module& module, const VectorTarget& target) {
  std::uint64_t size = 0;
  for (const llvm::Function& function : module) size += codeSize(function, target);
  return size;
}

OptimisationLevel levelFor(const PipelineState& state, const llvm::Module& module) {
  if (state.options.optDisable) return OptimisationLevel::O0;
  return Budget(state.options.compileBudget).levelFor(codeSize(module, state.vectors));
}

PacketsPass::Options packetOptions(const PipelineState& state) {
  PacketsPass::Options options;
  options.target = state.vectors;
  options.lanes = state.options.optDisable ? 1 : state.packetLanes();  // 1: packets of sub-groups only
  options.packets = state.options.packetColumns;
  options.rows = state.options.packetRows;
  options.nonTemporal = state.shape.nonTemporal;
  options.onePacket = state.shape.quick;
  options.report = state.report;
  return options;
}

}  // namespace

llvm::Function& functionOf(const PipelineState& state, llvm::Module& module) {
  return *module.getFunction(state.kernel->name);
}

llvm::Error internalizeKernel(PipelineState& state, llvm::Module& module) {
  const llvm::Function& function = functionOf(state, module);
  llvm::internalizeModule(module, [&](const llvm::GlobalValue& value) { return &value == &function; });
  return llvm::Error::success();
}

llvm::Error inlineCalls(PipelineState& state, llvm::Module& module) {
  const bool isGpu = state.target.backEnd == nvptxBackEndName;
  state.set(CallsInlined, markCallsForInlining(functionOf(state, module),
                                               isGpu ? cost::mostInlinedOnGpu : cost::budget::mostInlinedInPackets));
  return llvm::Error::success();
}

/// Vectors of the source are split where work-items take their place in vector registers; where each region runs for
/// one work-item, they stay.
llvm::PreservedAnalyses splitVectors(PipelineState& /*state*/, llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses) {
  const auto isForOne = [](const ItemNest& nest) {
    return !asksSubGroup(nest) && mostItems(nest, 0) == 1 && mostItems(nest, 1) == 1 && mostItems(nest, 2) == 1;
  };
  if (llvm::all_of(findItemNests(function), isForOne)) return llvm::PreservedAnalyses::all();
  llvm::ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  return llvm::ScalarizerPass(options).run(function, analyses);
}

llvm::PreservedAnalyses packetsWithinBudget(PipelineState& state, llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  state.facts.remarks += makePackets(function, analyses, packetOptions(state), Budget(state.options.compileBudget));
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses subGroupPackets(PipelineState& state, llvm::Function& function,
                                        llvm::FunctionAnalysisManager& analyses) {
  PacketsPass::Options options = packetOptions(state);
  options.lanes = 1;
  options.report = nullptr;
  return PacketsPass(options).run(function, analyses);
}

std::vector<LocalArray> localArraysOf(const llvm::Function& function) {
  std::vector<LocalArray> arrays;
  for (const LocalVariable& variable : localVariablesOf(function))
    arrays.push_back({std::string(variable.name), variable.offset, variable.bytes, variable.elementBytes});
  return arrays;
}

llvm::Error noteFacts(PipelineState& state, llvm::Module& module) {
  const llvm::Function& function = functionOf(state, module);
  NativeFacts& facts = state.facts;
  facts.groupAgnostic = state.kernel->groupAgnostic;
  facts.interleavedGroups = interleavedGroups(function);
  facts.localArrays = localArraysOf(function);
  facts.boxSide = boxSideOf(function);
  if (function.hasFnAttribute(chunksAttribute))
    facts.chunkItems = facts.boxSide ? facts.boxSide * facts.boxSide : maxChunkItems;
  function.getFnAttribute(spillBytesAttribute).getValueAsString().getAsInteger(10, facts.spillBytesPerItem);
  facts.separateRows = function.hasFnAttribute(separateRowsAttribute);
  for (unsigned d = 0; d < 3; ++d)
    function.getFnAttribute(tileAttributes[d]).getValueAsString().getAsInteger(10, facts.tile[d]);
  return llvm::Error::success();
}

llvm::Error checkSubGroups(PipelineState& state, llvm::Module& module) {
  const auto isLeft = [](const llvm::Instruction& instruction) {
    return primitiveOf(instruction) == Primitive::SubGroup;
  };
  llvm::Function& function = functionOf(state, module);
  if (!state.kernel->usesSubGroups)  // keep-in-step: where packets are not possible, work-items exchange what they may
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (isLeft(instruction)) instruction.eraseFromParent();
  if (llvm::none_of(llvm::instructions(function), isLeft)) return llvm::Error::success();
  return llvm::createStringError(fmt::format(
      "kernel '{}' calls sub-group functions beside code that cannot run in packets, such as inline assembly",
      state.kernel->name));
}

llvm::Error makeEntry(PipelineState& state, llvm::Module& module) {
  const KernelInfo& kernel = *state.kernel;
  const llvm::Function& function = functionOf(state, module);
  const bool packets = !state.options.optDisable && state.mayUsePackets();
  state.allInPackets = packets && !function.hasFnAttribute(scalarRegionsAttribute);
  const bool isSlice = kernel.groupAgnostic || function.hasFnAttribute(mergedGroupsAttribute);
  llvm::ModuleAnalysisManager none;
  MakeEntryPass({kernel.name, kernel.args, entrySymbol, isSlice, state.shape.wideIds}).run(module, none);
  return llvm::Error::success();
}

llvm::Error makeItemEntry(PipelineState& state, llvm::Module& module) {
  llvm::ModuleAnalysisManager none;
  MakeItemEntryPass({state.kernel->name, state.kernel->args, entrySymbol}).run(module, none);
  return llvm::Error::success();
}

llvm::Error chooseLevel(PipelineState& state, llvm::Module& module) {
  const OptimisationLevel level = levelFor(state, module);
  state.set(LevelO3, level == OptimisationLevel::O3);
  state.set(LevelO1, level == OptimisationLevel::O1);
  state.set(LevelO0, level == OptimisationLevel::O0);
  const bool fewLoops = loopsTimesInstructions(module) <= cost::budget::mostLoopsTimesInstructions;
  state.set(FewLoops, fewLoops);
  state.set(ShortPipeline, !fewLoops || state.allInPackets || state.shape.quick);
  state.set(WholePipeline, !(state.conditions & ShortPipeline));
  return llvm::Error::success();
}

llvm::Error chooseCodeGenerator(PipelineState& state, llvm::Module& module) {
  const OptimisationLevel chosen = state.conditions & LevelO3   ? OptimisationLevel::O3
                                   : state.conditions & LevelO1 ? OptimisationLevel::O1
                                                                : OptimisationLevel::O0;
  switch (std::max(chosen, levelFor(state, module))) {
    case OptimisationLevel::O3: break;
    case OptimisationLevel::O1: state.machine.setOptLevel(llvm::CodeGenOptLevel::Less); break;
    case OptimisationLevel::O0: state.machine.setOptLevel(llvm::CodeGenOptLevel::None); break;
  }
  return llvm::Error::success();
}

}  // namespace clarity::compiler
