// SPDX-License-Identifier: Apache-2.0
// This file colours diagnostics line by line.
#include "support/diagnostic_colours.h"

#include <algorithm>
#include <cstddef>

namespace clarity::support {
namespace {

constexpr std::string_view resetCode = "\x1b[0m", boldCode = "\x1b[1m", redCode = "\x1b[1;31m",
                           greenCode = "\x1b[1;32m", magentaCode = "\x1b[1;35m", cyanCode = "\x1b[1;36m";

struct Kind {
  std::string_view word, colour;
};
constexpr Kind messageKinds[] = {
    {"fatal error:", redCode}, {"error:", redCode}, {"warning:", magentaCode}, {"note:", cyanCode}};

std::string painted(std::string_view colour, std::string_view text) {
  if (text.empty()) return {};
  return std::string(colour).append(text).append(resetCode);
}

/// "      |  ^~~": what clang writes below a line of source.
bool isCaretLine(std::string_view line) {
  const std::size_t bar = line.find('|');
  if (bar == line.npos || line.find_first_not_of(' ') != bar) return false;
  const std::string_view marks = line.substr(bar + 1);
  return marks.find_first_of("^~") != marks.npos && marks.find_first_not_of(" ^~") == marks.npos;
}

/// "CL_INVALID_VALUE" where it begins a word of `line` and ends before a colon.
std::string_view codeIn(std::string_view line) {
  const std::size_t at = line.find("CL_");
  if (at == line.npos || (at != 0 && line[at - 1] != ' ')) return {};
  const std::size_t end = line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", at);
  return end != line.npos && line[end] == ':' ? line.substr(at, end - at) : std::string_view();
}

std::string colouredLine(std::string_view line) {
  if (isCaretLine(line)) {
    const std::size_t marks = line.find('|') + 1;
    return std::string(line.substr(0, marks)) + painted(greenCode, line.substr(marks));
  }
  for (const auto& [word, colour] : messageKinds) {
    const std::size_t at = line.find(word);
    if (at == line.npos || (at != 0 && !line.substr(0, at).ends_with(": "))) continue;
    return painted(boldCode, line.substr(0, at)) + painted(colour, word) +
           painted(boldCode, line.substr(at + word.size()));
  }
  const std::string_view code = codeIn(line);
  if (code.empty()) return std::string(line);
  const auto at = static_cast<std::size_t>(code.data() - line.data());
  return painted(boldCode, line.substr(0, at)) + painted(redCode, code) + std::string(line.substr(at + code.size()));
}

}  // namespace

std::string coloured(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += colouredLine(text.substr(0, end));
    if (end < text.size()) result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace clarity::support
