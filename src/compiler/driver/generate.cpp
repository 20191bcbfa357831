// SPDX-License-Identifier: Apache-2.0
// This file makes the code of a kernel for a shape: out of the cache, or by the target's back end and into it.
#include "compiler/analysis/kernel_accesses.h"
#include "compiler/driver/cache.h"
#include "compiler/driver/compile_times.h"
#include "compiler/driver/compiler.h"
#include "compiler/driver/inspect.h"
#include "compiler/driver/instrumented_kernel.h"
#include "compiler/frontend/options.h"
#include "compiler/guard/context.h"
#include "compiler/guard/limits.h"
#include "compiler/guard/worker.h"
#include "compiler/ir/analysis_managers.h"
#include "compiler/ir/backend.h"
#include "compiler/pipeline/supposed_images.h"
#include "support/disk_cache.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

namespace clarity::compiler {
namespace {

/// The build options of the compiled program decide how its code is generated.
Options optionsOf(const CompiledProgram& compiled) {
  return parseOptions(compiled.options, OptionsFor::Any).value_or(Options{});
}

/// A kernel of the application's, or the one that runs constructors.
const KernelInfo* findKernel(const CompiledProgram& compiled, std::string_view kernel) {
  const auto& constructors = compiled.scope.constructors;
  return constructors && constructors->name == kernel ? &*constructors : compiled.find(kernel);
}

std::unique_ptr<llvm::Module> readKernel(llvm::LLVMContext& context, const CompiledProgram& compiled,
                                         std::string_view kernel, std::string& error) {
  auto module =
      llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(llvm::StringRef(compiled.bitcode), "kernels"), context);
  if (!module) {
    error = llvm::toString(module.takeError());
    return nullptr;
  }
  if (!(*module)->getFunction(llvm::StringRef(kernel))) {
    error = fmt::format("kernel '{}' is not in the program's code", kernel);
    return nullptr;
  }
  // Other kernels stay unread: their bodies are dropped, not parsed.
  const auto drop = [&](const KernelInfo& other) {
    llvm::Function* function = other.name == kernel ? nullptr : (*module)->getFunction(other.name);
    if (function && function->use_empty()) function->eraseFromParent();
  };
  for (const KernelInfo& other : compiled.kernels) drop(other);
  if (compiled.scope.constructors) drop(*compiled.scope.constructors);
  if (llvm::Error failure = (*module)->materializeAll()) {
    error = llvm::toString(std::move(failure));
    return nullptr;
  }
  return std::move(*module);
}

/// Calls `work(backEnd, kernelToGenerate)` with the kernel's module, instrumented where the shape says so. `sites`
/// becomes what its events refer to.
template <class Work>
auto withKernel(const CompiledProgram& compiled, std::string_view kernel, const Shape& shape, const Target& target,
                std::vector<Site>& sites, std::string& error, Work work)
    -> decltype(work(std::declval<const BackEnd&>(), std::declval<const KernelToGenerate&>())) {
  const BackEnd* const backEnd = findBackEnd(target.backEnd);
  if (!backEnd) {
    error = fmt::format("there is no back end '{}'", target.backEnd);
    return {};
  }
  const KernelInfo* info = findKernel(compiled, kernel);
  if (!info) {
    error = fmt::format("the program has no kernel '{}'", kernel);
    return {};
  }
  CollectingContext context;
  const Options options = optionsOf(compiled);
  std::unique_ptr<llvm::Module> module;
  KernelInfo instrumented;
  if (isOptimised(shape.instrumentation)) {
    module = readKernel(context, compiled, kernel, error);
  } else {
    module = instrumentedKernel(context, compiled, kernel, shape.instrumentation, options, target, instrumented, sites,
                                error);
    info = &instrumented;
  }
  if (!module) return {};
  auto result = work(*backEnd, KernelToGenerate{*module, *info, compiled.scope, shape, options, target});
  if (context.errors.empty()) return result;
  error += context.errors;
  return {};
}

support::Hash128 keyOf(const CompiledProgram& compiled, std::string_view kernel, const Shape& shape,
                       const Target& target) {
  support::Hasher hasher = cacheKey("device code", target);
  support::addTo(hasher, compiled.hash);
  hasher.add(kernel);
  support::addTo(hasher, shape);
  return hasher.finish();
}

}  // namespace

