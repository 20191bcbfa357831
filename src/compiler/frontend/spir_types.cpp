// SPDX-License-Identifier: Apache-2.0
// This file makes types of names.
#include "compiler/frontend/spir_types.h"

#include "compiler/ir/demangled_name.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DerivedTypes.h>

namespace clarity::compiler {
namespace {

llvm::Type* imageType(llvm::LLVMContext& context, llvm::StringRef name, unsigned access) {
  const unsigned dimension = name.starts_with("1d")   ? (name.contains("buffer") ? 5 : 0)
                             : name.starts_with("3d") ? 2
                                                      : 1;
  return llvm::TargetExtType::get(
      context, "spirv.Image", {llvm::Type::getVoidTy(context)},
      {dimension, name.contains("depth"), name.contains("array"), name.contains("msaa"), 0, 0, access});
}

unsigned accessOf(llvm::StringRef access) {
  return access.contains("read_write") ? 2 : access.contains("write_only") ? 1 : 0;
}

}  // namespace

llvm::Type* opaqueTypeOf(llvm::LLVMContext& context, llvm::StringRef name, llvm::StringRef access) {
  name.consume_front("__read_only ");
  name.consume_front("__write_only ");
  if (name == "sampler_t") return llvm::TargetExtType::get(context, "spirv.Sampler");
  if (name == "event_t") return llvm::TargetExtType::get(context, "spirv.Event");
  if (name == "queue_t") return llvm::TargetExtType::get(context, "spirv.Queue");
  if (name == "clk_event_t") return llvm::TargetExtType::get(context, "spirv.DeviceEvent");
  if (name == "pipe") return llvm::TargetExtType::get(context, "spirv.Pipe", {}, {accessOf(access)});
  if (!name.consume_front("image") || name.empty() || !llvm::isDigit(name.front()) || name.contains('*'))
    return nullptr;
  return imageType(context, name, accessOf(access));
}

std::optional<BuiltinParameters> parametersOf(llvm::LLVMContext& context, llvm::StringRef currentName,
                                              std::size_t count) {
  if (currentName.starts_with("__enqueue_kernel_")) {  // clang's own, whose name says nothing of parameters
    BuiltinParameters parameters;
    parameters.types.assign(count, nullptr);
    if (count > 0) parameters.types.front() = opaqueTypeOf(context, "queue_t", {});
    return parameters;
  }
  if (!currentName.starts_with("_Z")) return std::nullopt;
  const std::string text = demangledName(currentName);
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close <= open) return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 6> parts;
  llvm::StringRef(text).slice(open + 1, close).split(parts, ", ", -1, false);
  BuiltinParameters parameters;
  for (llvm::StringRef part : parts) {
    const bool isName = part.consume_front("ocl_") && !part.contains(' ') && !part.contains('*');
    const llvm::StringRef access = part.ends_with("_wo")   ? "write_only"
                                   : part.ends_with("_rw") ? "read_write"
                                                           : "read_only";
    const bool isShort = part == "sampler" || part == "event" || part == "queue";
    const std::string name = part == "clkevent" ? "clk_event_t" : isShort ? part.str() + "_t" : part.str();
    parameters.types.push_back(isName ? opaqueTypeOf(context, name, access) : nullptr);
  }
  if (llvm::StringRef(text).starts_with("async_work_group_")) parameters.result = opaqueTypeOf(context, "event_t", {});
  if (text == "get_default_queue()") parameters.result = opaqueTypeOf(context, "queue_t", {});
  if (text == "create_user_event()") parameters.result = opaqueTypeOf(context, "clk_event_t", {});
  return parameters;
}

}  // namespace clarity::compiler
