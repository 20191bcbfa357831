// SPDX-License-Identifier: Apache-2.0
// This file writes Markdown: rows of functions, exact ones combined, and the text around the tables.
#include "accuracy/document.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <ostream>

#include "accuracy/rules.h"

namespace accuracy {
namespace {

std::string format(const char* form, double value) {
  char text[64];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

std::string countText(std::uint64_t count) {
  if (count && (count & (count - 1)) == 0) return "2^" + std::to_string(std::countr_zero(count));
  return std::to_string(count);
}

std::string errorText(const Result& result) {
  const Outcome& outcome = result.outcome;
  std::string text = std::isinf(outcome.error) ? "wrong"
                     : outcome.error == 0      ? "0"
                     : outcome.error < 1e4     ? format("%.4f", outcome.error)
                                               : format("%.2e", outcome.error);
  if (outcome.failures) text += " (" + std::to_string(outcome.failures) + " not allowed)";
  return text;
}

// For a bound that depends on the argument: its value at this argument.
std::string allowedText(const Result& result) {
  const std::string there = format("%.4g", result.outcome.limit),
                    first = result.allowed.substr(0, result.allowed.find_first_not_of("0123456789."));
  return result.relaxed && first != there ? result.allowed + " (" + there + " there)" : result.allowed;
}

bool isExact(const Result& result) { return result.allowed == "0" && !result.outcome.failures; }

// Appends a name to the last row of names, or to a new one where the table would become wider than 120 columns.
void append(std::vector<std::string>& rows, const std::string& name) {
  constexpr std::size_t width = 85;
  if (rows.empty() || rows.back().size() + 2 + name.size() > width)
    rows.push_back(name);
  else
    rows.back() += ", " + name;
}

std::string placeText(const Result& result) { return result.outcome.error > 0 ? result.outcome.at : ""; }

// Rows of rounded functions, then combined rows of exact functions for each number of inputs.
void printRows(std::ostream& out, const std::vector<const Result*>& results) {
  out << "| function | largest error | at | allowed | inputs |\n|---|---|---|---|---|\n";
  std::map<std::uint64_t, std::vector<std::string>> exact;
  for (const Result* result : results) {
    if (isExact(*result)) {
      append(exact[result->inputs], result->function);
      continue;
    }
    out << "| " << result->function << " | " << errorText(*result) << " | " << placeText(*result) << " | "
        << allowedText(*result) << " | " << countText(result->inputs) << " |\n";
  }
  for (const auto& [inputs, rows] : exact)
    for (const std::string& names : rows) out << "| " << names << " | 0 | | 0 | " << countText(inputs) << " |\n";
}

std::vector<const Result*> select(const std::vector<Result>& results, const std::string& type,
                                  const std::string& shape = {}) {
  std::vector<const Result*> chosen;
  for (const Result& result : results)
    if (result.type == type && (shape.empty() || result.shape == shape)) chosen.push_back(&result);
  return chosen;
}

std::uint64_t largestCount(const std::vector<const Result*>& results) {
  std::uint64_t count = 0;
  for (const Result* result : results) count = std::max(count, result->inputs);
  return count;
}

// Error by bound; the error of functions without a bound.
double shareOf(const Result& result) { return result.outcome.failures ? INFINITY : result.outcome.share(); }

void printSection(std::ostream& out, const char* title, const std::string& text,
                  const std::vector<const Result*>& rows) {
  if (rows.empty()) return;
  out << "\n## " << title << "\n\n" << text << "\n\n";
  printRows(out, rows);
}

}  // namespace

void printTable(std::ostream& out, const std::vector<Result>& results) {
  for (const char* type : {"float", "double", "half"}) {
    const std::vector<const Result*> rows = select(results, type);
    if (rows.empty()) continue;
    out << "\n" << type << "\n\n";
    printRows(out, rows);
  }
}

void printOptionsTable(std::ostream& out, const std::vector<Result>& results) {
  std::vector<const Result*> worst;
  std::map<std::string, std::size_t> places;
  std::map<std::string, std::uint64_t> failures;
  for (const Result& result : results) {
    const std::string name = result.type + ' ' + result.function;
    failures[name] += result.outcome.failures;
    const auto [place, isNew] = places.try_emplace(name, worst.size());
    if (isNew)
      worst.push_back(&result);
    else if (shareOf(result) > shareOf(*worst[place->second]))
      worst[place->second] = &result;
  }
  out << "| type | function | largest error | at | allowed | with |\n|---|---|---|---|---|---|\n";
  std::map<std::string, std::vector<std::string>> exact;
  for (const Result* result : worst) {
    if (isExact(*result)) {
      append(exact[result->type], result->function);
      continue;
    }
    out << "| " << result->type << " | " << result->function << " | " << errorText(*result) << " | "
        << placeText(*result) << " | " << allowedText(*result) << " | "
        << (result->options.empty() ? "no option" : '`' + result->options + '`') << " |\n";
  }
  for (const auto& [type, rows] : exact)
    for (const std::string& names : rows) out << "| " << type << " | " << names << " | 0 | | 0 | all |\n";
}

void print(std::ostream& out, const Document& document) {
  const auto floats = select(document.plain, "float", "one"), pairs = select(document.plain, "float", "more"),
             doubles = select(document.plain, "double"), halves = select(document.plain, "half"),
             relaxed = select(document.relaxed, "float");
  out << "# Accuracy of the math functions\n\n"
         "Measured by `math_accuracy --document` (bench/README.md) on the device "
      << document.device
      << ".\n\n"
         "Each function is compared with a reference of higher precision. Errors are in units in the last place (ulp), "
         "as\n"
         "OpenCL C 3.0, section 7.4, defines them, beside the bound of the full profile. Special values (infinities, "
         "NaN, signed\n"
         "zeros, subnormal numbers) must be those of C99, Annex F, and of section 7.5 of OpenCL C. An error of 0 means "
         "that\n"
         "every result is correctly rounded. Of functions with two results (`sincos`, `fract`, `frexp`, `modf`, "
         "`remquo`,\n"
         "`lgamma_r`), both are compared. The standard has no bound for `lgamma`: its error is shown and not judged. "
         "The sign\n"
         "of a zero is not judged where a nonzero result is rounded to zero within the bound. docs/conformance.md has "
         "the\n"
         "results of Khronos' tests.\n";
  printSection(out, "One argument, float", "With 2^32 inputs, every bit pattern is one.", floats);
  printSection(
      out, "Two and three arguments, float",
      "All pairs of edge values, then random arguments: of all exponents, close to each other, and such that results\n"
      "neither overflow nor underflow.",
      pairs);
  printSection(out, "double",
               "The same kinds of inputs, with multiples of pi/2 and neighbours of powers of two; the reference is "
               "`long double`.",
               doubles);
  printSection(out, "half", "`cl_khr_fp16`: all 65,536 values, or " + countText(largestCount(halves)) + " pairs.",
               halves);
  printSection(
      out, "Relaxed math",
      "float with `-cl-fast-relaxed-math`: the functions for which the standard has separate bounds; the bounds of "
      "the\n"
      "others do not change. If a bound depends on the argument, the row shows where the error is the largest part of\n"
      "it, in ulps.",
      relaxed);
  if (document.others.empty()) return;
  out << "\n## With other options\n\nThe worst result of each function over the following sets of build options, with "
         "at least "
      << countText(document.othersInputs)
      << "\ninputs for each (65,536 for functions of one half). The worst result is the one whose error is the largest "
         "part of\n"
         "its bound; if several sets give the same, the first one is shown.\n\n";
  for (const std::string& options : optionSets())
    if (!options.empty()) out << "- `" << options << "`\n";
  out << '\n';
  printOptionsTable(out, document.others);
}

}  // namespace accuracy
