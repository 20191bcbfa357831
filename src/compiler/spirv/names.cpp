// SPDX-License-Identifier: Apache-2.0
// This file names functions and variables.
#include "compiler/spirv/names.h"

#include "builtins/builtins.h"
#include "compiler/ir/program_functions.h"

#include <llvm/Support/MathExtras.h>

namespace clarity::compiler::spirv {

std::string privateName(std::string_view name, std::uint32_t id) {
  return name.empty() ? fmt::format("{}{}", programPrefix, id) : fmt::format("{}{}", programPrefix, name);
}

std::string linkedName(const Linkage& linkage, bool isDefined) {
  const bool isBuiltins = linkage.name == "printf" || builtins::hasName(linkage.name);
  return isDefined && isBuiltins ? programPrefix + linkage.name : linkage.name;
}

llvm::GlobalValue::LinkageTypes linkageOf(const Linkage* linkage) {
  if (!linkage) return llvm::GlobalValue::InternalLinkage;
  return linkage->type == LinkageType::LinkOnceODR ? llvm::GlobalValue::LinkOnceODRLinkage
                                                   : llvm::GlobalValue::ExternalLinkage;
}

llvm::Align alignmentOf(std::uint32_t bytes, const Instruction& user) {
  constexpr std::uint32_t signed128 = 0xFFFFFF80;  // LLVM's target writes the alignment of variables as signed bytes
  if (bytes == signed128) bytes = 128;
  require(llvm::isPowerOf2_32(bytes) && bytes <= 1u << 29, user, "the alignment {} is not a power of two below 2^30",
          bytes);
  return llvm::Align(bytes);
}

}  // namespace clarity::compiler::spirv
