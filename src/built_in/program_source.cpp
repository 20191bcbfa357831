// SPDX-License-Identifier: Apache-2.0
// This file puts the source of built-in kernels together.
#include "built_in/program_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

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

std::string_view suffixOf(const ElementType* type) { return type ? type->suffix : std::string_view(); }

}  // namespace

std::string programSource(std::span<const Kernel* const> kernels) {
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> instances;
  for (const Kernel* const each : kernels)
    instances.emplace(each->entry->file, suffixOf(each->type), suffixOf(each->secondType));
  std::string source = contentOf("prelude.clh");
  for (const auto& [file, first, second] : instances) {
    const bool isDouble = first == "f64" || second == "f64";
    if (isDouble) source += "#ifdef cl_khr_fp64\n";
    if (!first.empty()) source += fmt::format("#define SUFFIX {}\n", first);
    if (!second.empty()) source += fmt::format("#define SUFFIX2 {}\n", second);
    source += contentOf(std::string(file) + ".cl");
    source += "#undef SUFFIX\n#undef SUFFIX2\n";
    if (isDouble) source += "#endif\n";
  }
  return source;
}

}  // namespace clarity::built_in
