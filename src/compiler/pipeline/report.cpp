// SPDX-License-Identifier: Apache-2.0
// This file runs the native pipeline as far as packets, to say what becomes of a kernel.
#include "compiler/packets/report.h"
#include "compiler/attributes.h"
#include "compiler/backend.h"
#include "compiler/pipeline.h"
#include "compiler/pipeline/run.h"
#include "compiler/pipeline/state.h"
#include "compiler/remarks.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// Kernels below this size are within every budget: nothing has to be found out about them ahead of a launch.
constexpr unsigned leastRemarkable = 1000;

/// Runs the stages that a report is about. What code generation could not do shows when code is generated.
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

std::string reportOn(llvm::Module& module, const KernelInfo& kernel, const Shape& shape, const Options& options,
                     const Target& target, llvm::TargetMachine& machine) {
  llvm::Function& function = *module.getFunction(kernel.name);
  askForRemarks(function);
  const llvm::DISubprogram* place = function.getSubprogram();
  PacketReport report;
  if (place && place->getFile()) report.source = place->getFile()->getSource().value_or("");
  PipelineState state(kernel, shape, options, target, machine);
  state.report = &report;
  runToPackets(state, module);
  const std::string& given = state.facts.remarks;
  std::string text = place ? fmt::format("kernel '{}' in line {}: ", kernel.name, place->getLine())
                           : fmt::format("kernel '{}': ", kernel.name);
  if (kernel.groupAgnostic)
    text += "sees no work-groups, so that neighbouring ones run as one";
  else if (function.hasFnAttribute(mergedGroupsAttribute))
    text += "work-groups of this size run as one with their neighbours";
  else if (shape.local[0])
    text += "work-groups of " + sizeText(shape.local);
  else
    text += "work-groups of any size; with a size given (--local, -cl-clarity-report=64) more is known";
  if (const std::uint64_t kept = state.facts.spillBytesPerItem)
    text += fmt::format("; {} bytes of every work-item are kept across barriers", kept);
  text += "\n" + given;
  for (const Remark& remark : remarksIn(function))
    text += remark.line ? fmt::format("  line {}: {}\n", remark.line, remark.text) : fmt::format("  {}\n", remark.text);
  if (report.regions.empty() && given.empty()) return text + "  one work-item at a time, as the options ask\n";
  return text + textOf(report);
}

std::string remarksOn(const llvm::Module& module, const KernelInfo& kernel, const Options& options,
                      const Target& target) {
  const llvm::Function& function = *module.getFunction(kernel.name);
  if (options.optDisable || options.packetLanes == 1 ||
      (!options.compileBudget && function.getInstructionCount() < leastRemarkable))
    return {};
  const Machine machine = backEndOf(target).machine(target, true);
  llvm::ValueToValueMapTy map;
  const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(
      module, map, [&](const llvm::GlobalValue* value) { return value == &function || value->hasLocalLinkage(); });
  Shape shape;
  if (!kernel.groupAgnostic) shape.local = kernel.requiredLocalSize;
  PipelineState state(kernel, shape, options, target, *machine);
  runToPackets(state, *copy);
  return state.facts.remarks;
}

}  // namespace clarity::compiler
