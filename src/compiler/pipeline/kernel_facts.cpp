// SPDX-License-Identifier: Apache-2.0
// This file finds out what the compiled program says of each kernel and only the IR knows.
#include "compiler/analysis/reductions.h"
#include "compiler/analysis/waiting_loops.h"
#include "compiler/frontend/kernel_info.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/backend.h"
#include "compiler/ir/image_descriptor.h"
#include "compiler/ir/inlined_sizes.h"
#include "compiler/ir/primitives.h"
#include "compiler/passes/lower_local_memory.h"
#include "compiler/pipeline/state.h"
#include "compiler/pipeline/steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>

namespace clarity::compiler {
namespace {

/// Sizes and alignments as the code has them, then places.
void layOutArguments(const llvm::Function& function, KernelInfo& kernel, const llvm::DataLayout& layout) {
  for (unsigned i = 0; i < kernel.args.size() && i < function.arg_size(); ++i) {
    KernelArg& argument = kernel.args[i];
    argument.size = argument.kind == ArgKind::Image ? sizeof(ImageDescriptor) : 8;
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

/// Chooses the size of the kernel's sub-groups: as it requires, as the option says, or as suits the processor.
llvm::Error chooseSubGroupSize(llvm::Function& function, KernelInfo& kernel, const PipelineState& state) {
  const BackEnd& backEnd = backEndOf(state.target);
  const std::span<const std::uint32_t> possible = backEnd.subGroupSizes(state.target);
  const bool byOption = possible.size() > 1 && state.options.packetLanes > 1;
  kernel.subGroupSize = byOption ? state.options.packetLanes : backEnd.subGroupSize(state.target);
  if (const std::uint32_t required = kernel.requiredSubGroupSize) {
    if (!llvm::is_contained(possible, required))
      return llvm::createStringError(
          fmt::format("error: kernel '{}' requires sub-groups of {} work-items; possible {} {}\n", kernel.name,
                      required, possible.size() == 1 ? "is" : "are", fmt::join(possible, ", ")));
    kernel.subGroupSize = required;
  }
  function.addFnAttr(subGroupSizeAttribute, std::to_string(kernel.subGroupSize));
  return llvm::Error::success();
}

/// The private variables of a function and of the deepest chain of calls from it. Values that a work-item has in
/// registers do not count, nor what packets hold of several work-items at once.
class PrivateVariables {
public:
  std::uint64_t bytesOf(const llvm::Function& function) {
    if (function.isDeclaration()) return 0;
    if (const auto known = known_.find(&function); known != known_.end()) return known->second;
    known_[&function] = 0;  // functions that call each other in a circle, which OpenCL C forbids
    const llvm::DataLayout& layout = function.getDataLayout();
    std::uint64_t own = 0, called = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        if (const auto size = variable->getAllocationSize(layout)) own += size->getFixedValue();
      } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        if (const llvm::Function* callee = call->getCalledFunction()) called = std::max(called, bytesOf(*callee));
      }
    }
    return known_[&function] = own + called;
  }

private:
  std::map<const llvm::Function*, std::uint64_t> known_;
};

/// Facts that follow from the primitives of a kernel. Returns whether it can observe work-group boundaries.
bool findPrimitives(llvm::Function& function, KernelInfo& kernel) {
  bool observesGroups = false;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto primitive = primitiveOf(instruction);
    if (!primitive) continue;
    switch (*primitive) {
      case Primitive::WorkGroupCollective:
      case Primitive::Barrier: kernel.hasBarrier = true; break;
      case Primitive::PrintfSink: kernel.usesPrintf = true; break;
      case Primitive::Parent: kernel.enqueues = true; break;
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
  InlinedSizes sizes([](const llvm::CallInst&, const llvm::Function&) { return true; });
  for (KernelInfo* kernel : state.kernels) {
    llvm::Function& function = *module.getFunction(kernel->name);
    const bool observesGroups = findPrimitives(function, *kernel);
    kernel->saysWhyNot = kernel->enqueues && state.options.debug;
    findReductions(function, *kernel);
    kernel->privateBytes = PrivateVariables().bytesOf(function);
    kernel->localBytes = localBytesOf(function);
    kernel->instructions = sizes.of(function);
    const bool hasLocal = kernel->localBytes > 0 ||
                          llvm::any_of(kernel->args, [](const KernelArg& a) { return a.kind == ArgKind::Local; });
    kernel->inStep = hasLocal ? itemsInStep(function, *kernel, state.options) : 0;
    kernel->groupAgnostic = !kernel->hasBarrier && !observesGroups && !hasLocal && !waitsForGroups(function);
  }
  return llvm::Error::success();
}

}  // namespace clarity::compiler
