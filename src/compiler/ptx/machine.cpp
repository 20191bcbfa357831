// SPDX-License-Identifier: Apache-2.0
// This file registers LLVM's target for NVIDIA GPUs.
#include "compiler/ptx/machine.h"

#include "compiler/nvptx/capability.h"

#include <fmt/format.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>

namespace clarity::compiler::nvptx {
namespace {

/// The first version of PTX, ten times, with more than `mostParameterBytes` of parameters, which descriptors of images
/// may need.
constexpr unsigned versionOfLongParameters = 81;

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
  return std::unique_ptr<llvm::TargetMachine>(known->createTargetMachine(
      triple, target.cpu, fmt::format("+ptx{}", version), options, llvm::Reloc::PIC_, std::nullopt,
      optimise ? llvm::CodeGenOptLevel::Aggressive : llvm::CodeGenOptLevel::None, /*JIT=*/true));
}

}  // namespace clarity::compiler::nvptx
