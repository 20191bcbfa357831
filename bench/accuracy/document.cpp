// SPDX-License-Identifier: Apache-2.0
// This file writes Markdown: rows of functions, those that are exact together in one, and the text around them.
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

// A bound that depends on the argument: what it is there.
std::string allowedText(const Result& result) {
  const std::string there = format("%.4g", result.outcome.limit),
                    first = result.allowed.substr(0, result.allowed.find_first_not_of("0123456789."));
  return result.relaxed && first != there ? result.allowed + " (" + there + " there)" : result.allowed;
}

bool isExact(const Result& result) { return result.allowed == "0" && !result.outcome.failures; }

void append(std::string& names, const std::string& name) { names += (names.empty() ? "" : ", ") + name; }

std::string placeText(const Result& result) { return result.outcome.error > 0 ? result.outcome.at : ""; }

// Rows of what is rounded, then one row of what is exact for each number of inputs.
void printRows(std::ostream& out, const std::vector<const Result*>& results) {
  out << "| function | largest error | at | allowed | inputs |\n|---|---|---|---|---|\n";
  std::map<std::uint64_t, std::string> exact;
  for (const Result* result : results) {
    if (isExact(*result)) {
      append(exact[result->inputs], result->function);
      continue;
    }
    out << "| " << result->function << " | " << errorText(*result) << " | " << placeText(*result) << " | " << allowedText(*result) << " | "
        << countText(result->inputs) << " |\n";
  }
  for (const auto& [inputs, names] : exact) out << "| " << names << " | 0 | | 0 | " << countText(inputs) << " |\n";
}

std::vector<const Result*> select(const std::vector<Result>& results, const std::string& type, const std::string& shape = {}) {
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

// How much of what is allowed; results of functions without a bound by their error.
double shareOf(const Result& result) { return result.outcome.failures ? INFINITY : result.outcome.share(); }

void printSection(std::ostream& out, const char* title, const std::string& text, const std::vector<const Result*>& rows) {
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
  std::map<std::string, std::string> exact;
  for (const Result* result : worst) {
    if (isExact(*result)) {
      append(exact[result->type], result->function);
      continue;
    }
    out << "| " << result->type << " | " << result->function << " | " << errorText(*result) << " | " << placeText(*result) << " | "
        << allowedText(*result) << " | " << (result->options.empty() ? "no option" : '`' + result->options + '`') << " |\n";
  }
  for (const auto& [type, names] : exact) out << "| " << type << " | " << names << " | 0 | | 0 | all |\n";
}

void print(std::ostream& out, const Document& document) {
  const auto floats = select(document.plain, "float", "one"), pairs = select(document.plain, "float", "more"),
             doubles = select(document.plain, "double"), halves = select(document.plain, "half"),
             relaxed = select(document.relaxed, "float");
  out << "# Accuracy of the math functions\n\n"
         "What `math_accuracy --document` measured (bench/README.md) on the device "
      << document.device
      << ". Each function is compared with a reference of higher\n"
         "precision; errors are in units in the last place (ulp), as OpenCL C 3.0, section 7.4, defines them, beside what it allows for "
         "the full profile. Special\n"
         "values (infinities, NaN, signed zeros, subnormal numbers) have to be what C99, Annex F, and section 7.5 of OpenCL C say. An "
         "error of 0 is the correctly\n"
         "rounded result. Where there are two results (`sincos`, `fract`, `frexp`, `modf`, `remquo`, `lgamma_r`), both are compared. The "
         "standard does not bound\n"
         "`lgamma`, which is shown and not judged. "
         "The sign of a zero that a number was rounded to within its bound is left open. docs/conformance.md has what Khronos' own tests "
         "say.\n";
  printSection(out, "One argument, float", "Every bit pattern is an input where there are 2^32.", floats);
  printSection(out, "Two and three arguments, float",
               "Edge values with each other, then random arguments of all exponents, close together, and where results neither overflow "
               "nor underflow.",
               pairs);
  printSection(out, "double",
               "The same kinds of inputs, multiples of pi/2 and numbers next to powers of two among them, against `long double`.", doubles);
  printSection(out, "half", "All 65,536 of `cl_khr_fp16`, or " + countText(largestCount(halves)) + " pairs.", halves);
  printSection(out, "Relaxed math",
               "float with `-cl-fast-relaxed-math`, as far as the standard has bounds of its own for it; the others keep theirs. Where a "
               "bound depends on the\nargument, the row shows where the error is the largest part of it, in ulps.",
               relaxed);
  if (document.others.empty()) return;
  out << "\n## With other options\n\nThe worst of each function over all of the following sets of build options, "
      << countText(document.othersInputs)
      << " inputs for each and more (65,536 for one half).\nWorst is what is the largest part of what is allowed. Where several sets give "
         "the same, "
         "the first one is named.\n\n";
  for (const std::string& options : optionSets())
    if (!options.empty()) out << "- `" << options << "`\n";
  out << '\n';
  printOptionsTable(out, document.others);
}

}  // namespace accuracy
