// SPDX-License-Identifier: Apache-2.0
// This file contains the table of build options and their parser.
#include "compiler/frontend/options.h"

#include "compiler/frontend/ignored_options.h"
#include "compiler/ir/pass_names.h"
#include "compiler/ir/source.h"
#include "compiler/ir/source_name.h"
#include "compiler/ir/target.h"
#include "support/nearest.h"
#include "support/shell_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <bit>
#include <charconv>
#include <optional>

#include <algorithm>
#include <array>
#include <span>

namespace clarity::compiler {
namespace {

constexpr unsigned compiling = 1, linking = 2, anywhere = 3;

/// An option that is one word and sets flags.
struct Flag {
  std::string_view name;
  unsigned where;
  void (*set)(Options&);
};
constexpr Flag flagOptions[] = {
    {"-w", compiling, [](Options& o) { o.noWarnings = true; }},
    {"-Werror", compiling, [](Options& o) { o.warningsAreErrors = true; }},
    {"-g", anywhere, [](Options& o) { o.debug = true; }},
    {"-cl-single-precision-constant", compiling, [](Options& o) { o.singlePrecisionConstant = true; }},
    // A hint that is ignored. The processor computes with denormals, and optimisations that assume they are zero break
    // functions that work on bits (frexp, logb, pow).
    {"-cl-denorms-are-zero", anywhere, [](Options&) {}},
    {"-cl-fp32-correctly-rounded-divide-sqrt", compiling, [](Options& o) { o.correctlyRoundedDivideSqrt = true; }},
    {"-cl-opt-disable", compiling, [](Options& o) { o.optDisable = true; }},
    {"-cl-opt-enable", compiling, [](Options& o) { o.optDisable = false; }},
    {"-cl-strict-aliasing", compiling, [](Options&) {}},  // the language demands it anyway
    {"-cl-mad-enable", compiling, [](Options& o) { o.madEnable = true; }},
    {"-cl-no-signed-zeros", anywhere, [](Options& o) { o.noSignedZeros = true; }},
    {"-cl-no-signed-zeroes", anywhere, [](Options& o) { o.noSignedZeros = true; }},
    {"-cl-unsafe-math-optimizations", anywhere,
     [](Options& o) { o.unsafeMath = o.noSignedZeros = o.madEnable = true; }},
    {"-cl-finite-math-only", anywhere, [](Options& o) { o.finiteMathOnly = true; }},
    {"-cl-fast-relaxed-math", anywhere,
     [](Options& o) { o.fastRelaxedMath = o.finiteMathOnly = o.unsafeMath = o.noSignedZeros = o.madEnable = true; }},
    {"-cl-uniform-work-group-size", compiling, [](Options& o) { o.uniformWorkGroupSize = true; }},
    {"-cl-no-subgroup-ifp", anywhere, [](Options& o) { o.noSubgroupIndependentProgress = true; }},
    {"-cl-clarity-debug-info", anywhere, [](Options& o) { o.debugInfo = true; }},
    {"-cl-clarity-debug", anywhere,
     [](Options& o) { o.debug = o.debugInfo = o.debugged = o.optDisable = o.instrument = true; }},
    {"-cl-clarity-report", anywhere, [](Options& o) { o.report = true; }},
    {"-cl-clarity-describe-arguments", compiling, [](Options& o) { o.describeArguments = true; }},
    {"-cl-clarity-instrument", anywhere, [](Options& o) { o.instrument = true; }},
    {"-cl-clarity-check-overflow", anywhere, [](Options& o) { o.checkOverflow = true; }},
    {"-cl-clarity-check-not-finite", anywhere, [](Options& o) { o.checkNotFinite = true; }},
    {initializePrivateOption, anywhere, [](Options& o) { o.initializePrivate = true; }},
    {initializeLocalOption, anywhere, [](Options& o) { o.initializeLocal = true; }},
    {"-cl-clarity-report-json", anywhere, [](Options& o) { o.report = o.reportJson = true; }},
    {"-cl-kernel-arg-info", compiling, [](Options& o) { o.kernelArgInfo = true; }},
    {"-create-library", linking, [](Options& o) { o.createLibrary = true; }},
    {"-enable-link-options", linking, [](Options& o) { o.enableLinkOptions = true; }},
};

/// The options with a value that have long names, for those who mistype them.
constexpr std::string_view valuedNames[] = {
    "-cl-std=",
    "-cl-clarity-packet-width=",
    "-cl-clarity-report=",
    "-cl-clarity-tile=",
    "-cl-clarity-compile-budget=",
    "-cl-clarity-disable=",
    "-cl-clarity-report-kernel=",
};

class Parser {
public:
  Parser(std::vector<std::string> words, OptionsFor call, Options& options)
      : words_(std::move(words)), call_(call), options_(options) {}

