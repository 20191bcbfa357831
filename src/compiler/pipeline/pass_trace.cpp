// SPDX-License-Identifier: Apache-2.0
// This file prints, verifies and times passes.
#include "compiler/pipeline/pass_trace.h"

#include "compiler/guard/limits.h"
#include "compiler/pipeline/create_pass.h"
#include "compiler/pipeline/ir_unit.h"

#include <fmt/format.h>
#include <llvm/ADT/Any.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/StructuralHash.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

namespace clarity::compiler {
namespace {

#ifdef CLARITY_VERIFY_EACH
constexpr bool verifiesEach = true;
#else
constexpr bool verifiesEach = false;
#endif
std::atomic<bool> verifiesOurs{false};

/// Set once, ahead of the first compile, and never destroyed.
std::atomic<const PassTrace*> wanted{nullptr};

/// Managers and adaptors contain what is of interest.
const std::vector<llvm::StringRef>& containers() {
  static const auto& names = *new std::vector<llvm::StringRef>{
      "PassManager", "PassAdaptor", "AnalysisManagerProxy", "DevirtSCCRepeatedPass", "ModuleInlinerWrapperPass",
      "IfChanged",   "IfUnrolled"};
  return names;
}

/// The function that a pass works on, or whose loop it is; nullptr for modules, and for groups of functions in the call
/// graph.
const llvm::Function* functionOf(const llvm::Any& ir) {
  if (const auto* function = unitAs<llvm::Function>(ir)) return function;
  if (const auto* loop = unitAs<llvm::Loop>(ir)) return loop->getHeader()->getParent();
  return nullptr;
}

std::string textOf(const llvm::Any& ir) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (const auto* function = functionOf(ir))
    function->print(out);
  else if (const auto* module = unitAs<llvm::Module>(ir))
    module->print(out, nullptr);
  return text;
}

/// The same as a module that can be read again: of a function or loop with the declarations, attributes and metadata
/// that it names.
std::string moduleOf(const llvm::Any& ir) {
  const auto* function = functionOf(ir);
  if (!function) return textOf(ir);
  llvm::ValueToValueMapTy copies;
  const std::unique_ptr<llvm::Module> alone = llvm::CloneModule(
      *function->getParent(), copies,
      [function](const llvm::GlobalValue* each) { return each == function || !llvm::isa<llvm::Function>(each); });
  alone->setModuleIdentifier(std::string_view(function->getName()));
  for (llvm::Function& other : llvm::make_early_inc_range(*alone))
    if (other.isDeclaration() && other.use_empty()) other.eraseFromParent();
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(alone->globals()))
    if (variable.use_empty()) variable.eraseFromParent();
  std::string text;
  llvm::raw_string_ostream out(text);
  alone->print(out, nullptr);
  return text;
}

std::uint64_t hashOf(const llvm::Any& ir) {
  if (const auto* function = functionOf(ir)) return llvm::StructuralHash(*function);
  if (const auto* module = unitAs<llvm::Module>(ir)) return llvm::StructuralHash(*module);
  return 0;
}

/// Whether what a pass says of its changes is compared with what it did. Passes of LLVM are not ours to mend.
bool isOurs(llvm::StringRef type) { return type.starts_with("clarity::"); }

std::string unitOf(const llvm::Any& ir) {
  if (const auto* function = functionOf(ir)) return fmt::format("function '{}'", std::string_view(function->getName()));
  return "the module";
}

}  // namespace

void tracePasses(PassTrace trace) { wanted.store(new PassTrace(std::move(trace)), std::memory_order_release); }

bool passesAreTimed() {
  const PassTrace* asked = wanted.load(std::memory_order_acquire);
  return asked && asked->timePasses;
}

bool passesAreTraced() { return wanted.load(std::memory_order_acquire) != nullptr; }

void verifyPasses() { verifiesOurs.store(true, std::memory_order_relaxed); }

PassTrace passTrace(bool traced) {
  const PassTrace* asked = wanted.load(std::memory_order_acquire);
  PassTrace trace = asked && traced ? *asked : PassTrace();
  trace.verifyEach |= verifiesEach || (asked && asked->verifyEach);
  trace.verifyOurs |= verifiesOurs.load(std::memory_order_relaxed);
  return trace;
}

PassTracer::PassTracer(PassTrace trace, std::string title, const llvm::TargetMachine& machine)
    : trace_(std::move(trace)),
      title_(std::move(title)),
      machine_(machine),
      isActive_(!trace_.printAfter.empty() || trace_.printAfterAll || trace_.printChanged || verifies() ||
                trace_.timePasses) {
  callbacks_.registerBeforeNonSkippedPassCallback([](llvm::StringRef, const llvm::Any&) { checkLimits(); });
  if (!isActive_) return;
  registerCallbacks();
}

PassTracer::~PassTracer() {
  if (trace_.timePasses) times_.print(title_);
}

