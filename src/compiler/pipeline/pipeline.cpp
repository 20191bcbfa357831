// SPDX-License-Identifier: Apache-2.0
// This file runs the two pipelines of description.cpp.
#include "compiler/pipeline.h"

#include "compiler/codegen/machine.h"
#include "compiler/pipeline/run.h"
#include "compiler/pipeline/state.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

namespace clarity::compiler {
namespace {

HalfSupport halfSupportOf(const llvm::MCSubtargetInfo& processor) {
  if (processor.checkFeatures("+avx512fp16,+avx512vl")) return HalfSupport::Arithmetic;
  return processor.checkFeatures("+f16c") ? HalfSupport::Conversions : HalfSupport::None;
}

}  // namespace

PipelineState::PipelineState(const Options& options, const Target& target, llvm::TargetMachine& machine)
    : options(options), target(target), machine(machine), vectors(vectorTargetOf(target, machine)) {
  set(Optimise, !options.optDisable);
  set(SingleItems, packetLanes() == 1);
  set(NoRounding, !vectors.rounds);
}

PipelineState::PipelineState(const KernelInfo& kernel, const Shape& shape, const Options& options, const Target& target,
                             llvm::TargetMachine& machine)
    : PipelineState(options, target, machine) {
  this->kernel = &kernel;
  this->shape = shape;
  title = fmt::format("kernel '{}' to native IR", kernel.name);
  set(Packets, kernel.usesSubGroups || (!options.optDisable && packetLanes() != 1));
  set(Barriers, kernel.hasBarrier);
  set(SubGroups, kernel.usesSubGroups);
  set(NarrowIds, !shape.wideIds);
  set(GroupsVisible, !kernel.groupAgnostic);
}

unsigned PipelineState::packetLanes() const {
  return llvm::is_contained(options.disabledPasses, "packets") ? 1 : options.packetLanes;
}

VectorTarget vectorTargetOf(const Target& target, const llvm::TargetMachine& machine) {
  const llvm::MCSubtargetInfo& processor = *machine.getMCSubtargetInfo();
  VectorTarget result;
  result.bits = target.vectorBits;
  result.maskRegisters = processor.checkFeatures("+avx512vl,+avx512bw,+avx512dq");
  result.gathers = result.maskRegisters;
  result.permutes = processor.checkFeatures("+avx2");
  result.registers = result.maskRegisters ? 32 : 16;
  result.half = halfSupportOf(processor);
  result.rounds = processor.checkFeatures("+sse4.1");
  return result;
}

llvm::Error toKernelIR(llvm::Module& module, std::vector<KernelInfo>& kernels, ProgramScope& scope,
                       const Options& options, const Target& target, PipelineHooks hooks) {
  const auto machine = machineFor(target, !options.optDisable);
  if (!machine) return llvm::createStringError("no code generator for this processor");
  PipelineState state(options, target, *machine);
  state.title = "the program to kernel IR";
  state.scope = &scope;
  state.instrument = std::move(hooks.instrument);
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
