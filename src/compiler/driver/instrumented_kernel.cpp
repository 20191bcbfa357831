// SPDX-License-Identifier: Apache-2.0
// This file runs the kernel pipeline with instrumentation, and compares its result with what the compiled program says.
#include "compiler/driver/instrumented_kernel.h"

#include "compiler/frontend/kernel_info.h"
#include "compiler/frontend/options.h"
#include "compiler/guard/context.h"
#include "compiler/instrument/instrument.h"
#include "compiler/ir/attributes.h"
#include "compiler/pipeline/pipeline.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// Kernel IR of a whole program, instrumented.
std::unique_ptr<llvm::Module> instrumentedProgram(CollectingContext& context, const CompiledProgram& compiled,
                                                  Instrumentation kind, const Options& options, const Target& target,
                                                  std::vector<KernelInfo>& kernels, ProgramScope& scope,
                                                  InstrumentedPlaces& places, std::string& error) {
  if (compiled.portableIR.empty()) {
    error = "the program was built without -cl-clarity-instrument";
    return nullptr;
  }
  auto module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(llvm::StringRef(compiled.portableIR), "portable IR"), context);
  if (!module) {
    error = llvm::toString(module.takeError());
    return nullptr;
  }
  kernels = kernelInfoOf(**module, options);
  const auto hook = [&](llvm::Module& program) {
    instrument(program, kind, options, places);
    return llvm::Error::success();
  };
  if (llvm::Error failure = toKernelIR(**module, kernels, scope, options, target,
                                       {.instrument = hook, .debugs = kind == Instrumentation::Debug})) {
    error = llvm::toString(std::move(failure)) + context.errors;
    return nullptr;
  }
  // The program's code and its variables' storage are common to all shapes.
  if (scope.variables != compiled.scope.variables) {
    error = "the program's variables are not where its other code expects them";
    return nullptr;
  }
  return std::move(*module);
}

/// The kernel of this name among those of the application and the one for constructors.
KernelInfo* find(std::vector<KernelInfo>& kernels, ProgramScope& scope, std::string_view name) {
  const auto found = std::ranges::find(kernels, name, &KernelInfo::name);
  if (found != kernels.end()) return &*found;
  return scope.constructors && scope.constructors->name == name ? &*scope.constructors : nullptr;
}

}  // namespace

std::unique_ptr<llvm::Module> instrumentedKernel(CollectingContext& context, const CompiledProgram& compiled,
                                                 std::string_view kernel, Instrumentation kind, const Options& options,
                                                 const Target& target, KernelInfo& info, std::vector<Site>& sites,
                                                 std::string& error) {
  std::vector<KernelInfo> kernels;
  ProgramScope scope;
  InstrumentedPlaces places;
  auto module = instrumentedProgram(context, compiled, kind, options, target, kernels, scope, places, error);
  if (!module) return nullptr;
  const KernelInfo* found = find(kernels, scope, kernel);
  if (!found) {
    error = fmt::format("kernel '{}' is not in the program's portable IR", kernel);
    return nullptr;
  }
  const KernelInfo* known = compiled.find(kernel);
  if (known && (found->localBytes > known->localBytes || (found->usesPrintf && !known->usesPrintf) ||
                (found->enqueues && !known->enqueues))) {
    error = fmt::format(
        "the instrumented code of kernel '{}' needs more than the compiled program says: build with "
        "-cl-clarity-instrument",
        kernel);
    return nullptr;
  }
  info = *found;
  if (kind != Instrumentation::CheckAccesses) info.groupAgnostic = false;  // work-groups have an order too
  sites = std::move(places.sites);
  return module;
}

bool coverInstrumented(CompiledProgram& compiled, const Options& options, const Target& target, std::string& error) {
  CollectingContext context;
  std::vector<KernelInfo> kernels;
  ProgramScope scope;
  InstrumentedPlaces places;
  const auto module =
      instrumentedProgram(context, compiled, Instrumentation::Check, options, target, kernels, scope, places, error);
  if (!module) return false;
  for (KernelInfo& kernel : compiled.kernels) {
    const KernelInfo* other = find(kernels, scope, kernel.name);
    if (!other) continue;
    kernel.localBytes = std::max(kernel.localBytes, other->localBytes);
    kernel.privateBytes = std::max(kernel.privateBytes, other->privateBytes);
    kernel.usesPrintf |= other->usesPrintf;
    kernel.enqueues |= other->enqueues;
    const llvm::Function* const function = module->getFunction(kernel.name);
    kernel.ordersByAtomics = !function || function->hasFnAttribute(ordersAttribute);
  }
  return true;
}

}  // namespace clarity::compiler