void PassTracer::registerCallbacks() {
  const auto isContainer = [](llvm::StringRef type) { return llvm::isSpecialPass(type, containers()); };
  callbacks_.registerBeforeNonSkippedPassCallback([this, isContainer](llvm::StringRef type, llvm::Any ir) {
    if (!isContainer(type)) begin(type, ir);
  });
  callbacks_.registerAfterPassCallback(
      [this, isContainer](llvm::StringRef type, llvm::Any ir, const llvm::PreservedAnalyses& preserved) {
        if (!isContainer(type)) end(&ir, preserved.areAllPreserved());
      });
  callbacks_.registerAfterPassInvalidatedCallback(
      [this, isContainer](llvm::StringRef type, const llvm::PreservedAnalyses&) {
        if (!isContainer(type)) end(nullptr, false);
      });
  if (!trace_.timePasses) return;
  callbacks_.registerBeforeAnalysisCallback([this, isContainer](llvm::StringRef type, llvm::Any) {
    if (isContainer(type)) return;
    addTime();
    running_.push_back({.name = "analysis " + std::string(type), .before = {}});
  });
  callbacks_.registerAfterAnalysisCallback([this, isContainer](llvm::StringRef type, llvm::Any) {
    if (isContainer(type)) return;
    addTime();
    times_.addRun(running_.back().name);
    running_.pop_back();
  });
}

/// Names are made only where one is asked for: verification asks for none as long as all is well.
std::string PassTracer::nameOf(llvm::StringRef type) {
  if (!std::exchange(knowsNames_, true)) registerNames(callbacks_, machine_);
  const llvm::StringRef name = callbacks_.getPassNameForClassName(type);
  return name.empty() ? type.str() : name.str();
}

void PassTracer::begin(llvm::StringRef type, const llvm::Any& ir) {
  addTime();
  const bool ours = isOurs(type);
  const bool namesPasses =
      trace_.timePasses || trace_.printAfterAll || trace_.printChanged || !trace_.printAfter.empty();
  if (ours && trace_.verifyOurs) verifyPending(ir);
  running_.push_back({.name = namesPasses ? nameOf(type) : type.str(),
                      .before = trace_.printChanged ? textOf(ir) : std::string(),
                      .hash = verifies() && ours ? std::optional(hashOf(ir)) : std::nullopt,
                      .function = functionOf(ir),
                      .isOurs = ours});
  since_ = threadTime();
}

void PassTracer::end(const llvm::Any* ir, bool saysUnchanged) {
  addTime();
  const Running ended = std::move(running_.back());
  running_.pop_back();
  if (trace_.timePasses) times_.addRun(ended.name);
  if (ir) print(ended.name, *ir, ended.before);
  verifyChange(ended, ir, saysUnchanged);
  since_ = threadTime();
}

/// `ir`: nullptr if the pass has deleted what it worked on.
void PassTracer::verifyChange(const Running& ended, const llvm::Any* ir, bool saysUnchanged) {
  if (!verifies()) return;
  // Most passes change nothing: what was verified before them is not verified again.
  const bool mayHaveChanged = !saysUnchanged || !std::exchange(verified_, true);
  if (mayHaveChanged && !ended.isOurs && !trace_.verifyEach) {
    if (ended.function)
      changed_.insert(ended.function);
    else
      allChanged_ = true;
    changedBy_ = ended.name;
  } else if (mayHaveChanged && ir) {
    verify(ended.name, "", *ir);
  }
  if (ir && saysUnchanged && ended.hash && hashOf(*ir) != *ended.hash)
    llvm::report_fatal_error(llvm::Twine("pass '") + nameOf(ended.name) + "' changed " + unitOf(*ir) +
                                 " and told the pass manager that it did not",
                             false);
}

/// Verifies what a pass of ours begins with.
void PassTracer::verifyPending(const llvm::Any& ir) {
  const llvm::Function* function = functionOf(ir);
  if (function && !allChanged_) {
    if (changed_.erase(function)) verify(changedBy_, "or an earlier one", ir);
  } else if (const llvm::Module* module = function ? function->getParent() : unitAs<llvm::Module>(ir)) {
    finish(*module);
  }
}

void PassTracer::finish(const llvm::Module& module) {
  if (!std::exchange(allChanged_, false) && changed_.empty()) return;
  changed_.clear();
  verify(changedBy_, "or an earlier one", llvm::Any(&module));
}

/// The time since the last pass or analysis began or ended belongs to the innermost one that runs.
void PassTracer::addTime() {
  if (!trace_.timePasses) return;
  const auto now = threadTime();
  if (!running_.empty()) times_.add(running_.back().name, now - since_);
  since_ = now;
}

void PassTracer::verify(const std::string& pass, llvm::StringRef orOthers, const llvm::Any& ir) {
  std::string why;
  llvm::raw_string_ostream out(why);
  const auto* function = functionOf(ir);
  const auto* module = unitAs<llvm::Module>(ir);
  const bool isBroken = function ? llvm::verifyFunction(*function, &out) : module && llvm::verifyModule(*module, &out);
  if (isBroken)
    llvm::report_fatal_error(llvm::Twine("the IR of ") + unitOf(ir) + " is broken after pass '" + nameOf(pass) + "'" +
                                 (orOthers.empty() ? "" : " ") + orOthers + ": " + why,
                             false);
}

void PassTracer::print(const std::string& name, const llvm::Any& ir, const std::string& before) const {
  const bool asked = trace_.printAfterAll || llvm::is_contained(trace_.printAfter, name);
  if (!asked && !trace_.printChanged) return;
  const std::string text = textOf(ir);
  if (text.empty() || (!asked && text == before)) return;
  llvm::errs() << "; IR after " << name << ", " << unitOf(ir) << "\n" << moduleOf(ir) << "\n";
}

}  // namespace clarity::compiler
