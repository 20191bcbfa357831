// SPDX-License-Identifier: Apache-2.0
// This file runs LLVM's code generator.
#include "compiler/host/emit.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace clarity::compiler {

std::string emit(llvm::Module& module, llvm::TargetMachine& machine, EmitKind kind, std::string& error) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  const auto type = kind == EmitKind::Object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, out, nullptr, type, /*DisableVerify=*/true)) {
    error = "the code generator for " + machine.getTargetCPU().str() + " cannot write this kind of file";
    return {};
  }
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace clarity::compiler
