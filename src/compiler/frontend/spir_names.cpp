// SPDX-License-Identifier: Apache-2.0
// This file rewrites names.
#include "compiler/frontend/spir_names.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <iterator>
#include <optional>

namespace clarity::compiler {
namespace {

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

/// The index of a substitution: S_ is 0, S0_ is 1, SA_ is 11; nothing if it is none that a function of images has.
std::optional<unsigned> substitutionAt(llvm::StringRef text) {
  if (!text.consume_front("S")) return std::nullopt;
  if (text.starts_with("_")) return 0;
  unsigned index = 0;
  const bool isNumber = text.size() >= 2 && text[1] == '_' && !text.take_front(1).getAsInteger(36, index);
  return isNumber ? std::optional(index + 1) : std::nullopt;
}

std::string substitution(unsigned index) {
  return index == 0 ? "S_" : fmt::format("S{}_", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(index - 1) % 36]);
}

/// SPIR's images and samplers are no candidates for substitution as clang's are now: its first candidate follows them.
/// No function takes an image twice, so a name that substitutes one is SPIR's.
std::string withOpaqueCandidates(const std::string& name, bool isOfSpir) {
  std::string made;
  unsigned before = 0;  // images and samplers ahead of `at`
  for (std::size_t at = 0; at < name.size();) {
    const llvm::StringRef rest = llvm::StringRef(name).substr(at);
    const bool isOpaque = rest.starts_with("ocl_image") || rest.starts_with("ocl_sampler");
    if (isOpaque && at > 0 && llvm::isDigit(name[at - 1])) ++before;
    const std::optional<unsigned> index = substitutionAt(rest);
    const unsigned opaques = index ? before : 0;
    if (!index || opaques == 0 || !(isOfSpir || *index < opaques)) {
      made += name[at++];
      continue;
    }
    made += substitution(*index + opaques);
    at += substitution(*index).size();
  }
  return made;
}

/// SPIR's names have the address space of a pointer behind its qualifiers: "PVKU3AS1" is "PU3AS1VK" today.
std::string withSpaceFirst(std::string_view name) {
  constexpr std::string_view space = "U3AS";
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    text += name[at++];
    if (text.back() != 'P') continue;
    std::size_t end = at;
    for (const char qualifier : {'V', 'K'}) end += end < name.size() && name[end] == qualifier;
    const std::size_t number = end + space.size();
    if (end == at || name.substr(end, space.size()) != space || number >= name.size() || !llvm::isDigit(name[number]))
      continue;
    text.append(name.substr(end, space.size() + 1)).append(name.substr(at, end - at));
    at = number + 1;
  }
  return text;
}

}  // namespace

std::string currentName(std::string_view name) {
  if (!name.starts_with("_Z")) return std::string(name);
  std::string text = withSpaceFirst(name);
  constexpr std::string_view image = "ocl_image";
  bool isOfSpir = false;
  for (std::size_t at = text.find(image); at != std::string::npos; at = text.find(image, at + image.size())) {
    std::size_t digits = at;
    while (digits > 0 && llvm::isDigit(text[digits - 1])) --digits;
    unsigned length = 0;
    if (llvm::StringRef(text).substr(digits, at - digits).getAsInteger(10, length) || length < image.size() ||
        at + length > text.size())
      break;
    const std::string whole = withAccess(llvm::StringRef(text).substr(at, length), llvm::StringRef(name));
    isOfSpir |= whole.size() != length;
    const std::string component = fmt::format("{}{}", whole.size(), whole);
    text.replace(digits, at - digits + length, component);
    at = digits + component.size() - whole.size();
  }
  return text.find(image) == std::string::npos ? text : withOpaqueCandidates(text, isOfSpir);
}

}  // namespace clarity::compiler
