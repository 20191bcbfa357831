// SPDX-License-Identifier: Apache-2.0
// This file creates passes by their names: steps of the pipeline (steps.def), passes of ours (passes.def), and LLVM's.
#pragma once

#include "compiler/nvptx/capability.h"

#include <llvm/IR/PassManager.h>

#include <string>
#include <string_view>

namespace llvm {
class PassBuilder;
class PassInstrumentationCallbacks;
class TargetMachine;
class raw_ostream;
}  // namespace llvm

namespace clarity::compiler {

struct PipelineState;
struct VectorTarget;

/// Adds the pass of a step of the description. The state outlives the manager.
void addStep(llvm::ModulePassManager& passes, std::string_view pass, PipelineState& state, llvm::PassBuilder& builder);
void addStep(llvm::FunctionPassManager& passes, std::string_view pass, PipelineState& state,
             llvm::PassBuilder& builder);

/// Makes passes.def known to LLVM's parser of pipelines, with parameters where passes take some. Printer passes write
/// to `printed`. `capability`: of the GPU that passes for NVIDIA GPUs are for.
void registerPasses(llvm::PassBuilder& builder, const llvm::TargetMachine& machine, const VectorTarget& vectors,
                    nvptx::Capability capability, llvm::raw_ostream& printed);

/// Makes the steps over loops that are no passes of LLVM's by themselves known to its parser.
void registerLoopPasses(llvm::PassBuilder& builder);

/// The analyses of passes.def.
void registerAnalyses(llvm::FunctionAnalysisManager& analyses);

/// Lets instrumentation find the names of passes.def for its classes.
void registerNames(llvm::PassInstrumentationCallbacks& callbacks, const llvm::TargetMachine& machine);

}  // namespace clarity::compiler
