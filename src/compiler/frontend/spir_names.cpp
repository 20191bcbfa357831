// SPDX-License-Identifier: Apache-2.0
// This file reads names.
#include "compiler/frontend/spir_names.h"

#include "compiler/ir/demangled_name.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DerivedTypes.h>

#include <regex>

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

/// "image2darray", the name of SPIR 1.2, as "image2d_array".
std::string withUnderscores(llvm::StringRef name) {
  std::string result = name.take_front(7).str();
  llvm::StringRef rest = name.drop_front(7);
  while (!rest.empty()) {
    if (rest.consume_front("_")) continue;
    const llvm::StringRef part = rest.starts_with("array")    ? "array"
                                 : rest.starts_with("buffer") ? "buffer"
                                 : rest.starts_with("msaa")   ? "msaa"
                                 : rest.starts_with("depth")  ? "depth"
                                                              : rest;
    result += "_" + part.str();
    rest = rest.drop_front(part.size());
  }
  return result;
}

/// "ocl_image2d" has no access in SPIR 1.2: functions that write take images to write.
std::string withAccess(llvm::StringRef image, llvm::StringRef function) {
  if (image.ends_with("_ro") || image.ends_with("_wo") || image.ends_with("_rw")) return image.str();
  const bool writes = function.contains("write_image");
  return fmt::format("ocl_{}_{}", withUnderscores(image.drop_front(4)), writes ? "wo" : "ro");
}

}  // namespace

llvm::Type* opaqueTypeOf(llvm::LLVMContext& context, llvm::StringRef name, llvm::StringRef access) {
  name.consume_front("__read_only ");
  name.consume_front("__write_only ");
  if (name == "sampler_t") return llvm::TargetExtType::get(context, "spirv.Sampler");
  if (name == "event_t") return llvm::TargetExtType::get(context, "spirv.Event");
  if (name == "pipe") return llvm::TargetExtType::get(context, "spirv.Pipe", {}, {accessOf(access)});
  if (!name.consume_front("image") || name.empty() || !llvm::isDigit(name.front()) || name.contains('*'))
    return nullptr;
  return imageType(context, name, accessOf(access));
}

std::string currentName(llvm::StringRef name) {
  if (!name.starts_with("_Z")) return name.str();
  static const std::regex qualifiers("P(V?K?)(U3AS[0-9])");
  std::string text = std::regex_replace(name.str(), qualifiers, "P$2$1");
  constexpr std::string_view image = "ocl_image";
  for (std::size_t at = text.find(image); at != std::string::npos; at = text.find(image, at + image.size())) {
    std::size_t digits = at;
    while (digits > 0 && llvm::isDigit(text[digits - 1])) --digits;
    unsigned length = 0;
    if (llvm::StringRef(text).substr(digits, at - digits).getAsInteger(10, length) || at + length > text.size()) break;
    const std::string whole = withAccess(llvm::StringRef(text).substr(at, length), name);
    const std::string component = fmt::format("{}{}", whole.size(), whole);
    text.replace(digits, at - digits + length, component);
    at = digits + component.size() - whole.size();
  }
  return text;
}

std::optional<BuiltinParameters> parametersOf(llvm::LLVMContext& context, llvm::StringRef currentName) {
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
    const std::string name = part == "sampler" || part == "event" ? part.str() + "_t" : part.str();
    parameters.types.push_back(isName ? opaqueTypeOf(context, name, access) : nullptr);
  }
  if (llvm::StringRef(text).starts_with("async_work_group_")) parameters.result = opaqueTypeOf(context, "event_t", {});
  return parameters;
}

}  // namespace clarity::compiler
