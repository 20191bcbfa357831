// SPDX-License-Identifier: Apache-2.0
// This file has the rules about arithmetic that costs more than what the program means.
#include "kernel_code.h"
#include "pattern.h"
#include "profile_access_remark.h"
#include "profile_kernel_advice.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

constexpr double leastOfDouble = 0.15, leastOfDivision = 0.25, leastOfPower = 0.2, leastOfFunctions = 0.4,
                 leastOfImages = 0.3;

/// The literals of double in a line: "0.999, 0.001".
std::string doubleLiterals(std::string_view code) {
  std::string found;
  for (std::size_t at = 0; at < code.size();) {
    const auto isDigit = [&](std::size_t i) {
      return i < code.size() && std::isdigit(static_cast<unsigned char>(code[i]));
    };
    const auto isPart = [&](std::size_t i) {
      return i < code.size() && (std::isalnum(static_cast<unsigned char>(code[i])) || code[i] == '_' || code[i] == '.');
    };
    std::size_t end = at;
    const bool isNumber = isDigit(at) || (code[at] == '.' && isDigit(at + 1));
    while (isPart(end) || (isNumber && end > at && end < code.size() && (code[end] == '+' || code[end] == '-') &&
                           (code[end - 1] == 'e' || code[end - 1] == 'E') && !code.substr(at).starts_with("0x")))
      ++end;
    const std::string_view word = code.substr(at, end - at);
    const bool isHex = word.starts_with("0x") || word.starts_with("0X");
    if (isNumber && !isHex && word.find_first_of(".eE") != word.npos && word.find_first_of("fFhH") == word.npos)
      found += fmt::format("{}{}", found.empty() ? "" : ", ", word);
    at = std::max(end, at + 1);
  }
  return found;
}

/// The constants of double in a line: literals, M_PI and its like, and macros of the program or its options that are
/// made of literals.
std::string doubleConstants(const KernelFacts& facts, unsigned line) {
  std::string found = doubleLiterals(facts.source.code(line));
  for (const std::string& word : wordsOf(facts.source.code(line))) {
    const bool isMathConstant = word.starts_with("M_") && !word.ends_with("_F") && !word.ends_with("_H");
    if (isMathConstant || !doubleLiterals(facts.meaningOf(word)).empty()) found += (found.empty() ? "" : ", ") + word;
  }
  static const Pattern cast(R"(\(\s*double\d*\s*\)|\bconvert_double\w*)");
  if (const auto match = cast.search(facts.source.code(line))) found += (found.empty() ? "" : ", ") + (*match)[0];
  return found;
}

bool isFast(const KernelFacts& facts) { return facts.code.options.find("-cl-fast-relaxed-math") != std::string::npos; }

/// Whether a region has a version for usual sizes, in another region of the same lines.
bool hasVersion(const KernelFacts& facts, unsigned region) {
  return std::ranges::any_of(facts.code.remarks, [&](const KernelRemark& remark) {
    return remark.kind == "region" && remark.region != region && remark.says("block-aligned");
  });
}

/// The arguments of a call that begins at a bracket.
std::vector<std::string> argumentsAt(const std::string& code, std::size_t open) {
  std::vector<std::string> arguments(1);
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    const char c = code[at];
    depth += (c == '(') - (c == ')');
    if (depth == 0) return arguments;
    if (c == ',' && depth == 1)
      arguments.emplace_back();
    else if (at > open && c != ' ')
      arguments.back() += c;
  }
  return {};
}

/// Whether a line reads an image at the centres of texels: coordinates are ids and 0.5, and nothing scales them.
bool readsCentres(const KernelFacts& facts, const std::string& code) {
  static const Pattern scaled(R"(\*\s*[A-Za-z_(])");
  std::string how = code;
  for (const std::string& word : wordsOf(code)) how += "\n" + facts.source.definitionOf(word);
  return how.find("0.5") != std::string::npos && !scaled.isIn(how);
}

}  // namespace

