// SPDX-License-Identifier: Apache-2.0
// This file writes findings for people, in the form of compilers, so that editors find the places.
#include "check/report/reporter.h"
#include "support/counted.h"
#include "support/diagnostic_colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clarity::check {
namespace {

/// `text` in lines of up to `columns`, each behind `indent` blanks.
std::string wrapped(std::string_view text, unsigned indent, unsigned columns) {
  std::string result;
  const std::size_t width = columns > indent + 20 ? columns - indent : 20;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > width) {
      end = text.rfind(' ', width);
      if (end == text.npos || end == 0) end = std::min(text.find(' '), text.size());
    }
    result += std::string(indent, ' ') + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return result;
}

std::string positionOf(const std::string& file, std::uint32_t line, std::uint32_t column) {
  if (line == 0) return {};
  const std::string name = file.empty() ? "<source>" : file;
  return column ? fmt::format("{}:{}:{}: ", name, line, column) : fmt::format("{}:{}: ", name, line);
}

/// The line of the source and a caret; long ones are cut around the column.
std::string quoted(const compiler::Site& place, unsigned columns) {
  if (place.text.empty()) return {};
  const std::string number = fmt::format("{:>5} | ", place.line);
  const std::size_t width = std::max<std::size_t>(columns, 40) - number.size();
  std::size_t at = place.column > place.indent ? place.column - place.indent - 1 : 0;
  std::string text = place.text;
  if (text.size() > width) {
    // Where it is cut there are dots.
    constexpr std::string_view dots = "...";
    const std::size_t begin = at > width / 2 ? std::min(at - width / 2, text.size() - width) : 0;
    const bool isCutBehind = begin + width < text.size();
    text = text.substr(begin, width);
    if (begin != 0) text.replace(0, dots.size(), dots);
    if (isCutBehind) text.replace(text.size() - dots.size(), dots.size(), dots);
    at -= begin;
  }
  std::string caret = place.column ? "      | " + std::string(at, ' ') + "^\n" : "";
  std::ranges::replace(text, '\t', ' ');
  return number + text + "\n" + caret;
}

std::string calls(const compiler::Site& place) {
  std::string text;
  for (const compiler::SiteCall& call : place.calls)
    text += fmt::format("{}note: called here{}\n", positionOf(call.file, call.line, call.column),
                        call.function.empty() ? "" : " in '" + call.function + "'");
  return text;
}

}  // namespace

std::string formatted(const Finding& finding, bool colour, unsigned columns) {
  const KindText& kind = textOf(finding.kind);
  const compiler::Site& place = finding.party.place;
  std::string text =
      fmt::format("{}error: {} [{}]\n", positionOf(place.file, place.line, place.column), finding.summary, kind.name);
  text += quoted(place, columns) + wrapped(finding.party.what, 4, columns) + calls(place);
  for (const Party& other : finding.others) {
    text += fmt::format("{}note: {}\n", positionOf(other.place.file, other.place.line, other.place.column), other.what);
    text += quoted(other.place, columns) + calls(other.place);
  }
  if (const compiler::Site& from = finding.creation.place; from.line != 0)
    text += fmt::format("{}note: {}\n", positionOf(from.file, from.line, from.column), finding.creation.what) +
            quoted(from, columns);
  if (const compiler::Site& from = finding.launch.place; from.line != 0)
    text += fmt::format("{}note: kernel '{}' was enqueued here: {}\n", positionOf(from.file, from.line, from.column),
                        finding.kernel, finding.launch.what) +
            quoted(from, columns);
  else if (!finding.launch.what.empty())
    text += wrapped(fmt::format("launch: {}", finding.launch.what), 4, columns);
  text += wrapped(fmt::format("help: {}", finding.help.empty() ? std::string(kind.help) : finding.help), 4, columns);
  text += wrapped(fmt::format("page: clarity explain {}", kind.name), 4, columns);
  text = support::withSingulars(std::move(text));
  return colour ? support::coloured(text) : text;
}

std::string formattedPart(const Finding& finding, const compiler::Site& whole, bool colour, unsigned columns) {
  const compiler::Site& place = finding.party.place;
  const bool isInFile = place.file == whole.file;
  const std::string line = isInFile && place.line == whole.line ? "the same mistake"
                           : isInFile ? fmt::format("the mistake in line {}", whole.line)
                                      : fmt::format("the mistake in {}:{}", whole.file, whole.line);
  std::string text = fmt::format("{}note: part of {}\n", positionOf(place.file, place.line, place.column), line);
  text += quoted(place, columns) + wrapped(finding.party.what, 4, columns) + calls(place);
  for (const Party& other : finding.others) {
    text += fmt::format("{}note: {}\n", positionOf(other.place.file, other.place.line, other.place.column), other.what);
    text += quoted(other.place, columns) + calls(other.place);
  }
  text = support::withSingulars(std::move(text));
  return colour ? support::coloured(text) : text;
}

}  // namespace clarity::check
