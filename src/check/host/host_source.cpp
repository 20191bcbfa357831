// SPDX-License-Identifier: Apache-2.0
// This file reads calls by their text alone: brackets, commas, names.
#include "check/host/host_source.h"

#include <algorithm>
#include <fstream>

namespace clarity::check {
namespace {

/// npos: there is none in the line.
std::size_t beginOfComment(const std::string& line) {
  bool isText = false;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) isText = !isText;
    if (!isText && line[i] == '/' && line[i + 1] == '/') return i;
  }
  return line.npos;
}

/// The place at which the arguments of a call of the function begin, or of a variable that its constructor makes
/// (`Buffer b(...)`); npos: there is none.
std::size_t beginOfArguments(const std::string& text, std::string_view function, std::size_t from) {
  for (std::size_t at = text.find(function, from); at != text.npos; at = text.find(function, at + 1)) {
    if (at != 0 && isOfName(text[at - 1])) continue;
    std::size_t end = at + function.size();
    if (end < text.size() && text[end] == ' ') {
      while (end < text.size() && text[end] == ' ') ++end;
      while (end < text.size() && isOfName(text[end])) ++end;
    }
    if (end < text.size() && (text[end] == '(' || text[end] == '{')) return end + 1;
  }
  return text.npos;
}

/// The place at which a bracket that opens at a place closes; the size of the text if it does not.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[' || text[i] == '<';
    depth -= text[i] == ')' || text[i] == ']' || (text[i] == '>' && text[i - 1] != '-');
    if (depth == 0) return i;
  }
  return text.size();
}

/// An expression without casts and brackets around it: "(void*)&items[0]", "static_cast<void*>(items)".
std::string_view withoutCasts(std::string_view text) {
  for (;;) {
    if (text.starts_with("static_cast<") || text.starts_with("reinterpret_cast<") || text.starts_with("const_cast<")) {
      const std::size_t end = closing(text, text.find('<'));
      if (end + 1 >= text.size()) return {};
      text.remove_prefix(end + 1);
    }
    if (!text.starts_with('(')) return text;
    const std::size_t end = closing(text, 0);
    if (end >= text.size()) return {};
    text = end + 1 == text.size() ? text.substr(1, end - 1) : text.substr(end + 1);
  }
}

/// A line and those behind it.
std::string textFrom(const compiler::SiteCall& line) {
  constexpr unsigned mostLines = 12;
  return sourceText(line.file, line.line, mostLines);
}

/// The place of the semicolon that ends a statement; the size of the text if there is none.
std::size_t endOfStatement(std::string_view text, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '{';
    depth -= text[i] == ')' || text[i] == '}';
    if (text[i] == ';' && depth <= 0) return i;
  }
  return text.size();
}

/// The arguments of a call, without blanks, from behind its bracket; empty if it does not close.
std::vector<std::string> argumentsFrom(std::string_view text, std::size_t at) {
  std::vector<std::string> arguments(1);
  unsigned depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if ((c == ')' || c == '}') && depth == 0) return arguments;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0)
      arguments.emplace_back();
    else if (c != ' ' && c != '\t')
      arguments.back() += c;
  }
  return {};
}

/// The text behind `#define NAME(` in a file, as one line; empty if there is no such macro.
std::string definitionOf(const std::string& file, const std::string& name) {
  std::ifstream stream(file);
  std::string next, text;
  while (std::getline(stream, next)) {
    std::string line = std::move(next);
    while (line.ends_with('\\') && std::getline(stream, next)) line.back() = ' ', line += next;
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == line.npos || line[hash] != '#') continue;
    const std::size_t word = line.find("define", hash), begin = line.find_first_not_of(" \t", word + 6);
    if (word == line.npos || begin == line.npos || line.compare(begin, name.size() + 1, name + "(") != 0) continue;
    text = line.substr(begin + name.size() + 1);
  }
  return text;
}

/// The body of the macro that a statement begins with, with its arguments in place of its parameters.
std::string bodyOfMacro(const std::string& file, const std::string& statement) {
  const auto end = static_cast<std::size_t>(std::ranges::find_if_not(statement, isOfName) - statement.begin());
  const std::size_t open = statement.find_first_not_of(' ', end);
  if (end == 0 || open == statement.npos || statement[open] != '(') return {};
  const std::string definition = definitionOf(file, statement.substr(0, end));
  const std::vector<std::string> given = argumentsFrom(statement, open + 1), names = argumentsFrom(definition, 0);
  if (definition.empty() || given.size() != names.size()) return {};
  std::string body;
  for (std::size_t at = definition.find(')') + 1; at < definition.size();) {
    std::size_t behind = at;
    while (behind < definition.size() && isOfName(definition[behind])) ++behind;
    const std::string word = definition.substr(at, std::max(behind, at + 1) - at);
    const auto name = std::ranges::find(names, word);
    body += name == names.end() ? word : given[static_cast<std::size_t>(name - names.begin())];
    at += word.size();
  }
  return body;
}

}  // namespace