namespace {

bool isDouble(std::string_view type) { return Pattern(R"(\bdouble\d*\b)").isIn(type); }

/// Whether a text declares something of double, under whatever name. Casts alone may be an accident.
bool declaresDouble(const KernelFacts& facts, const std::string& text) {
  static const Pattern word(R"(\b([A-Za-z_]\w*)\b(?!\s*\)))");
  std::set<std::string> seen;
  return std::ranges::any_of(word.all(text), [&](const PatternMatch& each) {
    const std::string name = each[1];
    return seen.insert(name).second && isDouble(facts.typeOf(name));
  });
}

/// Whether a kernel has variables, arguments or memory of double: then double is meant. Declarations that
/// the kernel does not use say nothing.
bool hasDoubles(const KernelFacts& facts) {
  const auto accessesDouble = [](const KernelRemark& remark) {
    const auto access = accessOf(remark);
    return access && isDouble(access->type);
  };
  return std::ranges::any_of(facts.code.remarks, accessesDouble) ||
         declaresDouble(facts, facts.source.parameters() + ",") || declaresDouble(facts, facts.source.body());
}

}  // namespace

void adviseOnDoubles(const KernelFacts& facts, std::vector<Advice>& found) {
  if (hasDoubles(facts)) return;
  for (const auto& [line, share] : facts.shares) {
    const std::string literals = doubleConstants(facts, line);
    const auto its = facts.code.lines.find(line);
    if (literals.empty() || facts.weight(line) < leastOfDouble) continue;
    if (its == facts.code.lines.end() || its->second.doubles == 0) continue;
    const bool isCounted = facts.launch.work && facts.launch.work->doubles > 0;
    found.push_back(facts.advice(
        fmt::format("'{}' computes in double, as {} {} no float", facts.code.kernel, literals,
                    literals.find(',') == std::string::npos ? "is" : "are"),
        line,
        fmt::format("{} of the kernel's samples are in this line, whose code has {} instructions of double{}; all "
                    "arguments are of other types",
                    percent(share), its->second.doubles,
                    isCounted ? fmt::format(" (a launch has {:.0f} % of its operations in double)",
                                            100 * facts.launch.work->doubles / facts.launch.work->operations())
                              : std::string()),
        "Write the literals with an f (0.5f), or build with -cl-single-precision-constant; leave casts to double out.",
        facts.weight(line), 0.6));
  }
}

void adviseOnDivisions(const KernelFacts& facts, std::vector<Advice>& found) {
  for (const auto& [line, share] : facts.shares) {
    const std::string& code = facts.source.code(line);
    const auto its = facts.code.lines.find(line);
    const auto remark = std::ranges::find_if(facts.code.remarks, [&](const KernelRemark& each) {
      return each.kind == "division" && each.line == line && each.isMissed;
    });
    const bool hasOperator = code.find('%') != std::string::npos || code.find('/') != std::string::npos;
    const bool isScalar =
        its != facts.code.lines.end() && its->second.divisions > 0 && hasOperator && facts.loopOf(line) != nullptr;
    const bool isVector = remark != facts.code.remarks.end() && !hasVersion(facts, remark->region);
    if ((!isVector && !isScalar) || facts.weight(line) < leastOfDivision) continue;
    const bool isRemainder = code.find('%') != std::string::npos;
    found.push_back(facts.advice(
        isRemainder ? "An integer remainder by a value that is not constant"
                    : "An integer division by a value that is not constant",
        line,
        fmt::format("{} of the kernel's samples are in this line; {}", percent(share),
                    isVector ? remark->message : "a division of integers takes 20 to 40 cycles"),
        isRemainder
            ? "Count along instead (if (++r == n) r = 0), divide by a power of two or by a constant (-D N=...), "
              "or move the division out of the loop."
            : "Divide by a constant (-D N=...) or a power of two, multiply by a reciprocal, or move the "
              "division out of the loop.",
        facts.weight(line), 0.55));
  }
}

