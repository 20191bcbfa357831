// SPDX-License-Identifier: Apache-2.0
// This file checks portable IR that another front end emitted. LLVM's verifier rejects invalid IR; this file rejects
// valid IR that no kernel may contain, as the passes rely on its absence.
#include "compiler/frontend/portable_ir.h"
#include "compiler/ir/demangled_name.h"

#include "compiler/frontend/allowed_ir.h"
#include "compiler/frontend/blocks.h"
#include "compiler/frontend/reserved_names.h"
#include "compiler/frontend/spir_modules.h"
#include "compiler/guard/context.h"
#include "compiler/ir/source.h"
#include "compiler/ir/spirv_facts.h"
#include "compiler/workarounds/attribute_indices.h"

#include <fmt/format.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/BinaryFormat/Magic.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

constexpr const char* portableTriple = "spir64-unknown-unknown";
/// The first line of LLVM IR as text; no program in OpenCL C begins with it.
constexpr std::string_view textBeginning = "; ModuleID = ";

bool isBitcode(llvm::StringRef bytes) { return llvm::identify_magic(bytes) == llvm::file_magic::bitcode; }

std::unique_ptr<llvm::Module> parse(CollectingContext& context, llvm::StringRef bytes, std::string& why) {
  if (isBitcode(bytes)) {
    if (namesParametersBeyondReason(bytes)) {
      why = "it has attributes of a parameter that no function has";
      return nullptr;
    }
    auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "program"), context);
    if (module) return std::move(*module);
    why = llvm::toString(module.takeError());
    return nullptr;
  }
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(bytes, diagnostic, context);
  if (!module) why = fmt::format("line {}: {}", diagnostic.getLineNo(), diagnostic.getMessage().str());
  return module;
}

/// The layout of values, without "n8:16:32:64": which integers a processor has is the back end's knowledge, and clang
/// leaves it out.
std::string layoutOf(llvm::StringRef layout) {
  llvm::SmallVector<llvm::StringRef, 24> parts;
  layout.split(parts, '-');
  llvm::erase_if(parts, [](llvm::StringRef part) { return part.starts_with("n"); });
  return llvm::join(parts, "-");
}

std::string wrongWithFunction(const llvm::Function& function, bool takesAssembly) {
  const std::string name = demangledName(function.getName());
  if (const std::string wrong = forbiddenIn(function); !wrong.empty())
    return fmt::format("function '{}' uses {}", name, wrong);
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && call->isInlineAsm() && !takesAssembly)
      return fmt::format("function '{}' contains inline assembly", name);
    if (const std::string wrong = forbiddenIn(instruction); !wrong.empty())
      return fmt::format("function '{}' uses {}", name, wrong);
  }
  return {};
}

std::string recursionIn(llvm::Module& module) {
  llvm::CallGraph calls(module);
  for (auto circle = llvm::scc_begin(&calls); !circle.isAtEnd(); ++circle) {
    if (!circle.hasCycle()) continue;
    for (const llvm::CallGraphNode* node : *circle)
      if (const llvm::Function* function = node->getFunction())
        return fmt::format("recursion is not supported in OpenCL C: function '{}' calls itself",
                           demangledName(function->getName()));
  }
  return {};
}

/// The verifier writes the value that it means on a line of its own.
std::string onOneLine(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// "opencl.ocl.version" is !{i32 3, i32 0}: 300.
int versionIn(const llvm::Module& module, llvm::StringRef name) {
  const llvm::NamedMDNode* node = module.getNamedMetadata(name);
  if (!node || node->getNumOperands() == 0 || node->getOperand(0)->getNumOperands() < 2) return 0;
  constexpr std::uint64_t most = 1000;
  const auto number = [&](unsigned index) -> int {
    const auto* constant =
        llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node->getOperand(0)->getOperand(index));
    return constant ? static_cast<int>(constant->getLimitedValue(most)) : 0;
  };
  return 100 * number(0) + 10 * number(1);
}

