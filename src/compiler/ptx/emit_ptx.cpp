// SPDX-License-Identifier: Apache-2.0
// This file runs the NVPTX pipeline and LLVM's code generator.
#include "compiler/ptx/emit_ptx.h"

#include "compiler/frontend/options.h"
#include "compiler/guard/check_limits_pass.h"
#include "compiler/guard/limits.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/remarks.h"
#include "compiler/nvptx/capability.h"
#include "compiler/nvptx/launch_abi.h"
#include "compiler/nvptx/signal_end.h"
#include "compiler/pipeline/budget.h"
#include "compiler/pipeline/description.h"
#include "compiler/pipeline/run.h"
#include "compiler/pipeline/state.h"
#include "compiler/pipeline/supposed_images.h"
#include "compiler/ptx/count_in_threads.h"
#include "compiler/ptx/machine.h"
#include "compiler/reports/report.h"
#include "compiler/workarounds/narrow_stores.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Pass.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>

namespace clarity::compiler::nvptx {
namespace {

std::uint64_t parameterBytes(const KernelInfo& kernel) { return kernel.argBlockBytes + sizeof(LaunchInfo); }

std::unique_ptr<llvm::TargetMachine> machineFor(const KernelToGenerate& work) {
  return gpuMachine(work.target, !work.options.optDisable, parameterBytes(work.kernel) > mostParameterBytes);
}

/// The passes of the code generator as LLVM lists them, with the compile's limits checked between them, and without one
/// whose time would grow faster than the code.
class CodePasses final : public llvm::legacy::PassManager {
public:
  explicit CodePasses(const llvm::Module& module)
      : reducesSums_(LargestBlock(module).instructions <= cost::budget::mostOfReducedBlock &&
                     pairsOfSums(module) <= cost::budget::mostPairsReduced) {}

  void add(llvm::Pass* pass) override {
    if (pass->getPassName() == "Straight line strength reduction" && !reducesSums_) {
      delete pass;
      return;
    }
    if (pass->getPassKind() == llvm::PT_Function) llvm::legacy::PassManager::add(makeCheckLimitsPass());
    llvm::legacy::PassManager::add(pass);
  }

private:
  const bool reducesSums_;
};

}  // namespace

std::string objectionTo(const KernelInfo& kernel, const Target& target) {
  const Capability capability = capabilityOf(target);
  const std::uint64_t most = capability >= firstWithLongParameters ? mostLongParameterBytes : mostParameterBytes;
  if (parameterBytes(kernel) > most)
    return fmt::format("kernel '{}' has {} bytes of arguments, of which GPUs of compute capability {}.{} take {}",
                       kernel.name, kernel.argBlockBytes, capability / 10, capability % 10, most - sizeof(LaunchInfo));
  if (kernel.privateBytes > mostPrivateBytes)
    return fmt::format("kernel '{}' has {} bytes of private variables; a work-item on NVIDIA GPUs has {} at most",
                       kernel.name, kernel.privateBytes, mostPrivateBytes);
  return {};
}

bool lower(const KernelToGenerate& work, NvptxCode& code, std::string& error) {
  const bool counts = work.shape.instrumentation == Instrumentation::Count;
  if (!counts) llvm::StripDebugInfo(work.module);  // PTX has no line tables yet
  const auto machine = machineFor(work);
  if (!machine) {
    error = fmt::format("no code generator for NVIDIA GPUs of kind '{}'", work.target.cpu);
    return false;
  }
  error = objectionTo(work.kernel, work.target);
  if (error.empty() && counts && capabilityOf(work.target) < firstWithOwnThreads)
    error = "GPUs of this compute capability have no counted code";
  if (!error.empty()) return false;
  PipelineState state(work.kernel, work.shape, work.options, work.target, *machine);
  state.variables = &work.scope.variables;
  if (llvm::Error failure = runStages(nvptxPipeline(), state, work.module)) {
    error = llvm::toString(std::move(failure));
    return false;
  }
  if (counts) {
    code.counted = countInThreads(work.module, capabilityOf(work.target));
    llvm::StripDebugInfo(work.module);
  }
  code.symbol = kernelSymbol;
  code.tile = state.items.tile;
  code.signalsEnd = work.module.getFunction(kernelSymbol)->hasFnAttribute(signalsEndAttribute);
  return true;
}

std::string report(const KernelToGenerate& work) {
  Shape large = work.shape;  // a report is about a launch that fills the GPU
  if (large.itemsPerThread == 0) large.itemsPerThread = cost::coarsen::mostOfThread;
  large.privateReductions = true;
  supposeImages(*work.module.getFunction(work.kernel.name), work.kernel, large);
  requestRemarks(*work.module.getFunction(work.kernel.name));
  const auto machine = gpuMachine(work.target, !work.options.optDisable);
  if (!machine) return {};
  PipelineState state(work.kernel, large, work.options, work.target, *machine);
  state.onlyReports = true;
  state.traced = false;
  const std::span<const PipelineStage> all = nvptxPipeline();
  const auto last = std::ranges::find(all, lastReportedNvptxStage, &PipelineStage::name);
  llvm::consumeError(runStages({all.begin(), last + 1}, state, work.module));
  const Tile& tile = state.items.tile;
  const llvm::Function& kernel = *work.module.getFunction(work.kernel.name);
  const llvm::DISubprogram* place = kernel.getSubprogram();
  const KernelReport made{.name = work.kernel.name,
                          .place = {place ? place->getLine() : 0, 0},
                          .workGroups = tile.merged ? "neighbouring work-groups run as one" : "",
                          .budget = {},
                          .remarks = remarksIn(kernel),
                          .packets = {}};
  if (work.options.reportJson) return jsonOf(made);
  std::string text = fmt::format("kernel '{}', line {}: {}\n", made.name, made.place.line,
                                 tile.merged ? made.workGroups : "work-groups of this size");
  for (const Remark& each : made.remarks)
    text += each.place.line ? fmt::format("  line {}: {}\n", each.place.line, each.message)
                            : fmt::format("  {}\n", each.message);
  return text;
}

std::string textOf(llvm::Module& module, const KernelToGenerate& work, std::string& error) {
  const auto machine = machineFor(work);
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream out(text);
  // A branch by a table loads its target and waits for it; comparisons are a few cycles each.
  for (llvm::Function& function : module) function.addFnAttr("no-jump-tables", "true");
  CodePasses passes(module);
  checkLimits();
  if (machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile)) {
    error = "the code generator for NVIDIA GPUs cannot write text";
    return {};
  }
  passes.run(module);
  return withNarrowStores({text.data(), text.size()});
}

}  // namespace clarity::compiler::nvptx