  /// An empty text, or the error.
  std::string run() {
    for (; at_ < words_.size() && wrong_.empty(); ++at_) option(words_[at_]);
    if (wrong_.empty() && options_.enableLinkOptions && !options_.createLibrary)
      wrong_ = "-enable-link-options is only valid together with -create-library";
    return std::move(wrong_);
  }

private:
  void option(const std::string& word) {
    if (flag(word) || valued(word) || ignored(word)) return;
    if (!wrong_.empty()) return;
    wrong_ = word.starts_with('-') ? fmt::format("unknown build option '{}'{}", word, like(word))
                                   : fmt::format("'{}' is not a build option{}", word, withoutDash(word));
  }

  /// Two options of one letter are alike in their dash only.
  static std::string like(std::string_view word) {
    constexpr std::size_t shortest = 4;
    return word.size() < shortest ? std::string() : support::didYouMean(nameIn(word), optionNames());
  }

  /// The rest of a word that begins with another dash than that of the keyboard, as documents have them.
  static std::optional<std::string> behindOtherDash(const std::string& word) {
    constexpr std::string_view dashes[] = {"\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2015", "\u2212"};
    for (const std::string_view dash : dashes)
      if (word.starts_with(dash)) return word.substr(dash.size());
    return std::nullopt;
  }

  /// "; did you mean '-cl-mad-enable'?" for "cl-mad-enable", "; did you mean '-DN=4'?" for "DN=4".
  static std::string withoutDash(const std::string& word) {
    if (const auto rest = behindOtherDash(word))
      return fmt::format("; did you mean '-{}'? It begins with another dash, as documents have them", *rest);
    const std::string dashed = "-" + word;
    const bool isFlag = std::ranges::find(flagOptions, dashed, &Flag::name) != std::end(flagOptions);
    const bool hasValue =
        std::ranges::any_of(valuedNames, [&](std::string_view name) { return dashed.starts_with(name); });
    const bool isMacro =
        word == "D" || word == "I" || word == "U" ||
        (word.size() > 2 && (word[0] == 'D' || word[0] == 'I') && word.contains(word[0] == 'D' ? '=' : '/'));
    if (isFlag || hasValue || isMacro || (dashed.size() > 1 && isIgnoredOption(dashed)))
      return fmt::format("; did you mean '{}'?", dashed);
    return dashed.starts_with("-cl-") ? support::didYouMean(nameIn(dashed), optionNames()) : std::string();
  }

  /// "-cl-std=" of "-cl-std=CL1.2".
  static std::string_view nameIn(std::string_view word) {
    const std::size_t equals = word.find('=');
    return equals == word.npos ? word : word.substr(0, equals + 1);
  }

  static std::vector<std::string> optionNames() {
    std::vector<std::string> names(std::begin(valuedNames), std::end(valuedNames));
    for (const Flag& flag : flagOptions) names.emplace_back(flag.name);
    return names;
  }

  bool allowed(unsigned where) const {
    if (call_ == OptionsFor::Build || call_ == OptionsFor::Any) return true;
    return where & (call_ == OptionsFor::Compile ? compiling : linking);
  }

  bool refused(std::string_view name) {
    wrong_ =
        fmt::format("option '{}' is not valid for {}", name, call_ == OptionsFor::Compile ? "compiling" : "linking");
    return true;
  }

  bool flag(const std::string& word) {
    const auto found = std::ranges::find(flagOptions, word, &Flag::name);
    if (found == std::end(flagOptions)) return false;
    // clBuildProgram creates executables: options for libraries are valid for clLinkProgram only.
    if (!allowed(found->where) || (call_ == OptionsFor::Build && found->where == linking)) return refused(word);
    found->set(options_);
    return true;
  }

