// SPDX-License-Identifier: Apache-2.0
// This file holds the steps from one kernel to PTX that are no passes by themselves.
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/remarks.h"
#include "compiler/nvptx/count_in_blocks.h"
#include "compiler/nvptx/known_images.h"
#include "compiler/nvptx/launch_abi.h"
#include "compiler/nvptx/link_library.h"
#include "compiler/nvptx/lower_kernel.h"
#include "compiler/nvptx/plan_items.h"
#include "compiler/nvptx/share_local_memory.h"
#include "compiler/nvptx/warp_groups.h"
#include "compiler/passes/interleave_groups.h"
#include "compiler/pipeline/state.h"
#include "compiler/pipeline/steps.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/Internalize.h>

namespace clarity::compiler {
namespace {

/// The symbols that a module of PTX is used by.
bool staysVisible(const llvm::GlobalValue& value) {
  return value.getName() == nvptx::kernelSymbol || value.getName() == nvptx::localSymbol ||
         value.getName() == nvptx::variablesSymbol;
}

std::string textOf(const nvptx::Tile& tile) {
  const auto& [x, y, z] = tile.cells;
  const auto& threads = tile.threads;
  return fmt::format("cells={},{},{} threads={},{},{} groups={}{}{}{}{}{}{}", x, y, z, threads[0], threads[1],
                     threads[2], tile.groups, tile.merged ? " merged" : "", tile.swapped ? " swapped" : "",
                     tile.warps ? " warps" : "", tile.guarded ? " guarded" : "", tile.adjacent ? " adjacent" : "",
                     tile.counts ? " counts" : "");
}

}  // namespace

llvm::Error knowImagesOf(PipelineState& state, llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  std::string error;
  if (nvptx::knowImages(module, state.kernel->name, state.shape, analyses, error) || state.onlyReports)
    return llvm::Error::success();
  return llvm::createStringError(error);
}

llvm::Error chooseItems(PipelineState& state, llvm::Module& module) {
  const Options& options = state.options;
  if (state.shape.itemsPerThread == 1 && options.packetRows > 1)
    state.shape.itemsPerThread = cost::coarsen::mostOfThread;  // asked for: of a small launch too
  std::string_view reason;
  if (state.shape.itemsPerThread < 2 && !state.shape.uneven)  // blocks of another size make one grid of it
    reason = "the launch has too few";
  else if (options.packetLanes == 1 || options.packetRows == 1 || options.optDisable || state.shape.wideIds ||
           isDisabled(options, "coarsen"))
    reason = "the build options or the launch's size say so";
  else if (state.kernel->usesSubGroups)
    reason = "it has sub-groups";
  else if (state.runsInStep)
    reason = "the threads of a warp run in step";
  state.set(SeveralItems, reason.empty());
  if (!reason.empty())
    remark(functionOf(state, module), {}, RemarkKind::Order,
           fmt::format("a thread executes one work-item: {}", reason));
  return llvm::Error::success();
}

llvm::Error planItemsOfKernel(PipelineState& state, llvm::Module& module) {
  const auto isOpen = [&](std::string_view step) { return !isDisabled(state.options, step); };
  nvptx::ItemPlan& plan = state.items;
  plan = nvptx::planItems(functionOf(state, module), *state.kernel, state.shape,
                          {.promotesLocalMemory = isOpen("promote-local-memory"),
                           .countsInBlocks = isOpen("count-in-blocks"),
                           .runsGroupsAsOne = isOpen("interleave-groups"),
                           .sharesLocalMemory = isOpen("share-local-memory")});
  state.set(Coarsened, plan.changesCode());
  state.set(GroupsAsOne, plan.runsGroupsAsOne());
  state.set(GroupsInWarps, plan.tile.warps);
  state.set(CountsInBlocks, plan.tile.counts);
  return llvm::Error::success();
}

llvm::PreservedAnalyses interleaveAsPlanned(PipelineState& state, llvm::Function& function,
                                            llvm::FunctionAnalysisManager&) {
  interleaveGroups(function, {.axis = state.items.groups.axis, .count = state.items.tile.groups});
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses shareLocalMemoryAsPlanned(PipelineState& state, llvm::Function& function,
                                                  llvm::FunctionAnalysisManager&) {
  if (state.items.groups.common.empty()) return llvm::PreservedAnalyses::all();
  nvptx::shareLocalMemory(function, state.items.groups);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses coarsenKernel(PipelineState& state, llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!nvptx::coarsenAsPlanned(function, state.items))
    state.error = fmt::format("internal error: a thread cannot execute work-items of {} work-groups of kernel '{}'",
                              state.items.tile.groups, state.kernel->name);
  return llvm::PreservedAnalyses::none();
}

/// Not if the plan for warps was taken back.
llvm::PreservedAnalyses foldLanesAsPlanned(PipelineState& state, llvm::Function& function,
                                           llvm::FunctionAnalysisManager& analyses) {
  if (!state.items.tile.warps) return llvm::PreservedAnalyses::all();
  return nvptx::FoldLanesPass().run(function, analyses);
}

llvm::PreservedAnalyses promoteLocalMemory(PipelineState& state, llvm::Function& function,
                                           llvm::FunctionAnalysisManager&) {
  nvptx::promoteLocalMemoryAsPlanned(function, state.items);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses countInBlocksAsPlanned(PipelineState& state, llvm::Function& function,
                                               llvm::FunctionAnalysisManager&) {
  const nvptx::ItemPlan& plan = state.items;
  if (!plan.tile.counts) return llvm::PreservedAnalyses::all();
  nvptx::countInBlocks(function, plan.counted, state.kernel->args[plan.counted].reduction, plan.tile);
  return llvm::PreservedAnalyses::none();
}

/// Attributes that the back end of CPUs gave to functions say nothing about the GPU.
llvm::Error retargetToPtx(PipelineState& state, llvm::Module& module) {
  module.setTargetTriple(state.machine.getTargetTriple());
  module.setDataLayout(state.machine.createDataLayout());
  for (llvm::Function& function : module)
    for (const char* attribute : {"target-cpu", "target-features", "prefer-vector-width", "stack-protector-buffer-size",
                                  "uniform-work-group-size"})
      function.removeFnAttr(attribute);
  return llvm::Error::success();
}

llvm::Error lowerKernelToPtx(PipelineState& state, llvm::Module& module) {
  llvm::Function* kernel =
      nvptx::lowerKernel(functionOf(state, module), *state.kernel, *state.variables, state.shape, state.items.tile);
  kernel->setName(nvptx::kernelSymbol);
  kernel->addFnAttr(tileAttribute, textOf(state.items.tile));
  return llvm::Error::success();
}

llvm::Error linkPtxLibrary(PipelineState& state, llvm::Module& module) {
  if (llvm::Error failure = nvptx::linkLibrary(module, nvptx::capabilityOf(state.target))) return failure;
  llvm::internalizeModule(module, staysVisible);
  return llvm::Error::success();
}

llvm::Error checkPtxCalls(PipelineState& state, llvm::Module& module) {
  std::string names;
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty())
      names += fmt::format("{}{}", names.empty() ? "" : ", ", std::string_view(function.getName()));
  if (names.empty()) return llvm::Error::success();
  return llvm::createStringError(
      fmt::format("kernel '{}' calls functions that NVIDIA GPUs do not have: {}", state.kernel->name, names));
}

}  // namespace clarity::compiler
