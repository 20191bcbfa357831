// SPDX-License-Identifier: Apache-2.0
// This file lists the passes of instrumentation and takes a kernel from kept portable IR to instrumented kernel IR.
#include "compiler/instrument/instrument.h"

#include "compiler/analysis_managers.h"
#include "compiler/attributes.h"
#include "compiler/context.h"
#include "compiler/frontend/kernel_info.h"
#include "compiler/frontend/options.h"
#include "compiler/instrument/check_arithmetic.h"
#include "compiler/instrument/check_images.h"
#include "compiler/instrument/check_memory.h"
#include "compiler/instrument/check_races.h"
#include "compiler/instrument/check_sub_groups.h"
#include "compiler/instrument/check_uniform.h"
#include "compiler/instrument/check_values.h"
#include "compiler/instrument/library_calls.h"
#include "compiler/instrument/mark_barriers.h"
#include "compiler/instrument/mark_uninitialised.h"
#include "compiler/instrument/natural_alignment.h"
#include "compiler/instrument/observe_orders.h"
#include "compiler/instrument/record_accesses.h"
#include "compiler/instrument/watch_loops.h"
#include "compiler/locations.h"
#include "compiler/pipeline.h"

#include <fmt/format.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

bool isCheck(Instrumentation kind, const Options&) {
  return !isOptimised(kind) && kind != Instrumentation::Profile && kind != Instrumentation::CheckAccesses;
}
bool checksOverflow(Instrumentation kind, const Options& options) {
  return isCheck(kind, options) && options.checkOverflow;
}
bool checksNotFinite(Instrumentation kind, const Options& options) {
  return isCheck(kind, options) && options.checkNotFinite;
}
bool checksAccesses(Instrumentation kind, const Options& options) {
  return isCheck(kind, options) || kind == Instrumentation::CheckAccesses;
}
bool recordsAccesses(Instrumentation kind, const Options&) {
  return kind == Instrumentation::Check || kind == Instrumentation::Profile;
}
bool checksRaces(Instrumentation kind, const Options&) { return kind == Instrumentation::Check; }
bool looksAtCells(Instrumentation kind, const Options&) { return compiler::looksAtCells(kind); }
/// Not where variables have a content from the beginning (cl_khr_initialize_memory).
bool followsValues(Instrumentation kind, const Options& options) {
  return compiler::followsValues(kind) && !options.initializePrivate && !options.initializeLocal;
}

/// On code as clang generates it, where functions of the builtin library are calls.
constexpr InstrumentationPass kSourcePasses[] = {
    {"check-arithmetic", isCheck, checkArithmetic},
    {"check-overflow", checksOverflow, checkOverflow},
    {"check-not-finite", checksNotFinite, checkNotFinite},
    {"check-images", isCheck, checkImages},
    {"check-sub-groups", isCheck, checkSubGroups},
    {"check-uniform", isCheck, checkUniform},
    {"expect-natural-alignment", checksAccesses, expectNaturalAlignment},
    {"ask-directly", looksAtCells, askDirectly},
    {"find-orders", checksRaces, findOrders},
    {"mark-copies", isCheck, markCopies},
    {"count-copies", isCheck, countCopies},
    {"observe-orders", checksRaces, observeOrders},
};
/// On code of kernels: the builtin library is inlined where it accesses memory, and for Check all functions are, and
/// private variables whose address is not taken are values, so that pointers can be followed.
constexpr InstrumentationPass kKernelPasses[] = {
    {"mark-barriers", isCheck, markBarriers},
    {"check-memory", checksAccesses, checkMemory},
    {"record-accesses", recordsAccesses, recordAccesses},
    {"mark-races", looksAtCells, markRaces},
    {"check-values", followsValues, checkValues},
    {"watch-loops", isCheck, watchLoops},
    {"check-races", looksAtCells, checkRaces},
};

