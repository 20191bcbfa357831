// SPDX-License-Identifier: Apache-2.0
// This file takes a program binary: the compiled program's fields are checked, then its code is read, verified and
// compared with what the compiled program says of each kernel, on a guarded compile thread. A launch relies on both.
#include "compiler/driver/load.h"

#include "compiler/driver/cache.h"
#include "compiler/frontend/options.h"
#include "compiler/frontend/reserved_names.h"
#include "compiler/guard/context.h"
#include "compiler/guard/worker.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/image_descriptor.h"
#include "compiler/ir/primitives.h"
#include "compiler/passes/lower_local_memory.h"
#include "compiler/workarounds/attribute_indices.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// The module of some bitcode; null and a sentence in `wrong` if it is none or not valid.
std::unique_ptr<llvm::Module> verified(llvm::LLVMContext& context, const std::string& bitcode, const char* what,
                                       std::string& wrong) {
  if (namesParametersBeyondReason(bitcode)) {
    wrong = fmt::format("its {} has attributes of a parameter that no function has", what);
    return nullptr;
  }
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(llvm::StringRef(bitcode), what), context);
  if (!module) {
    wrong = fmt::format("its {} cannot be read: {}", what, llvm::toString(module.takeError()));
    return nullptr;
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  bool brokenDebugInfo = false;
  if (llvm::verifyModule(**module, &out, &brokenDebugInfo)) {
    std::ranges::replace(text, '\n', ' ');
    wrong = fmt::format("its {} is not valid: {}", what, text);
    return nullptr;
  }
  if (brokenDebugInfo) llvm::StripDebugInfo(**module);
  return std::move(*module);
}

/// The mistake in one argument: that it is not what the code takes in its place.
std::string wrongWith(const llvm::Argument& parameter, const KernelArg& arg, const llvm::DataLayout& layout) {
  const auto* pointer = llvm::dyn_cast<llvm::PointerType>(parameter.getType());
  llvm::Type* const structure = parameter.getParamByValType();
  const unsigned space = pointer ? pointer->getAddressSpace() : 0;
  switch (arg.kind) {
    case ArgKind::Buffer:
      return pointer && !structure && space != localAddressSpace ? "" : "kind is that of a buffer, the code takes none";
    case ArgKind::Local:
      return pointer && !structure && space == localAddressSpace ? ""
                                                                 : "kind is that of local memory, the code takes none";
    case ArgKind::Value: {
      // A structure is a pointer to the argument block, `byval` or as copy-byval-arguments leaves it.
      llvm::Type* const type = structure ? structure : parameter.getType();
      const std::uint64_t pointsTo = pointer && !structure && space == 0 ? parameter.getDereferenceableBytes() : 0;
      if (pointer && !structure && pointsTo == 0) return "kind is that of a value, the code takes a pointer";
      const std::uint64_t size = pointsTo          ? pointsTo
                                 : type->isSized() ? layout.getTypeAllocSize(type).getKnownMinValue()
                                                   : 0;
      return size == arg.size ? "" : fmt::format("size is {}, the code takes {} bytes", arg.size, size);
    }
    case ArgKind::Image:
      return pointer && !structure && space == constantAddressSpace && arg.size == sizeof(ImageDescriptor)
                 ? ""
                 : "kind is that of an image, the code takes none";
    case ArgKind::Sampler:
      return parameter.getType()->isIntegerTy(64) ? "" : "kind is that of a sampler, the code takes none";
    case ArgKind::Queue:
      return parameter.getType()->isIntegerTy(64) ? "" : "kind is that of a command-queue, the code takes none";
    case ArgKind::Pipe:
      return pointer && !structure && space == globalAddressSpace ? "" : "kind is that of a pipe, the code takes none";
  }
  return {};
}

/// Facts of the code that the compiled program does not say of the kernel.
std::string wrongWithFacts(llvm::Function& function, const KernelInfo& kernel) {
  const std::string subGroup = function.getFnAttribute(subGroupSizeAttribute).getValueAsString().str();
  if (!subGroup.empty() && subGroup != std::to_string(kernel.subGroupSize))
    return fmt::format("subGroupSize is {}, the code is for {}", kernel.subGroupSize, subGroup);
  const std::uint64_t local = localBytesOf(function);
  if (local > kernel.localBytes) return fmt::format("localBytes is {}, the code uses {}", kernel.localBytes, local);
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto primitive = primitiveOf(instruction);
    if (!primitive) continue;
    switch (*primitive) {
      case Primitive::WorkGroupCollective:
      case Primitive::Barrier:
        if (!kernel.hasBarrier) return "hasBarrier is no, the code has barriers";
        break;
      case Primitive::PrintfSink:
        if (!kernel.usesPrintf) return "usesPrintf is no, the code prints";
        break;
      case Primitive::Parent:
        if (!kernel.enqueues) return "enqueues is no, the code enqueues kernels";
        break;
      case Primitive::SubGroup:
        if (!kernel.usesSubGroups) return "usesSubGroups is no, the code uses them";
        break;
      case Primitive::NumGroups:
      case Primitive::LocalId:
      case Primitive::GroupId:
      case Primitive::LocalSize:
      case Primitive::EnqueuedLocalSize:
        if (kernel.groupAgnostic) return "groupAgnostic is yes, the code asks for its work-group";
        break;
      default: break;
    }
  }
  return {};
}

