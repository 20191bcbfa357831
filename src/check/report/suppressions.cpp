// SPDX-License-Identifier: Apache-2.0
// This file compares findings with patterns.
#include "check/report/suppressions.h"

#include <algorithm>
#include <array>

#include <fnmatch.h>

namespace clarity::check {
namespace {

bool matches(const std::string& pattern, const std::string& text) {
  return pattern.empty() || ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// The name in "argument 1 'y'".
std::string variableOf(const Finding& finding) {
  const std::size_t begin = finding.object.find('\''), end = finding.object.rfind('\'');
  return begin < end ? finding.object.substr(begin + 1, end - begin - 1) : std::string();
}

}  // namespace

Suppressions::Suppressions(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = trimmed(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), text.find('\n') == text.npos ? text.size() : text.find('\n') + 1));
    if (line.empty() || line.starts_with('#')) continue;
    std::array<std::string, 4> parts;
    for (std::string& part : parts) {
      const std::size_t end = std::min(line.find(':'), line.size());
      part = trimmed(line.substr(0, end));
      line.remove_prefix(std::min(line.size(), end + 1));
    }
    lines_.push_back({parts[0], parts[1], parts[2], parts[3]});
  }
}

bool Suppressions::contains(const Finding& finding) const {
  const std::string kind(textOf(finding.kind).name), variable = variableOf(finding);
  const auto isAt = [](const Line& line, const Party& party) {
    const std::string& file = party.place.file;
    const bool isFile = matches(line.place, file) || matches(line.place, file.substr(file.rfind('/') + 1));
    return isFile && matches(line.line, std::to_string(party.place.line));
  };
  return std::ranges::any_of(lines_, [&](const Line& line) {
    if (!matches(line.kind, kind) && !(finding.writesSameValue && line.kind == "same-value")) return false;
    if (!matches(line.kernel, finding.kernel)) return false;
    if (line.line.empty() && !variable.empty() && matches(line.place, variable)) return true;
    return isAt(line, finding.party) ||
           std::ranges::any_of(finding.others, [&](const Party& other) { return isAt(line, other); });
  });
}

}  // namespace clarity::check