  bool valued(const std::string& word) {
    if (word.starts_with("-cl-clarity-packet-width=")) return packetWidth(word.substr(25));
    if (word.starts_with("-cl-clarity-report=")) return report(word.substr(19));
    if (word.starts_with("-cl-clarity-report-kernel=")) return reportKernel(word.substr(26));
    if (word.starts_with("-cl-clarity-tile=")) return tile(word.substr(17));
    if (word.starts_with("-cl-clarity-compile-budget=")) return compileBudget(word.substr(27));
    if (word.starts_with("-cl-clarity-disable=")) return disable(word.substr(20));
    if (word.starts_with("-cl-clarity-source-name=")) return sourceName(word.substr(24), options_.sourceName);
    if (word.starts_with("-cl-clarity-source-folder=")) return sourceName(word.substr(26), options_.sourceFolder);
    if (word.starts_with("-cl-std=")) {
      if (!allowed(compiling)) return refused(word);
      return language(word.substr(8));
    }
    if (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-I")) {
      if (!allowed(compiling)) return refused(word);
      return withArgument(word);
    }
    if (word.starts_with("-W") && word.size() > 2 && !word.starts_with("-Wl,")) {
      if (!allowed(compiling)) return refused(word);
      options_.warnings.push_back(word.substr(2));
      return true;
    }
    if (word == "-x") {
      if (!allowed(compiling)) return refused(word);
      return sourceLanguage();
    }
    return false;
  }

  /// The argument of -D, -U and -I is the rest of the word, or the next word.
  bool withArgument(const std::string& word) {
    std::string argument = word.substr(2);
    if (argument.empty() && ++at_ < words_.size()) argument = words_[at_];
    if (argument.empty()) {
      wrong_ = fmt::format("option '{}' needs {}", word.substr(0, 2), word[1] == 'I' ? "a folder" : "a name");
    } else if (word[1] == 'I') {
      options_.includeFolders.push_back(std::move(argument));
    } else {
      macro(std::move(argument), word[1] == 'U');
    }
    return true;
  }

  /// An unsigned number, or nothing.
  static std::optional<unsigned> number(std::string_view text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
  }

  bool packetWidth(std::string_view text) {
    const auto lanes = number(text);
    if (!lanes || !std::has_single_bit(*lanes) || *lanes > 64)
      wrong_ = fmt::format("'-cl-clarity-packet-width={}' is not a power of two from 1 to 64", text);
    else
      options_.packetLanes = *lanes;
    return true;
  }

  bool compileBudget(std::string_view text) {
    const auto instructions = number(text);
    if (!instructions || *instructions == 0)
      wrong_ = fmt::format("'-cl-clarity-compile-budget={}' is not a number of instructions", text);
    else
      options_.compileBudget = *instructions;
    return true;
  }

  /// Names of optional passes with commas between them.
  bool disable(std::string_view names) {
    while (wrong_.empty()) {
      const std::size_t comma = std::min(names.find(','), names.size());
      disableOne(names.substr(0, comma));
      if (comma == names.size()) break;
      names.remove_prefix(comma + 1);
    }
    return true;
  }

  void disableOne(std::string_view name) {
    const std::vector<std::string_view> optional = optionalSteps();
    if (std::ranges::find(optional, name) != optional.end() || isOptionalStep(name)) {
      options_.disabledPasses.emplace_back(name);
      return;
    }
    const std::vector<std::string_view> all = stepNames();
    const bool isRequired = std::ranges::find(all, name) != all.end();
    const std::vector<std::string> names(optional.begin(), optional.end());
    wrong_ = fmt::format("'{}' in '-cl-clarity-disable' is {}{}; optional passes are {}", name,
                         isRequired ? "a required pass" : "not a pass",
                         isRequired ? std::string() : support::didYouMean(name, names), fmt::join(optional, ", "));
  }

  /// The name is part of lines of text.
  bool sourceName(const std::string& name, std::string& option) {
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
    if (name.empty() || std::ranges::any_of(name, isControl))
      wrong_ = "'-cl-clarity-source-name=' and '-cl-clarity-source-folder=' need names without control characters";
    else
      option = name;
    return true;
  }

