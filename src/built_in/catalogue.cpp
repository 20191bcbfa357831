// SPDX-License-Identifier: Apache-2.0
// This file makes the list of built-in kernels from the tables of the families.
#include "built_in/catalogue.h"

#include "built_in/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace clarity::built_in {

using compiler::AddressQualifier;
using compiler::ArgKind;
using compiler::KernelArg;

namespace {

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size() && !text.empty();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + separator.size();
  }
  return parts;
}

/// The type that a signature names: a variable, or OpenCL C's own.
std::string_view typeOf(std::string_view word, const Kernel& kernel) {
  if (word == "T") return kernel.type->stored;
  if (word == "S") return kernel.type->arithmetic;
  if (word == "U") return kernel.secondType->stored;
  if (word == "V") return kernel.secondType->arithmetic;
  return word;
}

std::uint32_t bytesOf(std::string_view type) {
  if (type == "long" || type == "ulong" || type == "double") return 8;
  if (type == "int" || type == "uint" || type == "float") return 4;
  return type == "char" || type == "uchar" ? 1 : 2;
}

/// "const T* x": one argument, at this offset of the block.
KernelArg argumentOf(std::string_view text, const Kernel& kernel, std::uint32_t offset) {
  KernelArg arg;
  const bool isConst = text.starts_with("const ");
  if (isConst) text.remove_prefix(6);
  const std::size_t space = text.rfind(' ');
  std::string_view type = text.substr(0, space);
  arg.name = text.substr(space + 1);
  const bool isPointer = type.ends_with('*');
  if (isPointer) type.remove_suffix(1);
  type = typeOf(type, kernel);
  arg.kind = isPointer ? ArgKind::Buffer : ArgKind::Value;
  arg.typeName = std::string(type) + (isPointer ? "*" : "");
  arg.address = isPointer ? AddressQualifier::Global : AddressQualifier::Private;
  arg.typeQualifiers = isConst ? CL_KERNEL_ARG_TYPE_CONST : CL_KERNEL_ARG_TYPE_NONE;
  arg.align = bytesOf(type);
  arg.size = isPointer ? 8 : arg.align;
  arg.offset = (offset + arg.size - 1) / arg.size * arg.size;
  return arg;
}

Kernel kernelOf(const Family& family, const Entry& entry, const ElementType* type, const ElementType* secondType) {
  Kernel kernel{.entry = &entry, .family = &family, .type = type, .secondType = secondType};
  kernel.info.name = entry.name;
  for (const ElementType* const each : {type, secondType})
    if (each) kernel.info.name.append(".").append(each->suffix);
  for (const std::string_view text : split(entry.signature, ", ")) {
    kernel.info.args.push_back(argumentOf(text, kernel, kernel.info.argBlockBytes));
    kernel.info.argBlockBytes = kernel.info.args.back().offset + kernel.info.args.back().size;
  }
  kernel.info.uniformWorkGroups = false;
  return kernel;
}

/// With a list of names, because the list of kernels is searched at each creation of a kernel.
struct Catalogue {
  std::vector<Kernel> kernels;
  std::map<std::string_view, const Kernel*> byName;

  Catalogue() {
    for (const Family& family : families())
      for (const Entry& entry : family.entries) {
        if (!entry.types) kernels.push_back(kernelOf(family, entry, nullptr, nullptr));
        for (const std::string_view first : split(entry.types ? entry.types : "", " ")) {
          if (!entry.secondTypes) kernels.push_back(kernelOf(family, entry, elementType(first), nullptr));
          for (const std::string_view second : split(entry.secondTypes ? entry.secondTypes : "", " "))
            kernels.push_back(kernelOf(family, entry, elementType(first), elementType(second)));
        }
      }
    for (const Kernel& kernel : kernels) byName.emplace(kernel.name(), &kernel);
  }
};

/// Kernels that applications have named by identifiers, which are their names then. Made when they are asked for first.
class Renamed {
public:
  const Kernel* find(std::string_view identifier, const std::vector<Kernel>& kernels) {
    const std::lock_guard lock(mutex_);
    if (const auto known = byIdentifier_.find(identifier); known != byIdentifier_.end()) return &known->second;
    const auto found =
        std::ranges::find(kernels, identifier, [](const Kernel& each) { return identifierOf(each.name()); });
    if (found == kernels.end()) return nullptr;
    Kernel& renamed = byIdentifier_.emplace(identifier, *found).first->second;
    renamed.info.name = identifier;
    return &renamed;
  }

private:
  std::mutex mutex_;
  std::map<std::string, Kernel, std::less<>> byIdentifier_;
};

const Catalogue& catalogue() {
  static const auto& it = *new const Catalogue;
  return it;
}

}  // namespace

std::string Kernel::signature() const {
  std::string text;
  for (const KernelArg& arg : info.args)
    text += fmt::format("{}{}{}{} {}", text.empty() ? "" : ", ",
                        arg.typeQualifiers & CL_KERNEL_ARG_TYPE_CONST ? "const " : "",
                        arg.kind == ArgKind::Buffer ? "global " : "", arg.typeName, arg.name);
  return fmt::format("void {}({})", name(), text);
}

bool Kernel::needsDouble() const {
  const auto isDouble = [](const ElementType* each) { return each && each->suffix == "f64"; };
  return isDouble(type) || isDouble(secondType);
}

std::string identifierOf(std::string name) {
  std::ranges::replace(name, '.', '_');
  return name;
}

const std::vector<Kernel>& kernels() { return catalogue().kernels; }

const Kernel* find(std::string_view name) {
  const auto found = catalogue().byName.find(name);
  if (found != catalogue().byName.end()) return found->second;
  static auto& renamed = *new Renamed;
  return renamed.find(name, catalogue().kernels);
}

}  // namespace clarity::built_in
