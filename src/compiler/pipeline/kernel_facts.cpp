// SPDX-License-Identifier: Apache-2.0
// This file finds out what the image says of each kernel and only the IR knows.
#include "compiler/analysis/reductions.h"
#include "compiler/attributes.h"
#include "compiler/backend.h"
#include "compiler/frontend/kernel_info.h"
#include "compiler/passes/lower_local_memory.h"
#include "compiler/pipeline/state.h"
#include "compiler/pipeline/steps.h"
#include "compiler/primitives.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

/// Sizes and alignments as the code has them, then places.
void layOutArguments(const llvm::Function& function, KernelInfo& kernel, const llvm::DataLayout& layout) {
  for (unsigned i = 0; i < kernel.args.size() && i < function.arg_size(); ++i) {
    KernelArg& argument = kernel.args[i];
    argument.size = 8;
    if (argument.kind != ArgKind::Value) continue;
    const llvm::Argument& parameter = *function.getArg(i);
    llvm::Type* structure = parameter.getParamByValType();
    llvm::Type* type = structure ? structure : parameter.getType();
    std::uint64_t align = layout.getABITypeAlign(type).value();
    if (structure) align = std::max(align, parameter.getParamAlign().valueOrOne().value());
    argument.size = static_cast<std::uint32_t>(layout.getTypeAllocSize(type).getFixedValue());
    argument.align = static_cast<std::uint32_t>(align);
  }
  placeArguments(kernel);
}

/// How large the kernel's sub-groups are: as it requires, as the option says, or as suits the processor.
llvm::Error chooseSubGroupSize(llvm::Function& function, KernelInfo& kernel, const PipelineState& state) {
  kernel.subGroupSize =
      state.options.packetLanes > 1 ? state.options.packetLanes : backEndOf(state.target).subGroupSize(state.target);
  if (const std::uint32_t required = kernel.requiredSubGroupSize) {
    if (!llvm::is_contained(subGroupSizes, required))
      return llvm::createStringError(
          fmt::format("error: kernel '{}' requires sub-groups of {} work-items; possible are 4, 8, 16 and 32\n",
                      kernel.name, required));
    kernel.subGroupSize = required;
  }
  function.addFnAttr(subGroupSizeAttribute, std::to_string(kernel.subGroupSize));
  return llvm::Error::success();
}

/// What the primitives of a kernel say of it. Returns whether it can observe work-group boundaries.
bool findPrimitives(llvm::Function& function, KernelInfo& kernel) {
  bool observesGroups = false;
  const llvm::DataLayout& layout = function.getDataLayout();
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (const auto size = slot->getAllocationSize(layout)) kernel.privateBytes += size->getFixedValue();
    const auto primitive = primitiveOf(instruction);
    if (!primitive) continue;
    switch (*primitive) {
      case Primitive::WorkGroupCollective:
      case Primitive::Barrier: kernel.hasBarrier = true; break;
      case Primitive::PrintfSink: kernel.usesPrintf = true; break;
      case Primitive::SubGroup: kernel.usesSubGroups = observesGroups = true; break;
      case Primitive::GlobalSize: kernel.queriesSize = true; break;
      case Primitive::NumGroups: kernel.queriesSize = observesGroups = true; break;
      case Primitive::LocalId:
      case Primitive::GroupId:
      case Primitive::LocalSize:
      case Primitive::EnqueuedLocalSize: observesGroups = true; break;
      default: break;
    }
  }
  return observesGroups;
}

void findReductions(llvm::Function& function, KernelInfo& kernel) {
  for (unsigned i = 0; i < kernel.args.size() && i < function.arg_size(); ++i) {
    KernelArg& argument = kernel.args[i];
    if (argument.kind != ArgKind::Buffer || !(argument.reduction = reductionOf(*function.getArg(i)))) continue;
    kernel.reductions = true;
    markReduction(*function.getArg(i));
  }
}

}  // namespace

llvm::Error layOutArguments(PipelineState& state, llvm::Module& module) {
  for (KernelInfo* kernel : state.kernels)
    layOutArguments(*module.getFunction(kernel->name), *kernel, module.getDataLayout());
  return llvm::Error::success();
}

llvm::Error chooseSubGroupSizes(PipelineState& state, llvm::Module& module) {
  for (KernelInfo* kernel : state.kernels)
    if (llvm::Error error = chooseSubGroupSize(*module.getFunction(kernel->name), *kernel, state)) return error;
  return llvm::Error::success();
}

llvm::Error findFacts(PipelineState& state, llvm::Module& module) {
  for (KernelInfo* kernel : state.kernels) {
    llvm::Function& function = *module.getFunction(kernel->name);
    const bool observesGroups = findPrimitives(function, *kernel);
    findReductions(function, *kernel);
    kernel->localBytes = localBytesOf(function);
    const bool hasLocal = kernel->localBytes > 0 ||
                          llvm::any_of(kernel->args, [](const KernelArg& a) { return a.kind == ArgKind::Local; });
    kernel->groupAgnostic = !kernel->hasBarrier && !observesGroups && !hasLocal;
  }
  return llvm::Error::success();
}

}  // namespace clarity::compiler
