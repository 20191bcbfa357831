// SPDX-License-Identifier: Apache-2.0
// This file reads IR, runs passes or a pipeline over it and prints it again.
#include "compiler/driver/opt.h"

#include "compiler/frontend/kernel_info.h"
#include "compiler/frontend/options.h"
#include "compiler/guard/context.h"
#include "compiler/guard/worker.h"
#include "compiler/host/target.h"
#include "compiler/ir/analysis_managers.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/backend.h"
#include "compiler/ir/cost_model.h"
#include "compiler/nvptx/capability.h"
#include "compiler/pipeline/create_pass.h"
#include "compiler/pipeline/pass_trace.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/pipeline/state.h"
#include "compiler/pipeline/steps.h"
#include "compiler/ptx/emit_ptx.h"
#include "compiler/ptx/machine.h"
#include "compiler/ptx/nvptx_backend.h"

#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <functional>
#include <memory>
#include <set>
#include <span>

namespace clarity::compiler {
namespace {

PassOutput failure(std::string why) {
  PassOutput output;
  output.error = std::move(why);
  return output;
}

/// Parses `ir`, lets `work` change it, and prints it. `work` returns what is wrong.
PassOutput transform(
    std::string_view ir, std::string_view cpu,
    const std::function<std::string(llvm::Module&, const Target&, llvm::TargetMachine&, PassOutput&)>& work) {
  const auto gpu = nvptx::capabilityNamed(cpu);
  if (!gpu && !knowsCpu(cpu)) return failure(fmt::format("there is no processor '{}'{}", cpu, insteadOfCpu(cpu)));
  Status status;
  std::string log;
  const auto made = makeGuarded<PassOutput>(
      [&](PassOutput& output) {
        const Target target = gpu ? nvptxTarget(*gpu / 10, *gpu % 10) : hostTarget(cpu);
        const auto machine = backEndOf(target).machine(target, true);
        if (!machine) {
          output.error = fmt::format("no code generator for processor '{}'", cpu);
          return;
        }
        CollectingContext context;
        llvm::SMDiagnostic diagnostic;
        const auto module = llvm::parseAssemblyString(llvm::StringRef(ir), diagnostic, context);
        if (!module) {
          llvm::raw_string_ostream text(output.error);
          diagnostic.print("", text, false);
          return;
        }
        output.error = work(*module, target, *machine, output) + context.errors;
        llvm::raw_string_ostream broken(output.error);
        if (!output.error.empty() || llvm::verifyModule(*module, &broken)) return;
        llvm::raw_string_ostream text(output.ir);
        module->print(text, nullptr);
        output.ok = true;
      },
      status, log);
  return made ? *made : failure(log);
}

/// The facts of the kernels of a module of kernel IR, as toKernelIR has found them.
std::string factsOf(llvm::Module& module, std::vector<KernelInfo>& kernels, const Options& options,
                    const Target& target, llvm::TargetMachine& machine) {
  for (const llvm::Function& function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage()) kernels.push_back(kernelInfoOf(function, options));
  PipelineState state(options, target, machine);
  for (KernelInfo& kernel : kernels) {
    for (const KernelArg& argument : kernel.args)
      if (argument.kind == ArgKind::Buffer && argument.address == AddressQualifier::Private)
        return fmt::format(
            "kernel '{}' takes a structure by value, whose size kernel IR does not say: begin with portable IR",
            kernel.name);
    kernel.subGroupSize = subGroupSizeOf(*module.getFunction(kernel.name));
    state.kernels.push_back(&kernel);
  }
  llvm::cantFail(layOutArguments(state, module));
  llvm::cantFail(findFacts(state, module));
  return {};
}

std::string runNative(llvm::Module& module, const std::vector<KernelInfo>& kernels, const ProgramScope& scope,
                      const PipelineRequest& request, const Options& options, const Target& target,
                      llvm::TargetMachine& machine) {
  const auto isAsked = [&](const KernelInfo& kernel) {
    return request.kernel.empty() || kernel.name == request.kernel;
  };
  const auto kernel = std::ranges::find_if(kernels, isAsked);
  if (kernel == kernels.end())
    return request.kernel.empty() ? "the module has no kernel" : fmt::format("there is no kernel '{}'", request.kernel);
  Shape shape;
  if (!kernel->groupAgnostic) shape.local = request.local[0] ? request.local : kernel->requiredLocalSize;
  if (target.backEnd != nvptxBackEndName) return toNativeIR(module, *kernel, shape, options, target, machine).error;
  shape.itemsPerThread = cost::coarsen::mostOfThread;  // as for a launch that fills the GPU
  NvptxCode code;
  std::string error;
  nvptx::lower({module, *kernel, scope, shape, options, target}, code, error);
  return error;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> passNames() {
  std::vector<std::pair<std::string, std::string>> names;
#define CLARITY_FUNCTION_PASS(NAME, CREATE, TEXT) names.emplace_back(NAME, TEXT);
#define CLARITY_MODULE_PASS(NAME, CREATE, TEXT) names.emplace_back(NAME, TEXT);
#include "compiler/pipeline/passes.def"
  names.emplace_back("specialize-shape<XxYxZ>", "make a known work-group size a constant");
  names.emplace_back("specialize-arguments<I=BITS;...>", "make values of arguments, as hexadecimal bits, constants");
  names.emplace_back("prepare-inlining<INSTRUCTIONS>", "the same for kernels of up to so many instructions");
  names.emplace_back("coarsen<XxYxZ;XxYxZ>", "NVIDIA GPUs: work-items of a thread, and how far their ids are apart");
  names.emplace_back("promote-local-memory<CELLS>",
                     "NVIDIA GPUs: keep the local memory of a warp's work-group in registers");
  names.emplace_back("share-local-memory<GROUPS>",
                     "NVIDIA GPUs: one work-group of several, with one copy of what all fill alike in local memory");
  names.emplace_back("packets", "put neighbouring work-items into vector lanes");
  names.emplace_back("packets<LANESxPACKETSxROWS>", "the same in tiles of a given size");
  return names;
}

std::vector<std::string> pipelineSteps() {
  std::set<std::string> names;
  for (const std::span<const PipelineStage> pipeline : {kernelPipeline(), nativePipeline(), nvptxPipeline()})
    for (const PipelineStage& stage : pipeline)
      for (const PipelineStep& step : stage.steps) names.emplace(step.name());
  return {names.begin(), names.end()};
}

PassOutput runPasses(std::string_view ir, std::string_view passes, std::string_view cpu) {
  return transform(
      ir, cpu, [&](llvm::Module& module, const Target& target, llvm::TargetMachine& machine, PassOutput& output) {
        PassTracer tracer(passTrace(true), std::string(passes), machine);
        llvm::raw_string_ostream printed(output.printed);
        const bool isGpu = target.backEnd == nvptxBackEndName;
        const nvptx::Capability capability = isGpu ? nvptx::capabilityOf(target) : nvptx::leastCapability;
        // The GPU's machine alone knows whether threads may diverge.
        const auto gpu = isGpu && module.getTargetTriple().isNVPTX() ? nvptx::gpuMachine(target, true) : nullptr;
        llvm::PassBuilder builder(gpu.get(), llvm::PipelineTuningOptions(), std::nullopt, &tracer.callbacks());
        registerPasses(builder, machine, backEndOf(target).vectors(target, machine), capability, printed);
        AnalysisManagers analyses;
        analyses.registerAnalyses(builder);
        llvm::ModulePassManager manager;
        if (llvm::Error error = builder.parsePassPipeline(manager, llvm::StringRef(passes)))
          return llvm::toString(std::move(error));
        manager.run(module, analyses.modules);
        tracer.finish(module);
        return std::string();
      });
}

PassOutput runPipeline(std::string_view ir, const PipelineRequest& request, std::string_view cpu) {
  const auto options = parseOptions(request.options, OptionsFor::Build);
  if (!options) return failure(options.error());
  return transform(
      ir, cpu,
      [&](llvm::Module& module, const Target& target, llvm::TargetMachine& machine, PassOutput&) -> std::string {
        std::vector<KernelInfo> kernels;
        ProgramScope scope;
        if (module.getTargetTriple().isSPIROrSPIRV()) {
          kernels = kernelInfoOf(module, *options);
          if (llvm::Error error = toKernelIR(module, kernels, scope, *options, target))
            return llvm::toString(std::move(error));
        } else if (!request.native) {
          return "the kernel pipeline begins with portable IR, for spir64: 'clarity compile --emit portable-ir' writes "
                 "it";
        } else if (std::string wrong = factsOf(module, kernels, *options, target, machine); !wrong.empty()) {
          return wrong;
        }
        return request.native ? runNative(module, kernels, scope, request, *options, target, machine) : std::string();
      });
}

}  // namespace clarity::compiler