void takeLanguage(const llvm::Module& module, Options& options) {
  if (const int version = versionIn(module, "opencl.cxx.version"))
    options.language = version >= 202100 ? Language::Cxx2021 : Language::Cxx10;
  else if (const int c = versionIn(module, "opencl.ocl.version"))
    options.language = languageOfC(c);
  if (options.language == Language::Cxx10) return;  // clang gives its kernels the attribute whatever the options say
  for (const llvm::Function& function : module)
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
      options.uniformWorkGroupSize |= function.getFnAttribute("uniform-work-group-size").getValueAsBool();
}

}  // namespace

Source::Kind kindOfSource(std::string_view bytes, std::string_view fileName) {
  if (beginsLikeSpirv(bytes) || fileName.ends_with(".spv")) return Source::Kind::Spirv;
  const bool isIR = isBitcode(llvm::StringRef(bytes)) || bytes.starts_with(textBeginning);
  if (isIR || fileName.ends_with(".ll") || fileName.ends_with(".bc")) return Source::Kind::PortableIR;
  return fileName.ends_with(".clcpp") ? Source::Kind::CxxForOpenCL : Source::Kind::OpenCLC;
}

std::string invalidIR(const llvm::Module& module) {
  std::string why;
  llvm::raw_string_ostream text(why);
  bool brokenDebugInfo = false;  // not an error
  return llvm::verifyModule(module, &text, &brokenDebugInfo) ? "invalid IR: " + onOneLine(std::move(why)) : "";
}

std::string wrongWithPortableIR(llvm::Module& module, bool takesAssembly) {
  std::string why;
  llvm::raw_string_ostream text(why);
  bool brokenDebugInfo = false;
  if (llvm::verifyModule(module, &text, &brokenDebugInfo)) return onOneLine(std::move(why));
  if (brokenDebugInfo) llvm::StripDebugInfo(module);
  const llvm::Triple& triple = module.getTargetTriple();
  if (triple.getArch() != llvm::Triple::spir64)
    return fmt::format("its target is '{}', not {}", triple.str(), portableTriple);
  const std::string layout = layoutOf(llvm::Triple(portableTriple).computeDataLayout());
  if (layoutOf(module.getDataLayoutStr()) != layout)
    return fmt::format("its data layout is '{}', not that of {}, '{}'", module.getDataLayoutStr(), portableTriple,
                       layout);
  if (const std::string wrong = forbiddenIn(module); !wrong.empty()) return "it contains " + wrong;
  if (std::string reserved = reservedNameIn(module); !reserved.empty()) return reserved;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.isThreadLocal() || !isAllowed(*variable.getType()))
      return fmt::format("variable '{}' is in an address space that OpenCL does not have",
                         demangledName(variable.getName()));
  for (const llvm::Function& function : module)
    if (const std::string wrong = wrongWithFunction(function, takesAssembly); !wrong.empty()) return wrong;
  for (const llvm::Function& function : module)
    if (isBlock(function) && !isWellFormedBlock(function))
      return fmt::format("kernel '{}' is marked as a block and is none", demangledName(function.getName()));
  return recursionIn(module);
}

FrontendResult readPortableIR(CollectingContext& context, std::string_view bytes, Options& options,
                              bool takesAssembly) {
  FrontendResult result;
  std::string why;
  std::unique_ptr<llvm::Module> module = parse(context, llvm::StringRef(bytes), why);
  if (module) {
    upgradeSpir(*module);
    why = wrongWithPortableIR(*module, takesAssembly);
    if (why.empty()) why = makeKernelsOfBlocks(*module);
  }
  why = onOneLine(std::move(why));
  if (why.empty()) {
    takeLanguage(*module, options);
    dropForeignAttributes(*module);
    for (llvm::Function& function : *module) dropMarks(function);
    result.module = std::move(module);
    return result;
  }
  result.status = Status::CompileFailure;
  result.log = fmt::format("error: this is not valid portable IR: {}\n", why);
  return result;
}

}  // namespace clarity::compiler
