// SPDX-License-Identifier: Apache-2.0
// This file declares the pipeline: portable IR to kernel IR (once a program), kernel IR to the function that the device
// calls (once a shape). Which passes run, and in which order, is described in pipeline/description.cpp.
#pragma once

#include "compiler/ir/code_facts.h"
#include "compiler/ir/compiled_program.h"
#include "compiler/ir/shape.h"
#include "compiler/ir/target.h"

#include <llvm/Support/Error.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace clarity::compiler {

struct Options;

/// The symbol of the entry of every native module.
inline constexpr char entrySymbol[] = "clarity_entry";

/// Functions of others that are called at named steps of the pipeline.
struct PipelineHooks {
  /// At `instrument`, ahead of the first pass that simplifies: the program as the source has it, linked with what it
  /// uses of the library, for the target. Work-item functions are still calls of primitives, in every function;
  /// variables of the source are allocas; instructions have their source locations if Options::names asked for them.
  std::function<llvm::Error(llvm::Module&)> instrument;
  bool debugs = false;  ///< for Instrumentation::Debug
};

/// Links what the module uses of the builtin library, retargets it and optimises it; fills in the facts of
/// every KernelInfo that only the IR knows (barriers, whether it is group-agnostic, local and private bytes, layout of
/// the argument block), and `scope`. Fails with a text naming every function and variable that is defined nowhere.
llvm::Error toKernelIR(llvm::Module& module, std::vector<KernelInfo>& kernels, ProgramScope& scope,
                       const Options& options, const Target& target, PipelineHooks hooks = {});

/// Facts that toNativeIR found out about the kernel.
struct NativeFacts : CodeFacts {
  std::string remarks;  ///< optimisations that were given up for the budget (budget.h), a line each
  std::string error;    ///< why there is no code; empty if there is
};

/// A report on one kernel for one shape, region by region and by source line where the module knows its source. Leaves
/// the module in no useful state.
std::string reportOn(llvm::Module& module, const KernelInfo& kernel, const Shape& shape, const Options& options,
                     const Target& target, llvm::TargetMachine& machine);

/// Remarks on the parts of a kernel in a module of kernel IR that will be given up for the compiler's budget, a line
/// each, as far as that can be known before a work-group size is.
std::string remarksOn(const llvm::Module& module, const KernelInfo& kernel, const Options& options,
                      const Target& target);

/// Turns a module of kernel IR into the entry of one kernel for one shape, optimised and ready for code generation.
NativeFacts toNativeIR(llvm::Module& module, const KernelInfo& kernel, const Shape& shape, const Options& options,
                       const Target& target, llvm::TargetMachine& machine);

}  // namespace clarity::compiler
