// SPDX-License-Identifier: Apache-2.0
// This file turns options and target into arguments, macros and pragmas of clang.
#include "compiler/frontend/clang_arguments.h"

#include "compiler/ir/backend.h"

#include <clang/Basic/OpenCLOptions.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clarity::compiler {
namespace {

/// Generated kernels often nest deeper than clang's default limit; the stacks of the compile threads
/// (compiler/guard/worker.h) are large enough for this depth.
constexpr const char* bracketDepth = "2048";
constexpr const char* errorLimit = "20";

bool hasWord(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const bool begins = at == 0 || words[at - 1] == ' ';
    const std::size_t end = at + word.size();
    if (begins && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

/// Extensions whose macros clang does not define by itself; builtins/declarations.clh declares their functions.
constexpr std::string_view unknownToClang[] = {"cl_khr_expect_assume",
                                               "cl_khr_extended_async_copies",
                                               "cl_khr_async_work_group_copy_fence",
                                               "cl_khr_image2d_from_buffer",
                                               "cl_khr_work_group_uniform_arithmetic",
                                               "cl_ext_image_unorm_int_2_101010",
                                               "__opencl_c_ext_image_unorm_int_2_101010",
                                               "cl_ext_image_unsigned_10x6_12x4_14x2",
                                               "__opencl_c_ext_image_unsigned_10x6_12x4_14x2",
                                               "cl_ext_image_raw10_raw12",
                                               "__opencl_c_ext_image_raw10_raw12",
                                               "cl_intel_required_subgroup_size",
                                               "cl_intel_subgroups_char",
                                               "cl_intel_subgroups_long",
                                               "cl_intel_subgroup_local_block_io",
                                               "cl_intel_split_work_group_barrier",
                                               "cl_intel_bfloat16_conversions"};

constexpr std::pair<std::string_view, std::string_view> macrosOfTypes[] = {
    {"__SIZEOF_LONG_LONG__", "8"}, {"__LONG_LONG_MAX__", "__LONG_MAX__"}, {"__SIZEOF_LONG_DOUBLE__", "8"}};

/// Functions that declarations.clh declares only where they are wanted, as hundreds of declarations take time in every
/// program: the macro, and a word that is in all their names.
constexpr std::pair<std::string_view, std::string_view> declaredOnDemand[] = {
    {"__clarity_declares_intel", "intel"},
    {"__clarity_declares_work_group", "work_group"},
    {"__clarity_declares_matrices", "clarity_sub_group_matrix"},
    {"__clarity_declares_staged_copies", "clarity_copy_"}};

/// Calls `each` with every name in a list separated by spaces.
template <class Each>
void forWords(std::string_view words, Each each) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end) each(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

/// "-all,+cl_khr_fp64,..." from the device's extensions and features. Clang rejects sets that contain a feature without
/// the extension of the same meaning, so each adds the other.
std::string extensionList(const Target& target) {
  static constexpr std::pair<std::string_view, std::string_view> twins[] = {
      {"cl_khr_fp64", "__opencl_c_fp64"},
      {"cl_khr_3d_image_writes", "__opencl_c_3d_image_writes"},
  };
  std::string list = "-all,+cl_clang_storage_class_specifiers";
  forWords(target.extensions, [&](std::string_view extension) { list.append(",+").append(extension); });
  for (const auto& [extension, feature] : twins) {
    if (hasWord(target.extensions, extension)) list.append(",+").append(feature);
    if (hasWord(target.extensions, feature)) list.append(",+").append(extension);
  }
  return list;
}

/// The version that clang compiles: it knows none after 3.0. Additions of OpenCL C 3.1 are functions of extensions,
/// which all versions of the language have here, and macros.
Language languageOfClang(Language language) { return language == Language::C31 ? Language::C30 : language; }

/// Whether a word is in the text of a program, but for the files that it includes.
bool isInText(std::string_view source, std::span<const Header> headers, const Options& options, std::string_view word) {
  return source.contains(word) || options.text.contains(word) ||
         std::ranges::any_of(headers, [&](const Header& header) { return header.text.contains(word); });
}

/// The macros of declaredOnDemand for a program. Files that it includes from disk are not looked into: they may use
/// everything.
std::vector<std::string_view> wantedDeclarations(std::string_view source, std::span<const Header> headers,
                                                 const Options& options) {
  const auto contains = [&](std::string_view word) { return isInText(source, headers, options, word); };
  // Names may also come from files, and be put together by ##.
  const bool mayHaveOthers = contains("include") || contains("##") || contains("%:%:");
  std::vector<std::string_view> wanted;
  for (const auto& [macro, word] : declaredOnDemand)
    if (mayHaveOthers || contains(word)) wanted.push_back(macro);
  return wanted;
}

}  // namespace

std::vector<std::string> clangArguments(std::string_view source, std::span<const Header> headers,
                                        const Options& options, const Target& target) {
  std::vector<std::string> arguments = {
      "-triple", "spir64-unknown-unknown", "-x", options.isCxx() ? "clcpp" : "cl",
      fmt::format("-cl-std={}", nameOf(languageOfClang(options.language))),
      // For IR that is ready for optimisation: no optnone, with lifetimes and type-based aliasing. No pass runs here.
      // Complex numbers are multiplied and divided by the textbook's formulas, without calls of a runtime library.
      "-O2", "-complex-range=basic", "-fno-threadsafe-statics", "-fdeclare-opencl-builtins", "-cl-kernel-arg-info",
      "-ferror-limit", errorLimit, "-fbracket-depth", bracketDepth, "-nostdsysteminc", "-nobuiltininc",
      "-Wformat-nonliteral", fmt::format("-cl-ext={}", extensionList(target))};
  // Warnings and not errors, as in other compilers and earlier versions of clang: applications rely on it.
  if (!options.warningsAreErrors)
    arguments.insert(arguments.end(),
                     {"-Wno-error=incompatible-pointer-types", "-Wno-error=incompatible-function-pointer-types",
                      "-Wno-error=implicit-int", "-Wno-error=return-mismatch"});
  const std::pair<bool, const char*> flags[] = {
      {options.noWarnings, "-w"},
      {options.warningsAreErrors, "-Werror"},
      {options.singlePrecisionConstant, "-cl-single-precision-constant"},
      {options.correctlyRoundedDivideSqrt, "-cl-fp32-correctly-rounded-divide-sqrt"},
      {options.madEnable, "-cl-mad-enable"},
      {options.noSignedZeros, "-cl-no-signed-zeros"},
      {options.unsafeMath, "-cl-unsafe-math-optimizations"},
      {options.finiteMathOnly, "-cl-finite-math-only"},
      {options.fastRelaxedMath, "-cl-fast-relaxed-math"},
      {options.uniformWorkGroups(), "-cl-uniform-work-group-size"},
  };
  for (const auto& [given, flag] : flags)
    if (given) arguments.emplace_back(flag);
  // `asm`, which is a keyword of C++ alone.
  if (isInText(source, headers, options, "asm") || isInText(source, headers, options, "include"))
    arguments.emplace_back("-fgnu-keywords");
  if (options.names) arguments.insert(arguments.end(), {"-debug-info-kind=limited", "-gembed-source"});
  arguments.insert(arguments.end(), {"-fdebug-compilation-dir=" + options.sourceFolder, "-main-file-name",
                                     options.sourceName, fmt::format("-fdebug-prefix-map={}/=", headerFolder)});
  for (const std::string& warning : options.warnings) arguments.push_back("-W" + warning);
  arguments.push_back(fmt::format("-I{}", headerFolder));
  for (const std::string& folder : options.includeFolders) arguments.push_back("-I" + folder);
  arguments.insert(arguments.end(), {"-iquote", "."});
  // Clang's headers derive this macro from the triple; here it depends on the device's features.
  if (!hasWord(target.extensions, "__opencl_c_images")) arguments.emplace_back("-U__IMAGE_SUPPORT__");
  // `long long` is `long`, `long double` is `double` (clang.cpp).
  for (const auto& [macro, value] : macrosOfTypes)
    arguments.insert(arguments.end(), {fmt::format("-U{}", macro), fmt::format("-D{}={}", macro, value)});
  arguments.emplace_back("-D__OPENCL_VERSION__=300");
  arguments.emplace_back("-DCL_VERSION_3_1=310");
  if (options.language == Language::C31)
    arguments.insert(arguments.end(), {"-U__OPENCL_C_VERSION__", "-D__OPENCL_C_VERSION__=310"});
  for (const std::string& macro : backEndOf(target).macros(target)) arguments.push_back("-D" + macro);
  for (const std::string_view macro : wantedDeclarations(source, headers, options))
    arguments.push_back(fmt::format("-D{}", macro));
  for (const std::string_view extension : unknownToClang)
    if (hasWord(target.extensions, extension)) arguments.push_back(fmt::format("-D{}=1", extension));
  arguments.emplace_back(options.sourceName);
  return arguments;
}

std::string macroText(const Options& options, const Target& target) {
  std::string pragmas, text;
  for (const std::string_view extension : {"cl_khr_fp64", "cl_khr_fp16"})
    if (hasWord(target.extensions, extension))
      pragmas += fmt::format("#pragma OPENCL EXTENSION {} : enable\n", extension);
  for (const Options::Macro& macro : options.macros) {
    std::string line = macro.text.substr(0, macro.text.find_first_of("\r\n"));
    if (line.ends_with('\\')) line += "/**/";  // the next line is another macro's
    text += fmt::format("#undef {}\n", line.substr(0, line.find_first_of("=(")));
    if (macro.undefine) continue;
    const std::size_t equals = line.find('=');
    text += equals == std::string::npos
                ? fmt::format("#define {} 1\n", line)
                : fmt::format("#define {} {}\n", line.substr(0, equals), line.substr(equals + 1));
  }
  // Flag 3 marks the pragmas as part of a system header, so that -Weverything does not apply to them.
  return fmt::format("# 1 \"<device>\" 1 3\n{}# 1 \"<built-in>\" 2\n# 1 \"<command line>\" 1\n{}# 1 \"<built-in>\" 2\n",
                     pragmas, text);
}

void acceptPragmas(clang::OpenCLOptions& known, const Target& target) {
  forWords(target.extensions, [&](std::string_view name) {
    const llvm::StringRef extension(name.data(), name.size());
    if (!extension.starts_with("cl_") || known.isWithPragma(extension)) return;
    known.support(extension);
    known.acceptsPragma(extension);
  });
}

}  // namespace clarity::compiler