void adviseOnPrintf(const KernelFacts& facts, std::vector<Advice>& found) {
  constexpr double fewest = 5, mostOfKernel = 0.5;  // milliseconds that would be sampled; of them, those that were
  const auto printing = std::ranges::find_if(
      facts.code.remarks, [](const KernelRemark& remark) { return remark.message.starts_with("printf: "); });
  if (printing == facts.code.remarks.end()) return;
  // The median: a launch that the system interrupts has no samples for a long time, too.
  const double launches = 1e-6 * static_cast<double>(facts.launch.times.median() * facts.launch.times.count());
  if (launches < fewest || facts.milliseconds > mostOfKernel * launches) return;
  found.push_back(facts.advice(
      "printf takes most of the kernel's time", printing->line,
      fmt::format("in {:.1f} ms of launches the kernel's own instructions ran for {:.1f} ms; what prints, prints one "
                  "work-item after the other",
                  launches, facts.milliseconds),
      "Leave printf out of kernels that are to be fast (#ifdef), print in one work-item, or write the values to a "
      "buffer and let the host print them.",
      1, 1 - facts.milliseconds / launches));
}

void adviseOnOptions(const KernelFacts& facts, std::vector<Advice>& found) {
  constexpr std::string_view option = "-cl-opt-disable";
  if (facts.code.options.find(option) == std::string::npos) return;
  found.push_back(facts.advice(fmt::format("The program is built with {}", option), 0,
                               "its code is not optimised, and runs one work-item at a time, without vectors",
                               fmt::format("Leave {} out of the build options; it is for debuggers.", option), 1, 0.9));
}

namespace {

/// A way to compute a power with a constant exponent in less time.
struct Shortcut {
  std::string name, cure;
};
std::optional<Shortcut> shortcutOf(const std::string& exponent) {
  static const Pattern number(R"(^(?:\(\w+\))?\(?(-?\d{1,2}(?:\.\d*)?|-?\.\d+)[fF]?\)?$)");
  const auto match = number.match(exponent);
  if (!match) return std::nullopt;
  constexpr double most = 16;
  const double value = std::stod((*match)[1]);
  const bool isWhole = value == std::trunc(value);
  if (std::abs(value) > most || value == 0 || value == 1 || value == 2) return std::nullopt;  // 2 is a product already
  if (isWhole && value > 0)
    return Shortcut{"products", "Multiply instead, as in x * x * x; squares of squares make high powers short."};
  if (isWhole) return Shortcut{"products", "Divide 1 by a product instead, as in 1 / (x * x)."};
  if (2 * value != std::trunc(2 * value)) return std::nullopt;
  return Shortcut{"sqrt", "Use sqrt(x), x * sqrt(x) or rsqrt(x): they differ at -0 and -INFINITY alone."};
}

}  // namespace

void adviseOnPowers(const KernelFacts& facts, std::vector<Advice>& found) {
  static const Pattern call(R"(\b(pow|pown|powr)\s*\()");
  for (const auto& [line, share] : facts.shares) {
    const std::string& code = facts.source.code(line);
    if (facts.weight(line) < leastOfPower) continue;
    const auto match = call.search(code);
    if (!match) continue;
    const std::vector<std::string> arguments = argumentsAt(code, match->end() - 1);
    if (arguments.size() != 2) continue;
    const std::optional<Shortcut> shortcut = shortcutOf(arguments[1]);
    if (!shortcut) continue;
    found.push_back(facts.advice(
        fmt::format("{}({}, {}) where {} would do", (*match)[1], clipped(arguments[0]), arguments[1], shortcut->name),
        line, fmt::format("{} of the kernel's samples are in this line", percent(share)), shortcut->cure,
        facts.weight(line), 0.8));
  }
}