std::string kernelIRText(const CompiledProgram& compiled, std::string& log) {
  CollectingContext context;
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(llvm::StringRef(compiled.bitcode), "compiled"), context);
  if (!module) {
    log += llvm::toString(module.takeError());
    return {};
  }
  if (!optionsOf(compiled).debug) llvm::StripDebugInfo(**module);
  std::string text;
  llvm::raw_string_ostream out(text);
  (*module)->print(out, nullptr);
  return text;
}

std::string generateText(const CompiledProgram& compiled, std::string_view kernel, const Shape& asked,
                         const Target& target, NativeForm form, std::string& log) {
  Shape shape = asked;
  if (optionsOf(compiled).debugged) shape.instrumentation = Instrumentation::Debug;
  Status status;
  struct Text {
    std::string text, error;
    std::vector<Site> sites;
  };
  const auto result = makeGuarded<Text>(
      [&](Text& made) {
        made.text =
            withKernel(compiled, kernel, shape, target, made.sites, made.error,
                       [&](const BackEnd& backEnd, const KernelToGenerate& work) {
                         Shape shown = work.shape;
                         supposeImages(*work.module.getFunction(work.kernel.name), work.kernel, shown);
                         return backEnd.show({work.module, work.kernel, work.scope, shown, work.options, work.target},
                                             form, made.error);
                       });
      },
      status, log);
  if (!result) return {};
  log += result->error;
  return result->text;
}

CodeOutcome generate(const CompiledProgram& compiled, std::string_view kernel, const Shape& shape, const Target& target,
                     IfNotKept ifNotKept) {
  CodeOutcome outcome;
  TimedCompile timed(kernel, shape);
  support::DiskCache& kept = cache();
  const support::Hash128 key = keyOf(compiled, kernel, shape, target);
  if (const auto bytes = kept.get(key)) {
    const BackEnd* const backEnd = findBackEnd(target.backEnd);
    if (const std::shared_ptr<DeviceCode> code = backEnd ? backEnd->read(*bytes) : nullptr) {
      code->fromCache = true;
      timed.setFromCache(true);
      outcome.code = code;
      return outcome;
    }
  }
  if (ifNotKept == IfNotKept::Leave) {
    timed.forget();
    return outcome;
  }
  struct Made {
    std::unique_ptr<DeviceCode> code;
    std::vector<Site> sites;
    std::string error;
  };
  const auto made = makeGuarded<Made>(
      [&](Made& to) {
        const CompileAhead ahead(ifNotKept == IfNotKept::GenerateAhead);
        to.code = withKernel(
            compiled, kernel, shape, target, to.sites, to.error,
            [&](const BackEnd& backEnd, const KernelToGenerate& work) { return backEnd.generate(work, to.error); });
      },
      outcome.status, outcome.log);
  if (!made) return outcome;
  if (!made->code) {
    outcome.status = Status::Internal;
    outcome.log += made->error;
    return outcome;
  }
  made->code->sites = std::move(made->sites);
  kept.put(key, made->code->bytes());
  outcome.code = std::move(made->code);
  return outcome;
}

AccessSummary accessesOf(const CompiledProgram& compiled, std::string_view kernel) {
  AccessSummary none;
  const KernelInfo* const info = findKernel(compiled, kernel);
  if (!info) {
    none.objection = fmt::format("the program has no kernel '{}'", kernel);
    return none;
  }
  Status status = Status::Ok;
  std::string log;
  const auto made = makeGuarded<AccessSummary>(
      [&](AccessSummary& to) {
        CollectingContext context;
        const std::unique_ptr<llvm::Module> module = readKernel(context, compiled, kernel, to.objection);
        if (!module) return;
        llvm::PassBuilder builder;
        AnalysisManagers analyses;
        analyses.registerAnalyses(builder);
        to = kernelAccesses(*module->getFunction(llvm::StringRef(kernel)), *info, analyses.functions);
      },
      status, log);
  if (made) return std::move(*made);
  none.objection = "LLVM cannot read its code: " + log;
  return none;
}

bool hasQuickCode(const CompiledProgram& compiled) {
  const Options options = optionsOf(compiled);
  return !options.optDisable && options.packetLanes == 0 && options.packetRows == 0 && options.packetColumns == 0;
}

void forgetCode(const CompiledProgram& compiled, std::string_view kernel, const Shape& shape, const Target& target) {
  cache().remove(keyOf(compiled, kernel, shape, target));
}

}  // namespace clarity::compiler
