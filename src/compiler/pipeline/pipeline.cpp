// SPDX-License-Identifier: Apache-2.0
// This file runs the two pipelines of description.cpp.
#include "compiler/pipeline/pipeline.h"

#include "compiler/ir/backend.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/kernel_abi.h"
#include "compiler/nvptx/launch_abi.h"
#include "compiler/pipeline/run.h"
#include "compiler/pipeline/state.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <limits>

namespace clarity::compiler {
PipelineState::PipelineState(const Options& options, const Target& target, llvm::TargetMachine& machine)
    : options(options), target(target), machine(machine), vectors(backEndOf(target).vectors(target, machine)) {
  set(Optimising, !options.optDisable);
  set(WidthOne, packetLanes() == 1);
  set(NoRounding, !vectors.rounds);
  setDebugged(false);
}

PipelineState::PipelineState(const KernelInfo& kernel, const Shape& shape, const Options& options, const Target& target,
                             llvm::TargetMachine& machine)
    : PipelineState(options, target, machine) {
  this->kernel = &kernel;
  this->shape = shape;
  title = fmt::format("kernel '{}' to native IR", kernel.name);
  setDebugged(shape.instrumentation == Instrumentation::Debug);
  set(FullCode, !shape.quick);
  set(AnyOrder, isOptimised(shape.instrumentation));
  set(ChecksBounds, shape.instrumentation == Instrumentation::Bounds);
  set(InPackets, (kernel.usesSubGroups && (conditions & NotDebugged)) || (!options.optDisable && mayUsePackets()));
  set(Barriers, kernel.hasBarrier);
  set(SubGroups, kernel.usesSubGroups);
  set(NarrowIds, !shape.wideIds);
  set(GroupsVisible, !kernel.groupAgnostic);
  set(DistinctBuffers, shape.distinctBuffers);
  set(KnownArguments, !shape.constants.empty());
  if (target.backEnd == nvptxBackEndName) setForGpu(nvptx::capabilityOf(target));
}

void PipelineState::setForGpu(nvptx::Capability capability) {
  title = fmt::format("kernel '{}' to PTX", kernel->name);
  set(LevelO3, !options.optDisable);
  set(LevelO1, options.optDisable);
  set(DistinctBuffers,
      shape.distinctBuffers && !options.optDisable && !llvm::is_contained(options.disabledPasses, "distinct-buffers"));
  set(DotInstructions, capability >= nvptx::firstWithDotProducts);
  set(CopyInstructions, capability >= nvptx::firstThatCopies);
  set(ThreadsJoined, capability < nvptx::firstWithOwnThreads);
  set(NoHalves, capability < nvptx::firstWithHalves);
  // Older GPUs bring threads of a warp together where all their ways do, which an end of the kernel with code of its
  // own may put off.
  set(OneItem, shape.itemsPerThread == 1 && capability >= nvptx::firstWithOwnThreads);
}

std::uint64_t PipelineState::idsBelow() const {
  if (shape.wideIds) return 0;
  return target.backEnd == nvptxBackEndName ? nvptx::wideIdsFrom : wideIdsFrom;
}

unsigned PipelineState::mostChosen() const {
  return target.backEnd == nvptxBackEndName ? cost::select::mostElements : 0;
}

unsigned PipelineState::mostPrivateInstructions() const {
  return target.backEnd == nvptxBackEndName ? cost::mostPrivateInstructionsOnGpu : cost::mostPrivateInstructions;
}

std::uint64_t PipelineState::mostPrivateChoices() const {
  const bool choose = target.backEnd != nvptxBackEndName && mayUsePackets();
  return choose ? cost::mostPrivateChoices : std::numeric_limits<std::uint64_t>::max();
}

bool PipelineState::mayUsePackets() const { return (conditions & AnyOrder) && packetLanes() != 1; }

unsigned PipelineState::packetLanes() const {
  return llvm::is_contained(options.disabledPasses, "packets") ? 1 : options.packetLanes;
}

llvm::Error toKernelIR(llvm::Module& module, std::vector<KernelInfo>& kernels, ProgramScope& scope,
                       const Options& options, const Target& target, PipelineHooks hooks) {
  const Machine machine = backEndOf(target).machine(target, !options.optDisable);
  if (!machine) return llvm::createStringError("LLVM has no code generator for this device");
  PipelineState state(options, target, *machine);
  state.title = "the program to kernel IR";
  state.scope = &scope;
  state.instrument = std::move(hooks.instrument);
  state.set(Instrumented, state.instrument != nullptr);
  state.setDebugged(hooks.debugs);
  for (KernelInfo& kernel : kernels) state.kernels.push_back(&kernel);
  return runStages(kernelPipeline(), state, module);
}

NativeFacts toNativeIR(llvm::Module& module, const KernelInfo& kernel, const Shape& shape, const Options& options,
                       const Target& target, llvm::TargetMachine& machine) {
  PipelineState state(kernel, shape, options, target, machine);
  if (llvm::Error error = runStages(nativePipeline(), state, module))
    state.facts.error = llvm::toString(std::move(error));
  return std::move(state.facts);
}

}  // namespace clarity::compiler