std::string sourceText(const std::string& file, std::uint32_t first, std::uint32_t count) {
  std::ifstream stream(file);
  std::string text, next;
  for (std::uint32_t i = 1; i < first + count && std::getline(stream, next); ++i) {
    const std::size_t begin = next.find_first_not_of(" \t");
    const bool isDirective = begin != next.npos && next[begin] == '#';
    if (i >= first && !isDirective) text += next.substr(0, beginOfComment(next)) + ' ';
  }
  return text;
}

std::vector<std::string> argumentsInSource(const compiler::SiteCall& line, std::string_view function) {
  const std::string text = textFrom(line);
  std::size_t from = std::min<std::size_t>(line.column ? line.column - 1 : 0, text.size());
  // Compilers name the place of the bracket for methods.
  while (from > 0 && isOfName(text[from - 1])) --from;
  const std::string statement = text.substr(from, endOfStatement(text, from) - from);
  if (const std::size_t at = beginOfArguments(statement, function, 0); at != text.npos)
    return argumentsFrom(statement, at);
  const std::string body = bodyOfMacro(line.file, statement);
  const std::size_t at = beginOfArguments(body, function, 0);
  return at == body.npos ? std::vector<std::string>() : argumentsFrom(body, at);
}

std::string nameOfResult(const compiler::SiteCall& line, std::string_view function) {
  const std::string text = textFrom(line);
  const std::size_t call = text.find(function), sign = text.rfind('=', call);
  if (call == text.npos || sign == text.npos || sign == 0 || text.find(';') < call) return {};
  std::size_t end = sign;
  while (end > 0 && text[end - 1] == ' ') --end;
  std::size_t begin = end;
  while (begin > 0 && (isOfName(text[begin - 1]) || text[begin - 1] == '.' ||
                       (text[begin - 1] == '>' && begin > 1 && text[begin - 2] == '-') ||
                       (text[begin - 1] == '-' && text[begin] == '>')))
    --begin;
  return text.substr(begin, end - begin);
}

std::string nameOfAddressed(std::string_view argument) {
  argument = withoutCasts(argument);
  if (!argument.starts_with('&')) return {};
  const std::string_view name = withoutCasts(argument.substr(1));
  return !name.empty() && std::ranges::all_of(name, isOfName) ? std::string(name) : std::string();
}

std::optional<DebugPointer> pointerOf(std::string_view text) {
  using enum DebugPointer::Step::Kind;
  text = withoutCasts(text);
  DebugPointer pointer;
  if (text.starts_with('&')) {
    pointer.isAddress = true;
    text = withoutCasts(text.substr(1));
  }
  const auto takeName = [&] {
    const std::size_t length = static_cast<std::size_t>(std::ranges::find_if_not(text, isOfName) - text.begin());
    std::string name(text.substr(0, length));
    text.remove_prefix(length);
    return name;
  };
  pointer.name = takeName();
  if (pointer.name.empty() || std::isdigit(static_cast<unsigned char>(pointer.name[0]))) return std::nullopt;
  while (!text.empty()) {
    if (text[0] == '+' && !pointer.isAddress) break;  // further elements of the same memory
    if (text[0] == '[') {
      const std::size_t end = closing(text, 0);
      if (end >= text.size()) return std::nullopt;
      pointer.steps.push_back({Element});
      text.remove_prefix(end + 1);
      continue;
    }
    const bool isThrough = text.starts_with("->");
    if (!isThrough && text[0] != '.') return std::nullopt;
    text.remove_prefix(isThrough ? 2 : 1);
    if (isThrough) pointer.steps.push_back({Through});
    const std::string name = takeName();
    if (text.starts_with("()") && (name == "data" || name == "get")) {
      pointer.steps.push_back({Data});
      text.remove_prefix(2);
      if (!text.empty() && text[0] != '+') return std::nullopt;
    } else {
      if (name.empty()) return std::nullopt;
      pointer.steps.push_back({Member, name});
    }
  }
  return pointer;
}

std::optional<DebugVariable> typeOfNumber(std::string_view text) {
  using enum DebugNumber::Kind;
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !std::isdigit(static_cast<unsigned char>(text[0])) || text.starts_with("0x")) return std::nullopt;
  const bool isFloat = text.find_first_of(".e") != text.npos;
  const std::string_view suffix = text.substr(std::min(text.size(), text.find_first_not_of("0123456789.e+-")));
  if (isFloat && suffix.empty()) return DebugVariable{"double", sizeof(double), true, {{Float, 0, sizeof(double)}}};
  if (isFloat && (suffix == "f" || suffix == "F"))
    return DebugVariable{"float", sizeof(float), true, {{Float, 0, sizeof(float)}}};
  if (!isFloat && suffix.empty()) return DebugVariable{"int", sizeof(int), true, {{Integer, 0, sizeof(int)}}};
  return std::nullopt;
}

}  // namespace clarity::check
