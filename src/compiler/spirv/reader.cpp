// SPDX-License-Identifier: Apache-2.0
// This file is the way of a module from bytes to portable IR.
#include "compiler/spirv/reader.h"

#include "compiler/frontend/allowed_ir.h"
#include "compiler/frontend/portable_ir.h"
#include "compiler/guard/context.h"
#include "compiler/spirv/module_reader.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace clarity::compiler::spirv {
namespace {

/// The language that kernels behave as: 3.0 unless the module says that it was compiled from an older one.
void takeLanguage(const Annotations& annotations, Options& options) {
  const int version = annotations.languageVersion();
  options.language = annotations.isCxx()              ? Language::Cxx2021
                     : version == 0 || version >= 300 ? Language::C30
                     : version >= 200                 ? Language::C20
                     : version >= 120                 ? Language::C12
                     : version >= 110                 ? Language::C11
                                                      : Language::C10;
}

/// The verifier's complaint about the IR that was made of a module; empty if there is none.
std::string wrongWith(llvm::Module& module) {
  std::string why;
  llvm::raw_string_ostream text(why);
  bool brokenDebugInfo = false;
  if (llvm::verifyModule(module, &text, &brokenDebugInfo)) {
    while (why.ends_with('\n')) why.pop_back();
    std::ranges::replace(why, '\n', ' ');
    return why;
  }
  if (brokenDebugInfo) llvm::StripDebugInfo(module);
  return wrongWithPortableIR(module, false);
}

}  // namespace

FrontendResult readSpirv(CollectingContext& context, const Source& source, Options& options) {
  FrontendResult result;
  std::string why;
  try {
    const Binary binary = parseBinary(source.bytes);
    const Annotations annotations(binary);
    auto module = ModuleReader(binary, annotations, source.specialization, context).read();
    why = wrongWith(*module);
    if (why.empty()) {
      takeLanguage(annotations, options);
      dropForeignAttributes(*module);
      result.module = std::move(module);
      return result;
    }
  } catch (const Refusal& refusal) {
    why = refusal.text;
  }
  result.status = Status::CompileFailure;
  result.log = fmt::format("error: this module of SPIR-V cannot be used: {}\n", why);
  return result;
}

}  // namespace clarity::compiler::spirv
