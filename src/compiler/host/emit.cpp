// SPDX-License-Identifier: Apache-2.0
// This file runs LLVM's code generator.
#include "compiler/host/emit.h"

#include "compiler/cost_model.h"
#include "compiler/host/frames.h"
#include "compiler/host/line_table.h"
#include "compiler/limits.h"
#include "compiler/pipeline.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/CodeGen/AsmPrinter.h>
#include <llvm/CodeGen/AsmPrinterHandler.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Pass.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

constexpr std::size_t mostOfPreparedBlock = cost::budget::mostOfPreparedBlock;

/// Ends the compile between two passes of the code generator when it has taken more than it may.
class CheckLimits final : public llvm::FunctionPass {
public:
  CheckLimits() : FunctionPass(identity) {}
  llvm::StringRef getPassName() const override { return "Check limits"; }
  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override { usage.setPreservesAll(); }
  bool runOnFunction(llvm::Function&) override {
    checkLimits();
    return false;
  }

private:
  static inline char identity = 0;
};

/// Instructions of the largest block.
std::size_t largestBlock(const llvm::Module& module) {
  std::size_t largest = 0;
  for (const llvm::Function& function : module)
    for (const llvm::BasicBlock& block : function) largest = std::max(largest, block.size());
  return largest;
}

/// The passes of the code generator as LLVM lists them, and what is different here. LLVM has no other way to reach
/// them.
class CodePasses final : public llvm::legacy::PassManager {
public:
  CodePasses(const llvm::Module& module, EmitKind kind)
      : writesLines_(kind == EmitKind::Object), preparesBlocks_(largestBlock(module) <= mostOfPreparedBlock) {}

  void add(llvm::Pass* pass) override {
    if (!preparesBlocks_ && pass->getPassName() == "CodeGen Prepare") {
      delete pass;
      return;
    }
    if (pass->getPassKind() == llvm::PT_Function) llvm::legacy::PassManager::add(new CheckLimits);
    if (writesLines_ && pass->getPassName().ends_with("Assembly Printer")) {
      auto& printer = static_cast<llvm::AsmPrinter&>(*pass);
      printer.addAsmPrinterHandler(lineTableWriter(printer, entrySymbol));
    }
    llvm::legacy::PassManager::add(pass);
  }

private:
  const bool writesLines_, preparesBlocks_;
};

}  // namespace

std::string emit(llvm::Module& module, llvm::TargetMachine& machine, EmitKind kind, std::uint64_t& frameBytes,
                 std::string& error) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  CodePasses passes(module, kind);
  const auto type = kind == EmitKind::Object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  // Without compile units LLVM emits no tables of its own, whatever the program was compiled with.
  if (llvm::NamedMDNode* units = module.getNamedMetadata("llvm.dbg.cu")) module.eraseNamedMetadata(units);
  if (machine.addPassesToEmitFile(passes, out, nullptr, type, /*DisableVerify=*/true)) {
    error = "the code generator for " + machine.getTargetCPU().str() + " cannot write this kind of file";
    return {};
  }
  const Frames frames(module);
  checkLimits();
  passes.run(module);
  frameBytes = frames.deepest();
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace clarity::compiler
