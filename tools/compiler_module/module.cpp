// SPDX-License-Identifier: Apache-2.0
// This file is the driver's entry for `clarity compile` and `clarity opt`. It is a part of the driver, and the only
// file of the command that includes the compiler's interface.
#include "compiler/pipeline/listing.h"
#include "compiler/pipeline/trace_request.h"
#include "compiler_module.h"

#include "compiler/driver/compiler.h"
#include "compiler/driver/inspect.h"
#include "compiler/driver/opt.h"
#include "compiler/guard/limits.h"
#include "compiler/host/target.h"
#include "compiler/ir/cost_of_threads.h"
#include "compiler/ir/kernel_abi.h"
#include "compiler/nvptx/capability.h"
#include "compiler/ptx/nvptx_code.h"
#include "core/config.h"
#include "core/platform.h"
#include "device/cuda/device.h"

#include <chrono>
#include <memory>

namespace clarity::tools {
namespace {

CompileOutput succeeded(std::string log, std::string output) {
  const bool ok = !output.empty();
  return {ok, std::move(log), std::move(output)};
}

/// The shape of a large launch, or of one group where the range is one.
compiler::Shape shapeOf(const CodeRequest& request, const compiler::KernelInfo& info, bool gpu) {
  const auto& local = request.local;
  const auto& global = request.global;
  compiler::Shape shape;
  // Whether a large launch is generated for one group; a single work-group leaves other threads of the GPU idle rather
  // than share some.
  bool isOneGroup = true;
  for (size_t d = 0; d < 3; ++d) isOneGroup &= global[d] > 0 && global[d] == local[d];
  shape.distinctBuffers = true;
  if (gpu) shape.itemsPerThread = isOneGroup ? 1 : compiler::cost::coarsen::mostOfThread;
  shape.privateReductions = gpu && !isOneGroup;  // as if what is counted in were small
  shape.partialBlocks = gpu && !compiler::nvptx::holdsWholeBlocks({global[0], global[1], global[2]});
  for (const size_t size : global) shape.wideIds |= size >= compiler::wideIdsFrom;
  for (size_t d = 0; gpu && info.groupAgnostic && d < 3; ++d) shape.uneven |= local[d] > 0 && global[d] % local[d] != 0;
  // Group-agnostic kernels have one code for all work-group sizes on a CPU.
  if (gpu || !info.groupAgnostic)
    for (size_t d = 0; d < 3; ++d) shape.local[d] = static_cast<std::uint32_t>(local[d]);
  return shape;
}

/// Empty if the program has a kernel of this name.
std::string objectionTo(const std::string& kernel, const compiler::CompiledProgram& compiled) {
  if (compiled.kernels.empty()) return "the program has no kernel\n";
  if (compiled.find(kernel)) return {};
  std::string names;
  for (const compiler::KernelInfo& each : compiled.kernels) names += (names.empty() ? "" : ", ") + each.name;
  return "the program has no kernel '" + kernel + "'; it has: " + names + "\n";
}

}  // namespace

CompileOutput emit(std::string_view program, const std::string& fileName, const std::string& buildOptions,
                   std::string_view what, const CodeRequest& request) {
  const auto& [kernel, local, global, processor] = request;
  const auto gpu = compiler::nvptx::capabilityNamed(processor);
  if (!gpu && !compiler::knowsCpu(processor))
    return {false, "there is no processor '" + processor + "'" + compiler::insteadOfCpu(processor) + "\n", {}};
  const std::string objection = gpu ? compiler::nvptx::objectionTo(*gpu) : "";
  if (!objection.empty()) return {false, "there is no code for '" + processor + "': " + objection + "\n", {}};
  const compiler::Target target = gpu ? compiler::nvptxTarget(static_cast<int>(*gpu / 10), static_cast<int>(*gpu % 10))
                                      : compiler::hostTarget(processor);
  const compiler::Source source(compiler::kindOfSource(program, fileName), program);
  compiler::configureLimits(
      {std::uint64_t{core::config().compileMegabytes} << 20, std::chrono::seconds(core::config().compileSeconds)});
  const compiler::Outcome outcome = what == "portable-ir" || what == "spirv"
                                        ? compiler::compile(source, {}, buildOptions, target)
                                        : compiler::build(source, buildOptions, target);
  if (outcome.status != compiler::Status::Ok) return {false, outcome.log, {}};
  const compiler::CompiledProgram& compiled = *outcome.compiled;
  std::string log = outcome.log;
  if (!kernel.empty() && compiled.kind == compiler::BinaryType::Executable)
    if (const std::string none = objectionTo(kernel, compiled); !none.empty()) return {false, log + none, {}};
  if (what == "binary") return succeeded(std::move(log), compiler::serialise(compiled, target));
  if (what == "spirv") {
    std::string bytes = compiler::spirvOf(compiled, log);
    return succeeded(std::move(log), std::move(bytes));
  }
  if (what == "accesses") {
    std::string text;
    for (const compiler::KernelInfo& each : compiled.kernels)
      if (kernel.empty() || each.name == kernel) text += textOf(compiler::accessesOf(compiled, each.name), each);
    return succeeded(std::move(log), std::move(text));
  }
  if (what != "asm" && what != "native-ir") {
    std::string text = compiler::kernelIRText(compiled, log);
    return succeeded(std::move(log), std::move(text));
  }
  if (compiled.kernels.empty()) return {false, log + "the program has no kernel\n", {}};
  const compiler::KernelInfo* info = kernel.empty() ? &compiled.kernels.front() : compiled.find(kernel);
  const compiler::Shape shape = shapeOf(request, *info, gpu.has_value());
  std::string text =
      compiler::generateText(compiled, info->name, shape, target,
                             what == "asm" ? compiler::NativeForm::Assembly : compiler::NativeForm::IR, log);
  return succeeded(std::move(log), std::move(text));
}

CompileOutput runPasses(std::string_view ir, const std::string& passes, const std::string& processor) {
  compiler::PassOutput output = compiler::runPasses(ir, passes, processor);
  if (!output.ok) return {false, output.error, {}};
  return {true, output.printed, output.ir};
}

CompileOutput runPipeline(std::string_view ir, const PipelineOptions& options, const std::string& processor) {
  compiler::PipelineRequest request{
      .native = options.native, .kernel = options.kernel, .local = {}, .options = options.buildOptions};
  for (size_t d = 0; d < 3; ++d) request.local[d] = static_cast<std::uint32_t>(options.local[d]);
  compiler::PassOutput output = compiler::runPipeline(ir, request, processor);
  if (!output.ok) return {false, output.error, {}};
  return {true, output.printed, output.ir};
}

std::vector<std::pair<std::string, std::string>> passNames() { return compiler::passNames(); }

std::vector<std::string> pipelineSteps() { return compiler::pipelineSteps(); }

std::string pipelineList(bool markdown) {
  return compiler::pipelineList(markdown ? compiler::ListForm::Markdown : compiler::ListForm::Text);
}

std::string serveCluster(void (*stuck)()) { return core::serveCluster(stuck); }

std::string objectionToGpus() { return device::cuda::objection(); }

void tracePasses(const TraceRequest& request) {
  compiler::tracePasses({.printAfter = request.printAfter,
                         .printAfterAll = request.printAfterAll,
                         .printChanged = request.printChanged,
                         .verifyEach = request.verifyEach,
                         .timePasses = request.timePasses});
}

}  // namespace clarity::tools

const clarity::tools::CompilerModule* clarityCompilerModule(const char* version) {
  namespace tools = clarity::tools;
  if (std::string_view(version) != CLARITY_VERSION) return nullptr;
  static constexpr tools::CompilerModule compilerModule{
      tools::emit,         tools::runPasses,   tools::runPipeline,     tools::passNames,   tools::pipelineSteps,
      tools::pipelineList, tools::tracePasses, tools::objectionToGpus, tools::serveCluster};
  return &compilerModule;
}