/// More instructions than this in a kernel with all its functions inlined, and functions stay: of their pointers it is
/// looked up which object they are in.
constexpr std::uint64_t mostInlined = 100'000;
/// Functions of the library up to this size become part of their callers where values are followed, so that it is seen
/// which of their arguments, and which bits, their results come from: select(), bitselect(), min().
constexpr std::uint64_t mostFollowed = 48;

bool mayAccessMemory(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return instruction.mayReadOrWriteMemory() && !instruction.isLifetimeStartOrEnd();
  });
}

void inlineAlways(llvm::Module& module) {
  AnalysisManagers analyses;
  llvm::PassBuilder builder;
  analyses.registerAnalyses(builder);
  llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/true).run(module, analyses.modules);
}

/// Instructions of a function with all that it calls inlined. There is no recursion.
std::uint64_t inlinedSize(const llvm::Function& function, llvm::DenseMap<const llvm::Function*, std::uint64_t>& known) {
  if (const auto found = known.find(&function); found != known.end()) return found->second;
  std::uint64_t size = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    ++size;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (const llvm::Function* callee = call ? call->getCalledFunction() : nullptr; callee && !callee->isDeclaration())
      size += inlinedSize(*callee, known);
  }
  return known[&function] = size;
}

void markInlined(llvm::Function& function) {
  function.removeFnAttr(llvm::Attribute::NoInline);
  function.removeFnAttr(llvm::Attribute::OptimizeNone);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
}

/// Each kernel becomes one function in which pointers can be followed, and values if these are.
void joinProgram(llvm::Module& module, bool withValues, InstrumentedPlaces& places) {
  llvm::DenseMap<const llvm::Function*, std::uint64_t> sizes;
  const bool isLarge = llvm::any_of(module, [&](const llvm::Function& function) {
    return !function.isDeclaration() && inlinedSize(function, sizes) > mostInlined;
  });
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.hasLocalLinkage()) continue;
    if (function.getSubprogram() ? !isLarge : withValues && inlinedSize(function, sizes) <= mostFollowed)
      markInlined(function);
  }
  inlineAlways(module);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    // A variable whose address was in another one, as a parameter of a function was, is a value then too.
    for (;;) {
      llvm::SmallVector<llvm::AllocaInst*, 32> values;
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && llvm::isAllocaPromotable(slot))
          values.push_back(slot);
      if (values.empty()) break;
      if (withValues) markUninitialised(values, places);
      llvm::DominatorTree dominators(function);
      llvm::PromoteMemToReg(values, dominators);
    }
  }
}

/// Functions of the builtin library become part of their callers, where they get the location of the call.
void inlineLibrary(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.getSubprogram() || !mayAccessMemory(function)) continue;
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL || function.use_empty()) continue;
    markInlined(function);
  }
  inlineAlways(module);
}

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
  if (llvm::Error failure = toKernelIR(**module, kernels, scope, options, target, {.instrument = hook})) {
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

/// Of all kernels, those of the application and the one for constructors.
KernelInfo* find(std::vector<KernelInfo>& kernels, ProgramScope& scope, std::string_view name) {
  const auto found = std::ranges::find(kernels, name, &KernelInfo::name);
  if (found != kernels.end()) return &*found;
  return scope.constructors && scope.constructors->name == name ? &*scope.constructors : nullptr;
}

}  // namespace

void instrument(llvm::Module& module, Instrumentation kind, const Options& options, InstrumentedPlaces& places) {
  for (const InstrumentationPass& pass : kSourcePasses)
    if (pass.serves(kind, options)) pass.run(module, places);
  inlineLibrary(module);
  if (checksAccesses(kind, options)) joinProgram(module, followsValues(kind, options), places);
  for (const InstrumentationPass& pass : kKernelPasses)
    if (pass.serves(kind, options)) pass.run(module, places);
  keepOnlyLocations(module);
}

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
  if (known && (found->localBytes > known->localBytes || (found->usesPrintf && !known->usesPrintf))) {
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
    const llvm::Function* const function = module->getFunction(kernel.name);
    kernel.ordersByAtomics = !function || function->hasFnAttribute(ordersAttribute);
  }
  return true;
}

}  // namespace clarity::compiler
