// SPDX-License-Identifier: Apache-2.0
// This file brings a kernel into the form that is coarsened.
#include "compiler/nvptx/give_items.h"

#include "compiler/attributes.h"
#include "compiler/cost_model.h"
#include "compiler/frontend/options.h"
#include "compiler/nvptx/choose_tile.h"
#include "compiler/nvptx/coarsen.h"
#include "compiler/passes/interleave_groups.h"
#include "compiler/passes/merge_groups.h"
#include "compiler/passes/specialize_shape.h"
#include "compiler/passes/unroll_barrier_loops.h"
#include "compiler/remarks.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

namespace clarity::compiler::nvptx {
namespace {

/// A function pass manager with what it needs.
class Passes {
public:
  Passes() {
    llvm::PassBuilder builder;
    builder.registerModuleAnalyses(modules_);
    builder.registerCGSCCAnalyses(components_);
    builder.registerFunctionAnalyses(functions_);
    builder.registerLoopAnalyses(loops_);
    builder.crossRegisterProxies(loops_, functions_, components_, modules_);
  }
  void run(llvm::Function& function, llvm::FunctionPassManager passes) { passes.run(function, functions_); }

private:
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
};

void addCombine(llvm::FunctionPassManager& passes) {
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false)));
}

/// What the pipeline of the CPU does first: sizes are constants, trees in local memory straight code, work-groups that
/// cannot be told apart one.
llvm::FunctionPassManager firstSteps(const Shape& shape, bool hasBarrier) {
  llvm::FunctionPassManager passes;
  passes.addPass(SpecializeShapePass(shape));
  passes.addPass(llvm::SCCPPass());
  addCombine(passes);
  if (hasBarrier) {
    passes.addPass(llvm::LoopSimplifyPass());
    passes.addPass(UnrollBarrierLoopsPass());
    addCombine(passes);
  }
  passes.addPass(MergeGroupsPass());
  passes.addPass(llvm::UnifyFunctionExitNodesPass());
  return passes;
}

llvm::FunctionPassManager lastSteps() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LowerSwitchPass());
  passes.addPass(llvm::FixIrreduciblePass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  return passes;
}

/// Work-groups in step become one group whose dimension 1 counts them. False if they cannot.
bool putInStep(llvm::Function& kernel, const Tile& tile) {
  // The pass takes so many groups that each reads this much in an iteration.
  const std::uint64_t bytes = cost::interleave::bytes / (std::uint64_t{tile.threads[0]} * tile.groups);
  if (bytes == 0) return false;
  kernel.addFnAttr(wantsInterleavingAttribute, std::to_string(bytes));
  llvm::FunctionAnalysisManager none;
  (void)InterleaveGroupsPass().run(kernel, none);
  kernel.removeFnAttr(wantsInterleavingAttribute);
  return interleavedGroups(kernel) == tile.groups;
}

/// The kernel becomes what a copy of it is; the copy goes.
void restore(llvm::Function& kernel, llvm::Function& copy) {
  kernel.dropAllReferences();
  kernel.splice(kernel.begin(), &copy);
  kernel.setAttributes(copy.getAttributes());
  for (llvm::Argument& argument : copy.args()) argument.replaceAllUsesWith(kernel.getArg(argument.getArgNo()));
  copy.eraseFromParent();
}

std::string describe(const Tile& tile) {
  std::string text;
  if (tile.groups > 1)
    text = fmt::format("a block of {} threads executes {} work-groups in step", tile.threadsOfBlock(), tile.groups);
  else
    text = fmt::format("a thread executes {} x {} work-items, a block has {} x {} threads", tile.cells[0],
                       tile.cells[1], tile.threads[0], tile.threads[1]);
  if (tile.merged) text += " and executes work-items of any work-groups";
  if (tile.swapped) text += "; neighbouring threads differ in id 1, along which memory is consecutive";
  return text;
}

}  // namespace

Tile giveItems(llvm::Function& kernel, const KernelToGenerate& work) {
  const Shape& shape = work.shape;
  const auto stay = [&](std::string_view reason) {
    remark(kernel, {}, RemarkKind::Order, fmt::format("a thread executes one work-item: {}", reason));
    return Tile();
  };
  if (shape.cells < 2) return stay("the launch has too few");
  if (work.options.optDisable || shape.wideIds || work.options.packetLanes == 1 || work.options.packetRows == 1 ||
      llvm::is_contained(work.options.disabledPasses, "coarsen"))
    return stay("the build options or the launch's size say so");
  if (work.kernel.usesSubGroups) return stay("it has sub-groups");
  Passes passes;
  passes.run(kernel, firstSteps(shape, work.kernel.hasBarrier));
  const bool mayMerge = work.kernel.groupAgnostic || kernel.hasFnAttribute(mergedGroupsAttribute);
  const TileChoice choice = chooseTile(kernel, shape, mayMerge);
  Tile tile = choice.tile;
  if (tile.asWritten()) return stay(choice.reason);
  llvm::ValueToValueMapTy map;
  llvm::Function* const copy = llvm::CloneFunction(&kernel, map);
  Cells cells{.count = tile.cells, .apart = tile.threads};
  if (tile.groups > 1) {
    if (!putInStep(kernel, tile)) {
      restore(kernel, *copy);
      return stay("work-groups may diverge ahead of a barrier");
    }
    cells = {.count = {1, tile.groups, 1}, .apart = {1, 1, 1}, .globalApart = shape.local[0]};
  }
  passes.run(kernel, lastSteps());
  std::string why;
  if (cells.count != std::array<std::uint32_t, 3>{1, 1, 1} && !coarsen(kernel, cells, why)) {
    restore(kernel, *copy);
    return stay(why);
  }
  copy->eraseFromParent();
  remark(kernel, {}, RemarkKind::Order, fmt::format("{}: {}", describe(tile), choice.reason));
  return tile;
}

}  // namespace clarity::compiler::nvptx