void adviseOnFunctions(const KernelFacts& facts, std::vector<Advice>& found) {
  // Arithmetic that is at its limit may be that of the functions.
  if (isFast(facts) || facts.isAtMemoryLimit() || hasDoubles(facts)) return;
  static const Pattern call(
      R"(\b(sin|cos|tan|sincos|exp|exp2|exp10|log|log2|log10|pow|powr|a?sinh?|a?cosh?|a?tanh?|atan2|erfc?|tgamma|)"
      R"(lgamma|expm1|log1p|cbrt|hypot|fmod|remainder|remquo|normalize|length|distance)\s*\()");
  static const Pattern vectors("normalize|length|distance");
  static const Pattern native("sin|cos|tan|exp|exp2|exp10|log|log2|log10|powr");
  for (const auto& [line, share] : facts.shares) {
    const std::string& code = facts.source.code(line);
    if (share < leastOfFunctions) continue;
    const auto match = call.search(code);
    if (!match) continue;
    const std::string name = (*match)[1];
    const std::string other = name == "pow" ? "powr" : name == "sincos" ? "sin" : name;
    found.push_back(facts.advice(
        fmt::format("'{}' is computed in its precise form", name), line,
        fmt::format("{} of the kernel's samples are in this line; results are right to a few units in the last place, "
                    "for all arguments",
                    percent(share)),
        native.match(other) ? fmt::format("Where less precise results do, use native_{0} or half_{0}, or build with "
                                          "-cl-fast-relaxed-math.",
                                          other)
        : vectors.match(name)
            ? fmt::format("Where less precise results do, use fast_{}.", name)
            : "Where less precise results do, compute it by a short polynomial, or by native functions.",
        share, 0.3));
  }
}

void adviseOnImages(const KernelFacts& facts, std::vector<Advice>& found) {
  static const Pattern call(R"(\bread_image(?:f|h)\s*\()");
  bool isLinear = facts.code.source.find("CLK_FILTER_LINEAR") != std::string::npos;
  for (const ProfiledThread& thread : facts.process.threads)
    for (const ProfiledCall& each : thread.calls)
      isLinear |= each.name == "clCreateSampler" && each.arguments.find("filter_mode=4417") != std::string::npos;
  if (!isLinear) return;
  for (const auto& [line, share] : facts.shares) {
    const std::string& code = facts.source.code(line);
    if (facts.weight(line) < leastOfImages || !call.isIn(code)) continue;
    if (!readsCentres(facts, code)) continue;
    found.push_back(facts.advice(
        "Centres of texels are read with linear filtering", line,
        fmt::format("{} of the kernel's samples are in this line; each read loads four texels or more and weighs them, "
                    "and coordinates are computed and rounded in float",
                    percent(share)),
        "Read them by integer coordinates without a sampler, or with CLK_NORMALIZED_COORDS_FALSE and "
        "CLK_FILTER_NEAREST.",
        facts.weight(line), 0.6));
  }
}

void adviseOnDenormals(const KernelFacts& facts, std::vector<Advice>& found) {
  constexpr double leastOfSamples = 0.6, leastMilliseconds = 8;
  if (facts.isAtLimit() || facts.milliseconds < leastMilliseconds) return;
  double share = 0;
  const KernelFacts::Sampled* most = nullptr;
  for (const KernelFacts::Sampled& each : facts.samples) {
    share += each.denormal;
    if (!most || each.denormal > most->denormal) most = &each;
  }
  if (share < leastOfSamples) return;
  found.push_back(facts.advice(
      fmt::format("'{}' computes with denormal numbers", facts.code.kernel), most->lines[0],
      fmt::format("the processor met numbers below 1.2e-38 in {} of the kernel's samples; an instruction with such an "
                  "operand takes up to a hundred times as long",
                  percent(share)),
      "Set values to zero that are too small to matter (v = fabs(v) < 1e-30f ? 0 : v), or scale them.", share, 0.75));
}

}  // namespace clarity::tools
