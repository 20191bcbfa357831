// SPDX-License-Identifier: Apache-2.0
// This file runs the native pipeline as far as packets, to say what becomes of a kernel.
#include "compiler/reports/report.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/backend.h"
#include "compiler/ir/cost_model.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/pipeline/run.h"
#include "compiler/pipeline/state.h"
#include "compiler/pipeline/steps.h"
#include "compiler/pipeline/supposed_images.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// Kernels below this size are within every budget: nothing has to be found out about them ahead of a launch.
constexpr unsigned leastRemarkable = cost::budget::leastRemarkable;

/// Runs the stages that a report is about. Failures of code generation show when code is generated.
void runToPackets(PipelineState& state, llvm::Module& module) {
  const std::span<const PipelineStage> all = nativePipeline();
  const auto last = std::ranges::find(all, lastReportedStage, &PipelineStage::name);
  state.traced = false;
  llvm::consumeError(runStages({all.begin(), last + 1}, state, module));
}

/// "16 x 16" for 16, 16, 1.
std::string sizeText(const std::array<std::uint32_t, 3>& size) {
  std::string text = std::to_string(size[0]);
  for (unsigned d = 1; d < 3; ++d)
    if (size[d] > 1 || (d == 1 && size[2] > 1)) text += fmt::format(" x {}", size[d]);
  return text;
}

}  // namespace

std::string reportOn(llvm::Module& module, const KernelInfo& kernel, const Shape& launched, const Options& options,
                     const Target& target, llvm::TargetMachine& machine) {
  Shape shape = launched;
  {
    llvm::Function& function = *module.getFunction(kernel.name);
    requestRemarks(function);
    supposeImages(function, kernel, shape);
  }
  const llvm::DISubprogram* place = module.getFunction(kernel.name)->getSubprogram();
  KernelReport report{.name = kernel.name,
                      .place = {place ? place->getLine() : 0, 0},
                      .workGroups = {},
                      .budget = {},
                      .remarks = {},
                      .packets = {}};
  if (place && place->getFile()) report.packets.source = place->getFile()->getSource().value_or("");
  PipelineState state(kernel, shape, options, target, machine);
  state.report = &report.packets;
  runToPackets(state, module);
  const llvm::Function& function = *module.getFunction(kernel.name);  // passes that change parameters replace it
  report.budget = state.facts.remarks;
  if (kernel.groupAgnostic)
    report.workGroups = "group-agnostic, one code for all sizes of work-groups";
  else if (function.hasFnAttribute(mergedGroupsAttribute))
    report.workGroups = "neighbouring work-groups of this size run as one";
  else if (shape.local[0])
    report.workGroups = "work-groups of " + sizeText(shape.local);
  else
    report.workGroups = "work-groups of any size; more is known for one size (--local, -cl-clarity-report=64)";
  if (const std::uint64_t spilled = state.facts.spillBytesPerItem)
    report.workGroups += fmt::format("; {} bytes per work-item spilled across barriers", spilled);
  if (launched.images.empty() && !shape.images.empty())
    report.workGroups +=
        "; images as if they were RGBA of 8 bits and samplers linear: each launch is compiled for its own";
  report.remarks = remarksIn(function);
  return options.reportJson ? jsonOf(report) : textOf(report);
}

std::string remarksOn(const llvm::Module& module, const KernelInfo& kernel, const Options& options,
                      const Target& target) {
  const llvm::Function& function = *module.getFunction(kernel.name);
  const std::string exchange = exchangeRemark(function, kernel, options, "keep-in-step");
  if (options.optDisable || options.packetLanes == 1 ||
      (!options.compileBudget && function.getInstructionCount() < leastRemarkable))
    return exchange;
  const Machine machine = backEndOf(target).machine(target, true);
  llvm::ValueToValueMapTy map;
  const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(
      module, map, [&](const llvm::GlobalValue* value) { return value == &function || value->hasLocalLinkage(); });
  Shape shape;
  if (!kernel.groupAgnostic) shape.local = kernel.requiredLocalSize;
  PipelineState state(kernel, shape, options, target, *machine);
  runToPackets(state, *copy);
  return exchange + state.facts.remarks;
}

}  // namespace clarity::compiler