  /// The report, for work-groups of one size.
  bool report(const std::string& text) {
    options_.report = true;
    std::string_view left = text;
    std::array<std::uint32_t, 3> local{1, 1, 1};
    bool right = true;
    for (unsigned d = 0; d < 3 && right && !left.empty(); ++d) {
      const std::size_t cross = std::min(left.find('x'), left.size());
      local[d] = number(left.substr(0, cross)).value_or(0);
      right = local[d] != 0;
      left.remove_prefix(std::min(cross + 1, left.size()));
    }
    if (!right || !left.empty() || text.empty() || text.ends_with('x'))
      wrong_ = fmt::format("'-cl-clarity-report={}' is not a work-group size, such as 64 or 16x16", text);
    else
      options_.reportLocal = local;
    return true;
  }

  bool reportKernel(std::string name) {
    if (name.empty()) wrong_ = "'-cl-clarity-report-kernel=' needs the name of a kernel";
    options_.report = true;
    options_.reportKernel = std::move(name);
    return true;
  }

  bool tile(std::string_view text) {
    const std::size_t cross = text.find('x');
    const auto rows = number(text.substr(0, cross));
    const auto columns = cross == text.npos ? std::nullopt : number(text.substr(cross + 1));
    if (!rows || !columns || *rows == 0 || *rows > 16 || !std::has_single_bit(*columns) || *columns > 16) {
      wrong_ =
          fmt::format("'-cl-clarity-tile={}' is not ROWSxPACKETS with 1 to 16 rows and 1, 2, 4, 8 or 16 packets", text);
    } else {
      options_.packetRows = *rows;
      options_.packetColumns = *columns;
    }
    return true;
  }

  void macro(std::string text, bool undefine) {
    const std::string_view name = std::string_view(text).substr(0, text.find_first_of("=("));
    const auto isLetter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (c & 0x80);
    };
    const auto isPart = [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); };
    if (name.empty() || !isLetter(name[0]) || !std::ranges::all_of(name, isPart)) {
      wrong_ = fmt::format("'{}' in option '-{}{}' is not the name of a macro", name, undefine ? 'U' : 'D', text);
      return;
    }
    options_.macros.push_back({std::move(text), undefine});
  }

  bool sourceLanguage() {
    const std::string name = ++at_ < words_.size() ? words_[at_] : "";
    if (name == "clc++") {
      if (!options_.isCxx()) options_.language = Language::Cxx2021;
    } else if (name != "clc" && name != "cl" && name != "spir") {  // a module says itself that it is SPIR
      wrong_ = fmt::format("'-x {}' is not a supported language; supported are clc, clc++ and spir", name);
    }
    return true;
  }

  bool language(std::string_view name) {
    const auto found = languageNamed(name);
    if (!found) {
      wrong_ = fmt::format(
          "'-cl-std={}' is not a supported version; supported are CL1.0, CL1.1, CL1.2, CL2.0, CL3.0, "
          "CL3.1, CLC++1.0 and CLC++2021",
          name);
    } else {
      options_.language = *found;
    }
    return true;
  }

  bool ignored(const std::string& word) {
    if (!isIgnoredOption(word)) return false;
    std::string shown = word;
    // "-cl-nv-opt-level 3", "-s FILE": the value may be a word of its own.
    if ((word.starts_with("-cl-nv-") || word == "-s") && at_ + 1 < words_.size() && !words_[at_ + 1].starts_with('-'))
      shown += " " + words_[++at_];
    options_.remarks += fmt::format("note: build option '{}' has no effect on this device\n", shown);
    return true;
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  OptionsFor call_;
  Options& options_;
  std::string wrong_;
};

}  // namespace

std::expected<Options, std::string> parseOptions(std::string_view text, OptionsFor call) {
  Options options;
  options.text = text;
  auto words = support::shellWords(text);
  if (!words) return std::unexpected(std::move(words).error());
  if (std::string wrong = Parser(*std::move(words), call, options).run(); !wrong.empty())
    return std::unexpected(std::move(wrong));
  return options;
}

std::string sourceName(std::string_view options) {
  return parseOptions(options, OptionsFor::Any).value_or(Options{}).sourceName;
}

bool describesArguments(std::string_view options) {
  return parseOptions(options, OptionsFor::Any).value_or(Options{}).describeArguments;
}

}  // namespace clarity::compiler
