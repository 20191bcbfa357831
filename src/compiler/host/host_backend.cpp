// SPDX-License-Identifier: Apache-2.0
// This file is the host's back end: the pipeline for work-groups on a processor with vectors, LLVM's code generator, an
// ELF object.
#include "compiler/host/host_backend.h"

#include "compiler/frontend/options.h"
#include "compiler/guard/context.h"
#include "compiler/host/count_blocks.h"
#include "compiler/host/emit.h"
#include "compiler/host/host_code.h"
#include "compiler/host/machine.h"
#include "compiler/host/processor.h"
#include "compiler/host/traps.h"
#include "compiler/host/warm_up.h"
#include "compiler/pipeline/pipeline.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

constexpr const char* noMachine = "no code generator for this processor";

constexpr std::string_view elfMagic =
    "\x7f"
    "ELF";

/// The counter of cycles is the same on all cores.
void useOneClock(llvm::Module& module) {
  llvm::Function* const steady = llvm::Intrinsic::getDeclarationIfExists(&module, llvm::Intrinsic::readsteadycounter);
  if (!steady) return;
  steady->replaceAllUsesWith(llvm::Intrinsic::getOrInsertDeclaration(&module, llvm::Intrinsic::readcyclecounter));
  steady->eraseFromParent();
}

/// Whether a launch can compute with the facts: its divisors are not zero, and products of what memory it needs do not
/// overflow.
bool arePossible(const CodeFacts& facts) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  return std::ranges::all_of(facts.tile, [](std::uint32_t items) { return items > 0 && items <= largestWorkGroup; }) &&
         facts.spillBytesPerItem <= most && facts.chunkItems <= maxChunkItems && facts.interleavedGroups > 0 &&
         facts.interleavedGroups <= largestWorkGroup;
}

class HostBackEnd final : public BackEnd {
public:
  std::string_view name() const override { return hostBackEndName; }

  std::vector<std::string> macros(const Target& target) const override {
    // Section 6.15.2.1: where fma() is as quick as a multiplication and an addition.
    std::vector<std::string> result;
    if (hasFeature(target, "fma")) result = {"FP_FAST_FMAF=1", "FP_FAST_FMA=1"};
    if (hasFeature(target, "avx512fp16")) result.emplace_back("FP_FAST_FMA_HALF=1");
    return result;
  }

  /// 32-bit values of a vector.
  std::span<const std::uint32_t> subGroupSizes(const Target&) const override { return compiler::subGroupSizes; }
  std::uint32_t subGroupSize(const Target& target) const override {
    return std::clamp(target.vectorBits / 32, 4u, 16u);
  }

  Machine machine(const Target& target, bool optimise) const override { return machineFor(target, optimise); }

  VectorTarget vectors(const Target& target, const llvm::TargetMachine& machine) const override {
    return vectorTargetOf(target, machine);
  }

  void retarget(llvm::Module& module, const llvm::TargetMachine& machine, const Target& target) const override {
    compiler::retarget(module, machine, target);
    useOneClock(module);
    lowerTraps(module);
  }

  std::string remarks(const llvm::Module& module, const KernelInfo& kernel, const Options& options,
                      const Target& target) const override {
    return remarksOn(module, kernel, options, target);
  }

  void warmUp(const Target& target) const override { compiler::warmUp(target); }

  std::unique_ptr<DeviceCode> generate(const KernelToGenerate& work, std::string& error) const override {
    NativeFacts facts;
    std::string object = lower(work, NativeForm::Object, facts, error);
    if (object.empty()) return nullptr;
    auto code = std::make_unique<HostCode>();
    code->facts = facts;
    code->remarks = std::move(facts.remarks);
    code->object = std::move(object);
    return code;
  }

  std::string show(const KernelToGenerate& work, NativeForm form, std::string& error) const override {
    NativeFacts facts;
    return lower(work, form, facts, error);
  }

  std::string report(const KernelToGenerate& work) const override {
    const Machine machine = machineFor(work.target, !work.options.optDisable);
    return machine ? reportOn(work.module, work.kernel, work.shape, work.options, work.target, *machine) : noMachine;
  }

  std::shared_ptr<DeviceCode> read(std::string_view bytes) const override {
    auto code = std::make_shared<HostCode>();
    const bool isCode = code->take(bytes) && arePossible(code->facts) && code->object.starts_with(elfMagic);
    return isCode ? code : nullptr;
  }

private:
  static std::string lower(const KernelToGenerate& work, NativeForm form, NativeFacts& facts, std::string& error) {
    const Machine machine = machineFor(work.target, !work.options.optDisable);
    if (!machine) {
      error = noMachine;
      return {};
    }
    facts = toNativeIR(work.module, work.kernel, work.shape, work.options, work.target, *machine);
    if (!facts.error.empty()) {
      error = facts.error;
      return {};
    }
    if (work.shape.instrumentation == Instrumentation::Count) countBlocks(work.module);
    if (form == NativeForm::IR) {
      if (!work.options.debug && !work.options.debugInfo) llvm::StripDebugInfo(work.module);
      std::string text;
      llvm::raw_string_ostream out(text);
      work.module.print(out, nullptr);
      return text;
    }
    return emit(work.module, *machine,
                {.kind = form == NativeForm::Object ? EmitKind::Object : EmitKind::Assembly,
                 .effort = work.shape.quick ? Effort::Quick : Effort::Full,
                 .kernel = work.kernel.name,
                 .debugInfo = work.options.debugInfo,
                 .debugged = work.shape.instrumentation == Instrumentation::Debug},
                facts.frameBytes, error);
  }
};

}  // namespace

const BackEnd& hostBackEnd() {
  static const BackEnd& backEnd = *new HostBackEnd;  // threads may be compiling when the process ends
  return backEnd;
}

}  // namespace clarity::compiler
