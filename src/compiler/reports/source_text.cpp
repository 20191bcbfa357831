// SPDX-License-Identifier: Apache-2.0
// This file reads expressions out of a line: names, brackets, members, forwards from a name and backwards from an
// operator.
#include "compiler/reports/source_text.h"

#include <algorithm>
#include <cctype>

namespace clarity::compiler {
namespace {

constexpr std::size_t mostQuoted = 60;

bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isBlank(char c) { return c == ' ' || c == '\t'; }

char closing(char open) { return open == '[' ? ']' : open == '(' ? ')' : '\0'; }
char opening(char close) { return close == ']' ? '[' : close == ')' ? '(' : '\0'; }

/// One past the bracket that closes the one at `at`; npos: not on this line.
std::size_t behindBracket(std::string_view line, std::size_t at) {
  const char open = line[at], close = closing(open);
  unsigned depth = 0;
  for (; at < line.size(); ++at) {
    depth += line[at] == open;
    if (line[at] == close && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

/// The bracket that opens the one at `at`; npos: not on this line.
std::size_t bracketBefore(std::string_view line, std::size_t at) {
  const char close = line[at], open = opening(close);
  unsigned depth = 0;
  for (;; --at) {
    depth += line[at] == close;
    if (line[at] == open && --depth == 0) return at;
    if (at == 0) return std::string_view::npos;
  }
}

std::size_t behindName(std::string_view line, std::size_t at) {
  while (at < line.size() && isNamePart(line[at])) ++at;
  return at;
}

/// One past the name at `at` and all subscripts, calls and members behind it.
std::size_t behindExpression(std::string_view line, std::size_t at) {
  at = behindName(line, at);
  while (at < line.size()) {
    if (closing(line[at])) {
      const std::size_t behind = behindBracket(line, at);
      if (behind == std::string_view::npos) return behind;
      at = behind;
    } else if (line[at] == '.' && at + 1 < line.size() && isNamePart(line[at + 1])) {
      at = behindName(line, at + 1);
    } else if (line.substr(at, 2) == "->") {
      at = behindName(line, at + 2);
    } else {
      return at;
    }
  }
  return at;
}

/// The beginning of the expression that ends ahead of `end`.
std::size_t beginOfExpression(std::string_view line, std::size_t end) {
  std::size_t at = end;
  while (at > 0) {
    const char c = line[at - 1];
    if (opening(c)) {
      const std::size_t open = bracketBefore(line, at - 1);
      if (open == std::string_view::npos) return end;
      at = open;
    } else if (isNamePart(c) || c == '.') {
      --at;
    } else if (at > 1 && line.substr(at - 2, 2) == "->") {
      at -= 2;
    } else {
      break;
    }
  }
  while (at > 0 && line[at - 1] == '*' && (at < 2 || !isNamePart(line[at - 2]))) --at;
  return at;
}

std::string quoted(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (!isBlank(c))
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  while (result.ends_with(' ')) result.pop_back();
  return result.size() > mostQuoted ? std::string() : result;
}

}  // namespace

SourceText::SourceText(std::string_view source) {
  while (!source.empty()) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    lines_.push_back(source.substr(0, end));
    source.remove_prefix(std::min(end + 1, source.size()));
  }
}

std::string SourceText::expressionAt(unsigned line, unsigned column) const {
  if (line == 0 || line > lines_.size() || column == 0 || column > lines_[line - 1].size()) return {};
  const std::string_view text = lines_[line - 1];
  std::size_t at = column - 1;
  if (text[at] == '*' && at + 1 < text.size() && (isNamePart(text[at + 1]) || text[at + 1] == '(')) {
    const std::size_t end = text[at + 1] == '(' ? behindBracket(text, at + 1) : behindExpression(text, at + 1);
    // A product has something to its left.
    std::size_t left = at;
    while (left > 0 && isBlank(text[left - 1])) --left;
    if (left == 0 || (!isNamePart(text[left - 1]) && !opening(text[left - 1])))
      return end == std::string_view::npos ? std::string() : quoted(text.substr(at, end - at));
  }
  if (isNamePart(text[at])) {
    const std::size_t begin = at > 0 && (text[at - 1] == '.' || text[at - 1] == '>') ? beginOfExpression(text, at) : at;
    const std::size_t end = behindExpression(text, at);
    return end == std::string_view::npos ? std::string() : quoted(text.substr(begin, end - begin));
  }
  if (std::string_view("=+-*/%&|^<>").find(text[at]) == std::string_view::npos) return {};
  while (at > 0 && isBlank(text[at - 1])) --at;
  return quoted(text.substr(beginOfExpression(text, at), at - beginOfExpression(text, at)));
}

std::string SourceText::operatorAt(unsigned line, unsigned column) const {
  if (line == 0 || line > lines_.size() || column == 0 || column > lines_[line - 1].size()) return {};
  const std::string_view text = lines_[line - 1].substr(column - 1);
  if (text.starts_with("<<") || text.starts_with(">>")) return std::string(text.substr(0, 2));
  return std::string_view("%/&|^").find(text[0]) == std::string_view::npos ? std::string()
                                                                           : std::string(text.substr(0, 1));
}

}  // namespace clarity::compiler
