// SPDX-License-Identifier: Apache-2.0
// This file runs LLVM's code generator.
#include "compiler/host/emit.h"

#include "compiler/guard/check_limits_pass.h"
#include "compiler/guard/limits.h"
#include "compiler/host/debug_info.h"
#include "compiler/host/debug_variables.h"
#include "compiler/host/frames.h"
#include "compiler/host/line_table.h"
#include "compiler/ir/cost_model.h"
#include "compiler/pipeline/budget.h"
#include "compiler/pipeline/pass_times.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/pipeline/trace_request.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/CodeGen/AsmPrinter.h>
#include <llvm/CodeGen/AsmPrinterHandler.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Pass.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

namespace clarity::compiler {
namespace {

/// The times of the code generator's passes, each up to the beginning of the next.
class CodeTimes {
public:
  void begin(const std::string& pass) {
    const auto now = threadTime();
    if (!running_.empty()) {
      times_.add(running_, now - since_);
      times_.addRun(running_);
    }
    running_ = pass;
    since_ = now;
  }
  void print() {
    begin({});
    times_.print("the code generator");
  }

private:
  PassTimes times_;
  std::string running_;
  std::chrono::nanoseconds since_{};
};

/// The passes of the code generator as LLVM lists them, and what is different here. LLVM has no other way to reach
/// them.
class CodePasses final : public llvm::legacy::PassManager {
public:
  CodePasses(llvm::Module& module, const EmitOptions& options, const std::string& entry, CodeTimes* times)
      : options_(options),
        entry_(entry),
        isQuick_(options.effort == Effort::Quick),
        largest_(module),
        reducesLoops_(loopsTimesInstructions(module) <= cost::budget::mostLoopsReduced),
        times_(times) {}

  void add(llvm::Pass* pass) override {
    const llvm::StringRef name = pass->getPassName();
    if (isTooSlow(name) || name == notForKernels || (isQuick_ && llvm::is_contained(notForQuickCode, name))) {
      delete pass;
      return;
    }
    if (times_)
      llvm::legacy::PassManager::add(makeCheckLimitsPass([times = times_, name] { times->begin(name.str()); }));
    else if (pass->getPassKind() == llvm::PT_Function && functionPasses_++ % passesBetweenChecks == 0)
      llvm::legacy::PassManager::add(makeCheckLimitsPass());
    if (name.ends_with("Assembly Printer")) addHandlers(static_cast<llvm::AsmPrinter&>(*pass));
    llvm::legacy::PassManager::add(pass);
  }

private:
  /// To schedule a pass takes LLVM as long as many passes take for a small kernel.
  static constexpr unsigned passesBetweenChecks = 8;

  /// For counters that are frozen in a loop: those of nests and packets never are.
  static constexpr llvm::StringLiteral notForKernels = "Canonicalize Freeze Instructions in Loops";

  /// A third of the code generator's time for code of one packet (a matrix product).
  static constexpr llvm::StringLiteral notForQuickCode[] = {
      "Loop Strength Reduction",
      "Constant Hoisting",
      "Early Machine Loop Invariant Code Motion",
      "Machine Common Subexpression Elimination",
      "Early If-Conversion",
      "Machine InstCombiner",
      "Machine Instruction Scheduler",
      "Post RA top-down list latency scheduler",
      "X86 Execution Dependency Fix",
  };

  void addHandlers(llvm::AsmPrinter& printer) const {
    if (options_.kind == EmitKind::Object)
      printer.addAsmPrinterHandler(
          lineTableWriter(printer, entry_.c_str(), options_.debugInfo ? TableOf::All : TableOf::Faults));
    else if (options_.debugInfo)
      printer.addAsmPrinterHandler(placeComments(printer));
  }

  /// Passes that code does without where their time would grow faster than the code.
  bool isTooSlow(llvm::StringRef pass) const {
    if (pass == "CodeGen Prepare") return largest_.instructions > cost::budget::mostOfPreparedBlock;
    if (pass == "Loop Strength Reduction") return !reducesLoops_;
    if (pass == "Machine Instruction Scheduler" || pass == "Post RA top-down list latency scheduler")
      return largest_.memoryAccesses > cost::budget::mostAccessesScheduled;
    return false;
  }

  const EmitOptions& options_;
  const std::string& entry_;
  const bool isQuick_;
  const LargestBlock largest_;
  const bool reducesLoops_;
  CodeTimes* const times_;
  unsigned functionPasses_ = 0;
};

/// Gives the entry the kernel's name, and returns it. A function that keeps that name is another kernel's.
std::string nameEntry(llvm::Module& module, std::string_view kernel) {
  llvm::Function* const entry = module.getFunction(entrySymbol);
  const std::string name = entrySymbolOf(kernel, entrySymbol);
  if (!entry || name == entrySymbol) return entrySymbol;
  if (llvm::GlobalValue* const other = module.getNamedValue(name)) other->setName(name + ".called");
  entry->setName(name);
  return name;
}

}  // namespace

std::string emit(llvm::Module& module, llvm::TargetMachine& machine, const EmitOptions& options,
                 std::uint64_t& frameBytes, std::string& error) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  std::optional<CodeTimes> times;
  if (passesAreTimed()) times.emplace();
  const std::string entry = options.debugged ? entrySymbol : nameEntry(module, options.kernel);
  CodePasses passes(module, options, entry, times ? &*times : nullptr);
  const bool isObject = options.kind == EmitKind::Object;
  const auto type = isObject ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  // Without compile units LLVM emits no tables of its own, whatever the program was compiled with.
  if (llvm::NamedMDNode* units = module.getNamedMetadata("llvm.dbg.cu")) module.eraseNamedMetadata(units);
  if (options.debugged)
    describeVariables(module);
  else if (options.debugInfo)
    describeLines(module, entry, options.kernel, isObject);
  if (machine.addPassesToEmitFile(passes, out, nullptr, type, /*DisableVerify=*/true)) {
    error = "the code generator for " + machine.getTargetCPU().str() + " cannot write this kind of file";
    return {};
  }
  const Frames frames(module);
  checkLimits();
  passes.run(module);
  if (times) times->print();
  frameBytes = frames.deepest();
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace clarity::compiler
