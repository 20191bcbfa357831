// SPDX-License-Identifier: Apache-2.0
// This file lists the passes of instrumentation and runs those that a kind of instrumentation needs.
#include "compiler/instrument/instrument.h"

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
#include "compiler/ir/analysis_managers.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/inlined_sizes.h"
#include "compiler/ir/locations.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace clarity::compiler {
namespace {

bool isCheck(Instrumentation kind, const Options&) {
  return !isOptimised(kind) && kind != Instrumentation::Profile && kind != Instrumentation::CheckAccesses &&
         kind != Instrumentation::Debug;
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
constexpr InstrumentationPass sourcePasses[] = {
    {"check-arithmetic", isCheck, checkArithmetic},
    {"check-overflow", checksOverflow, checkOverflow},
    {"check-not-finite", checksNotFinite, checkNotFinite},
    {"check-images", isCheck, checkImages},
    {"check-sub-groups", isCheck, checkSubGroups},
    {"check-uniform", isCheck, checkUniform},
    {"expect-natural-alignment", checksAccesses, expectNaturalAlignment},
    {"call-primitives", looksAtCells, callPrimitives},
    {"find-orders", checksRaces, findOrders},
    {"mark-copies", isCheck, markCopies},
    {"count-copies", isCheck, countCopies},
    {"observe-orders", checksRaces, observeOrders},
};
/// On code of kernels: the builtin library is inlined where it accesses memory, and for Check all functions are, and
/// private variables whose address is not taken are values, so that pointers can be followed.
constexpr InstrumentationPass kernelPasses[] = {
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
constexpr std::uint64_t mostInlined = 100'000, mostOfFunction = cost::budget::mostOfFunction;
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

void markInlined(llvm::Function& function) {
  function.removeFnAttr(llvm::Attribute::NoInline);
  function.removeFnAttr(llvm::Attribute::OptimizeNone);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
}

/// Functions that are larger than `most` with all calls inlined.
llvm::SmallVector<llvm::Function*, 4> largeFunctions(llvm::Module& module, std::uint64_t most) {
  InlinedSizes sizes([](const llvm::CallInst&, const llvm::Function&) { return true; });
  llvm::SmallVector<llvm::Function*, 4> large;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && sizes.of(function) > most) large.push_back(&function);
  return large;
}

/// In large programs, `always_inline` of a function or a call yields: it may multiply calls (prepare_inlining.h).
void keepLargeFunctions(llvm::Module& module) {
  if (largeFunctions(module, mostInlined).empty()) return;
  for (llvm::Function* function : largeFunctions(module, mostOfFunction)) {
    if (!function->hasLocalLinkage()) continue;
    function->removeFnAttr(llvm::Attribute::AlwaysInline);
    for (llvm::User* user : function->users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) call->removeFnAttr(llvm::Attribute::AlwaysInline);
  }
}

/// Each kernel becomes one function in which pointers can be followed, and values if these are.
void joinProgram(llvm::Module& module, bool withValues, InstrumentedPlaces& places) {
  InlinedSizes sizes([](const llvm::CallInst&, const llvm::Function&) { return true; });
  const bool isLarge = !largeFunctions(module, mostInlined).empty();
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.hasLocalLinkage()) continue;
    if (function.getSubprogram() ? !isLarge : withValues && sizes.of(function) <= mostFollowed) markInlined(function);
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

}  // namespace

void instrument(llvm::Module& module, Instrumentation kind, const Options& options, InstrumentedPlaces& places) {
  if (kind == Instrumentation::Debug) return;
  for (const InstrumentationPass& pass : sourcePasses)
    if (pass.serves(kind, options)) pass.run(module, places);
  keepLargeFunctions(module);
  inlineLibrary(module);
  if (checksAccesses(kind, options)) joinProgram(module, followsValues(kind, options), places);
  for (const InstrumentationPass& pass : kernelPasses)
    if (pass.serves(kind, options)) pass.run(module, places);
  keepOnlyLocations(module);
}

}  // namespace clarity::compiler
