// SPDX-License-Identifier: Apache-2.0
// This file is the way of a module from bytes to portable IR.
#include "compiler/spirv/reader.h"

#include "compiler/frontend/allowed_ir.h"
#include "compiler/frontend/blocks.h"
#include "compiler/frontend/portable_ir.h"
#include "compiler/guard/context.h"
#include "compiler/spirv/module_reader.h"

#include <llvm/IR/Module.h>

namespace clarity::compiler::spirv {
namespace {

/// The language that kernels behave as: 3.0 unless the module says that it was compiled from an older one.
void takeLanguage(const Annotations& annotations, Options& options) {
  const int version = annotations.languageVersion();
  options.language = annotations.isCxx() ? Language::Cxx2021 : version == 0 ? Language::C30 : languageOfC(version);
}

}  // namespace

FrontendResult readSpirv(CollectingContext& context, const Source& source, Options& options) {
  FrontendResult result;
  std::string why;
  try {
    const Binary binary = parseBinary(source.bytes);
    const Annotations annotations(binary);
    auto module = ModuleReader(binary, annotations, source.specialization, context).read();
    why = wrongWithPortableIR(*module, false);
    if (why.empty()) why = makeKernelsOfBlocks(*module);
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
