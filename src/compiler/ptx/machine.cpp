// SPDX-License-Identifier: Apache-2.0
// This file registers LLVM's target for NVIDIA GPUs.
#include "compiler/ptx/machine.h"

#include "compiler/nvptx/capability.h"
#include "support/background.h"
#include "support/process_end.h"

#include <fmt/format.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>

namespace clarity::compiler::nvptx {
namespace {

/// The first version of PTX, ten times, with more than `mostParameterBytes` of parameters, which descriptors of images
/// may need.
constexpr unsigned versionOfLongParameters = 81;

/// Makes what the code generator makes at first use and a shared LLVM destroys when the process ends, ahead of the
/// handler that waits for threads which generate code.
void makeStaticObjects(llvm::TargetMachine& machine) {
  llvm::LLVMContext context;
  llvm::Module module("nothing", context);
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  auto* function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                          llvm::GlobalValue::ExternalLinkage, "nothing", module);
  llvm::ReturnInst::Create(context, llvm::BasicBlock::Create(context, "", function));
  llvm::legacy::PassManager passes;
  llvm::raw_null_ostream nowhere;
  if (!machine.addPassesToEmitFile(passes, nowhere, nullptr, llvm::CodeGenFileType::AssemblyFile)) passes.run(module);
  support::waitBeforeObjectsGo();
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> gpuMachine(const Target& target, bool optimise, bool longParameters) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target* known = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!known) return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  const unsigned version = std::max(ptxVersion(capabilityOf(target)), longParameters ? versionOfLongParameters : 0u);
  const auto make = [&] {
    return std::unique_ptr<llvm::TargetMachine>(known->createTargetMachine(
        triple, target.cpu, fmt::format("+ptx{}", version), options, llvm::Reloc::PIC_, std::nullopt,
        optimise ? llvm::CodeGenOptLevel::Aggressive : llvm::CodeGenOptLevel::None, /*JIT=*/true));
  };
  static std::once_flag made;
  if (!support::staticObjectsArePermanent) std::call_once(made, [&] { makeStaticObjects(*make()); });
  return make();
}

}  // namespace clarity::compiler::nvptx