std::string wrongWithKernel(llvm::Module& module, const KernelInfo& kernel) {
  const std::string where = fmt::format("kernel '{}'", kernel.name);
  llvm::Function* const function = module.getFunction(kernel.name);
  if (!function || function->isDeclaration()) return where + " is not in the code";
  if (!function->getReturnType()->isVoidTy() || function->isVarArg())
    return where + ": its function returns a value or has variable arguments";
  if (function->arg_size() != kernel.args.size())
    return fmt::format("{}: {} arguments are described, its function has {}", where, kernel.args.size(),
                       function->arg_size());
  for (unsigned i = 0; i < kernel.args.size(); ++i)
    if (const std::string wrong = wrongWith(*function->getArg(i), kernel.args[i], module.getDataLayout());
        !wrong.empty())
      return fmt::format("{}, argument {}: {}", where, i, wrong);
  const std::string wrong = wrongWithFacts(*function, kernel);
  return wrong.empty() ? wrong : where + ": " + wrong;
}

std::string wrongWithVariables(const llvm::Module& module, const GlobalVariables& variables) {
  for (const llvm::GlobalVariable& variable : module.globals()) {
    const bool isOfProgram =
        variable.getAddressSpace() == globalAddressSpace && !variable.getName().starts_with("llvm.");
    if (!isOfProgram || variable.use_empty()) continue;
    const GlobalVariables::Variable* const found = variables.find(std::string_view(variable.getName()));
    if (!found) return fmt::format("variable '{}' of the code is not described", std::string_view(variable.getName()));
    const llvm::TypeSize bytes = module.getDataLayout().getTypeAllocSize(variable.getValueType());
    if (bytes.getKnownMinValue() > found->bytes)
      return fmt::format("variable '{}': bytes is {}, the code uses {}", found->symbol, found->bytes,
                         bytes.getKnownMinValue());
  }
  return {};
}

/// The mistake in the code of a compiled program, or nothing.
std::string wrongWithCode(const CompiledProgram& compiled) {
  if (const auto options = parseOptions(compiled.options, OptionsFor::Any); !options)
    return fmt::format("its options '{}' are not understood: {}", compiled.options, options.error());
  CollectingContext context;
  std::string wrong;
  const auto module = verified(context, compiled.bitcode, "code", wrong);
  if (!module) return wrong;
  if (!compiled.portableIR.empty()) {
    const auto portable = verified(context, compiled.portableIR, "portable IR", wrong);
    if (!portable) return wrong;
    if (wrong = reservedNameIn(*portable); !wrong.empty()) return wrong;
  }
  if (compiled.kind != BinaryType::Executable) return reservedNameIn(*module);  // the linker checks types
  for (const KernelInfo& kernel : compiled.kernels)
    if (wrong = wrongWithKernel(*module, kernel); !wrong.empty()) return wrong;
  if (compiled.scope.constructors)
    if (wrong = wrongWithKernel(*module, *compiled.scope.constructors); !wrong.empty()) return wrong;
  return wrongWithVariables(*module, compiled.scope.variables);
}

}  // namespace

std::shared_ptr<const CompiledProgram> load(std::span<const std::byte> bytes, const Target& target, std::string& why) {
  std::shared_ptr<const CompiledProgram> compiled = deserialise(bytes, target, why);
  if (!compiled) return nullptr;
  // A binary that has been checked is kept as a whole: what is compared is not its hash, which others may match.
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  support::Hasher hasher = cacheKey("checked binary", target);
  const support::Hash128 key = hasher.add(text).finish();
  if (const auto checked = cache().get(key); checked && *checked == text) return compiled;
  Status status = Status::Ok;
  const auto wrong = makeGuarded<std::string>([&](std::string& text) { text = wrongWithCode(*compiled); }, status, why);
  if (wrong && wrong->empty()) {
    cache().put(key, text);
    return compiled;
  }
  why = fmt::format("the binary is damaged: {}", wrong ? *wrong : "LLVM cannot read its code: " + why);
  while (why.ends_with('\n') || why.ends_with(' ')) why.pop_back();
  return nullptr;
}

}  // namespace clarity::compiler
