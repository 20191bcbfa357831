// SPDX-License-Identifier: Apache-2.0
// This file runs LLVM's code generator.
#include "compiler/host/emit.h"

#include "compiler/host/frames.h"
#include "compiler/host/line_table.h"
#include "compiler/limits.h"
#include "compiler/pipeline.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/CodeGen/AsmPrinter.h>
#include <llvm/CodeGen/AsmPrinterHandler.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace clarity::compiler {
namespace {

/// Passes that write an object with a line table. LLVM has no other way to reach the printer of addPassesToEmitFile.
class ObjectPasses final : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass* pass) override {
    if (pass->getPassName().ends_with("Assembly Printer")) {
      auto& printer = static_cast<llvm::AsmPrinter&>(*pass);
      printer.addAsmPrinterHandler(lineTableWriter(printer, entrySymbol));
    }
    llvm::legacy::PassManager::add(pass);
  }
};

}  // namespace

std::string emit(llvm::Module& module, llvm::TargetMachine& machine, EmitKind kind, std::uint64_t& frameBytes,
                 std::string& error) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  ObjectPasses withLines;
  llvm::legacy::PassManager plain;
  llvm::legacy::PassManager& passes = kind == EmitKind::Object ? withLines : plain;
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
