// SPDX-License-Identifier: Apache-2.0
// This file puts the source of built-in kernels together.
#include "built_in/program_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

extern "C" {
#define KERNEL_FILE(symbol, name) extern const char symbol##_begin[], symbol##_end[];
#include "kernel_files.inc"
#undef KERNEL_FILE
}

namespace clarity::built_in {

std::span<const SourceFile> sourceFiles() {
  static const SourceFile files[] = {
#define KERNEL_FILE(symbol, name) {name, {symbol##_begin, symbol##_end}},
#include "kernel_files.inc"
#undef KERNEL_FILE
  };
  return files;
}

namespace {

/// The text of a file, with its name for messages.
std::string contentOf(const std::string& name) {
  const auto found = std::ranges::find(sourceFiles(), name, &SourceFile::name);
  return found == sourceFiles().end() ? std::string() : fmt::format("#line 1 \"{}\"\n{}", name, found->text);
}

/// A file as it is compiled: for an operation and types, as far as it has them.
using Instance = std::array<std::string_view, 4>;

std::string_view suffixOf(const ElementType* type) { return type ? type->suffix : std::string_view(); }

/// Takes the first of Entry::also, for a kernel of type `own` and its operation.
Instance nextOf(std::string_view& rest, std::string_view own, std::string_view operation) {
  std::string_view text = rest.substr(0, rest.find(';'));
  rest.remove_prefix(std::min(rest.size(), text.size() + 1));
  Instance made{};
  for (std::string_view& part : made) {
    part = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    if (part == "-") part = {};
    if (part == "*") part = own;
    if (part == "@") part = operation;
  }
  return made;
}

}  // namespace

std::string programSource(std::span<const Kernel* const> kernels) {
  std::set<Instance> instances;
  for (const Kernel* const each : kernels) {
    const Entry& entry = *each->entry;
    const std::string_view operation = entry.operation ? entry.operation : "";
    instances.insert({entry.file, operation, suffixOf(each->type), suffixOf(each->secondType)});
    for (std::string_view rest = entry.also ? entry.also : ""; !rest.empty();)
      instances.insert(nextOf(rest, suffixOf(each->type), operation));
  }
  std::string source = contentOf("prelude.clh") + contentOf("products.clh");
  for (const auto& [file, operation, first, second] : instances) {
    const bool isDouble = first == "f64" || second == "f64";
    if (isDouble) source += "#ifdef cl_khr_fp64\n";
    if (!operation.empty()) source += fmt::format("#define OPERATION {0}\n#define IS_{0} 1\n", operation);
    if (!first.empty()) source += fmt::format("#define SUFFIX {}\n", first);
    if (!second.empty()) source += fmt::format("#define SUFFIX2 {}\n", second);
    source += contentOf(std::string(file) + ".cl");
    source += "#undef SUFFIX\n#undef SUFFIX2\n";
    if (!operation.empty()) source += fmt::format("#undef OPERATION\n#undef IS_{}\n", operation);
    if (isDouble) source += "#endif\n";
  }
  return source;
}

}  // namespace clarity::built_in
