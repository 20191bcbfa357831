// SPDX-License-Identifier: Apache-2.0
// This file executes the description: steps that work on functions one after the other become one function pass
// manager.
#include "compiler/pipeline/run.h"

#include "compiler/ir/analysis_managers.h"
#include "compiler/pipeline/create_pass.h"
#include "compiler/pipeline/moved_locations.h"
#include "compiler/pipeline/pass_trace.h"
#include "compiler/pipeline/state.h"
#include "compiler/pipeline/unrolled_loops.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace clarity::compiler {
namespace {

/// Analysis managers that know LLVM's and the project's analyses, and their builder.
struct Environment {
  /// `machine`: whose costs passes ask for; null: those of no machine.
  Environment(llvm::TargetMachine* machine, llvm::PassInstrumentationCallbacks* callbacks)
      : builder(machine, llvm::PipelineTuningOptions(), std::nullopt, callbacks) {
    registerAnalyses(analyses.functions);
    analyses.registerAnalyses(builder);
    registerLoopPasses(builder);
  }
  AnalysisManagers analyses;
  llvm::PassBuilder builder;
};

/// Steps, and behind them more steps for functions that these have changed.
struct IfChanged : llvm::PassInfoMixin<IfChanged> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    llvm::PreservedAnalyses preserved = steps.run(function, analyses);
    if (!preserved.areAllPreserved()) preserved.intersect(then.run(function, analyses));
    return preserved;
  }
  static llvm::StringRef name() { return "IfChanged"; }
  static bool isRequired() { return true; }
  llvm::FunctionPassManager steps, then;
};

/// Steps for functions of which a loop has been unrolled.
struct IfUnrolled : llvm::PassInfoMixin<IfUnrolled> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    return unrolled->isIn(function) ? steps.run(function, analyses) : llvm::PreservedAnalyses::all();
  }
  static llvm::StringRef name() { return "IfUnrolled"; }
  static bool isRequired() { return true; }
  llvm::FunctionPassManager steps;
  const UnrolledLoops* unrolled;
};

class Runner {
public:
  Runner(PipelineState& state, llvm::Module& module)
      : state_(state), module_(module), tracer_(passTrace(state.traced), state.title, state.machine) {
    locations_.registerIn(tracer_.callbacks());
    unrolled_.registerIn(tracer_.callbacks());
  }

  bool run(const PipelineStage& stage) {
    if (!environment_ || stage.freshAnalyses)
      environment_.emplace(stage.noCostModel ? nullptr : &state_.machine, &tracer_.callbacks());
    for (const PipelineStep& step : stage.steps) {
      if (!runs(step)) continue;
      if (step.scope == Scope::Module) {
        runFunctionSteps();
        runModuleStep(step);
        if (!state_.error.empty()) return false;
      } else {
        addFunctionStep(step);
      }
    }
    runFunctionSteps();
    return state_.error.empty();
  }

  void finish() { tracer_.finish(module_); }

private:
  bool runs(const PipelineStep& step) const {
    return !isDisabled(step) && (step.when & ~Conditions(Changed | Unrolled) & ~state_.conditions) == 0;
  }

  bool isDisabled(const PipelineStep& step) const {
    const std::vector<std::string>& disabled = state_.options.disabledPasses;
    if (step.need != Need::Optional || disabled.empty()) return false;
    return llvm::is_contained(disabled, step.name()) ||
           llvm::is_contained(disabled, fmt::format("{}.{}", step.name(), placeAmongNamesakes(step)));
  }

  void runModuleStep(const PipelineStep& step) {
    llvm::ModulePassManager passes;
    addStep(passes, step.pass, state_, environment_->builder);
    passes.run(module_, environment_->analyses.modules);
  }

  void addFunctionStep(const PipelineStep& step) {
    const bool isOfLoops = step.scope == Scope::Loops || step.scope == Scope::LoopsWithMemorySsa;
    const Scope scope = step.scope == Scope::Kernel ? Scope::Kernel : Scope::Functions;
    if (scope != scope_) runFunctionSteps();
    scope_ = scope;
    if (step.scope != loopScope_) closeLoops();
    if (const bool isForUnrolled = step.when & Unrolled; isForUnrolled != ifUnrolled_.has_value()) {
      closeUnrolled();
      if (isForUnrolled) ifUnrolled_.emplace().unrolled = &unrolled_;
    }
    if ((step.when & Changed) && !ifChanged_) {
      closeUnrolled();
      ifChanged_.emplace();
      ifChanged_->steps = std::exchange(passes_, llvm::FunctionPassManager());
    }
    if (!isOfLoops) return addStep(open(), step.pass, state_, environment_->builder);
    loopScope_ = step.scope;
    loopSteps_ += loopSteps_.empty() ? "" : ",";
    loopSteps_ += step.pass;
  }

  /// The manager that steps go to.
  llvm::FunctionPassManager& open() { return ifUnrolled_ ? ifUnrolled_->steps : passes_; }

  /// Steps that follow each other and are all for unrolled loops run together.
  void closeUnrolled() {
    closeLoops();
    if (ifUnrolled_) passes_.addPass(*std::exchange(ifUnrolled_, std::nullopt));
  }

  /// Passes over loops that follow each other share a manager: all of them for one loop, then for the next.
  void closeLoops() {
    if (loopSteps_.empty()) return;
    const std::string manager = loopScope_ == Scope::Loops ? "loop(" : "loop-mssa(";
    addStep(open(), manager + std::exchange(loopSteps_, {}) + ")", state_, environment_->builder);
  }

  void runFunctionSteps() {
    closeUnrolled();
    if (ifChanged_) {
      ifChanged_->then = std::exchange(passes_, llvm::FunctionPassManager());
      passes_.addPass(*std::exchange(ifChanged_, std::nullopt));
    }
    llvm::FunctionPassManager passes = std::exchange(passes_, llvm::FunctionPassManager());
    if (passes.isEmpty()) return;
    if (scope_ == Scope::Kernel) {
      passes.run(functionOf(state_, module_), environment_->analyses.functions);
      return;
    }
    llvm::ModulePassManager all;
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
    all.run(module_, environment_->analyses.modules);
  }

  PipelineState& state_;
  llvm::Module& module_;
  PassTracer tracer_;
  MovedLocations locations_;
  UnrolledLoops unrolled_;
  std::optional<Environment> environment_;
  llvm::FunctionPassManager passes_;
  std::optional<IfChanged> ifChanged_;
  std::optional<IfUnrolled> ifUnrolled_;
  Scope scope_ = Scope::Functions, loopScope_ = Scope::Functions;
  std::string loopSteps_;
};

}  // namespace

llvm::Error runStages(std::span<const PipelineStage> stages, PipelineState& state, llvm::Module& module) {
  Runner runner(state, module);
  for (const PipelineStage& stage : stages)
    if (!runner.run(stage)) return llvm::createStringError(state.error);
  runner.finish();
  return llvm::Error::success();
}

}  // namespace clarity::compiler
