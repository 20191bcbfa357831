// SPDX-License-Identifier: Apache-2.0
// This file reads the source of kernels.
#include "kernel_source.h"

#include "pattern.h"
#include "source_lines.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The text with spaces in place of comments, texts and directives, so that all the rest stands where it stood.
std::string withoutComments(std::string_view text) {
  std::string clean(text);
  bool isLineStart = true;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    const char c = text[at];
    if (text.substr(at, 2) == "//" || (c == '#' && isLineStart)) {
      end = std::min(text.find('\n', at), text.size());
      while (c == '#' && end < text.size() && text[end - 1] == '\\')
        end = std::min(text.find('\n', end + 1), text.size());
    } else if (text.substr(at, 2) == "/*") {
      end = text.find("*/", at + 2);
      end = end == text.npos ? text.size() : end + 2;
    } else if (c == '"' || c == '\'') {
      for (end = at + 1; end < text.size() && text[end] != c && text[end] != '\n'; ++end)
        if (text[end] == '\\') ++end;
      end = std::min(end + 1, text.size());
    }
    for (std::size_t i = at; i < end; ++i)
      if (clean[i] != '\n') clean[i] = ' ';
    isLineStart = c == '\n' || (isLineStart && std::isspace(static_cast<unsigned char>(c)));
    at = std::max(end, at + 1);
  }
  return clean;
}

/// The text with spaces in place of lines that the preprocessor leaves out.
std::string withoutInactive(std::string text, const std::vector<bool>& active) {
  std::size_t line = 0;
  for (char& c : text) {
    if (c == '\n')
      ++line;
    else if (line < active.size() && !active[line])
      c = ' ';
  }
  return text;
}

/// Reads statements, and notes those that have bodies.
class BlockReader {
public:
  BlockReader(std::string_view text, std::vector<SourceBlock>& blocks) : text_(text), blocks_(blocks) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ')') {
        ++at_;
        space();
        if (at_ < text_.size() && text_[at_] == '{') statement();
      } else {
        ++at_;
      }
    }
  }

  /// Behind the bracket that closes the one here.
  static std::size_t closing(std::string_view text, std::size_t at) {
    int depth = 0;
    for (; at < text.size(); ++at) {
      if (text[at] == '(' || text[at] == '{' || text[at] == '[') ++depth;
      if (text[at] == ')' || text[at] == '}' || text[at] == ']')
        if (--depth <= 0) return at + 1;
    }
    return text.size();
  }

private:
  unsigned lineAt(std::size_t at) {
    if (at < counted_) counted_ = 0, line_ = 1;
    line_ += static_cast<unsigned>(std::ranges::count(text_.substr(counted_, at - counted_), '\n'));
    counted_ = at;
    return line_;
  }

  void space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(std::string_view word) {
    space();
    const std::size_t end = at_ + word.size();
    if (text_.substr(at_, word.size()) != word || (end < text_.size() && isWordCharacter(text_[end]))) return false;
    at_ = end;
    return true;
  }

  void statement() {
    constexpr int deepest = 200;
    space();
    if (at_ >= text_.size() || text_[at_] == '}' || depth_ > deepest) return;
    ++depth_;
    const std::size_t begin = at_;
    if (text_[at_] == '{') {
      ++at_;
      for (space(); at_ < text_.size() && text_[at_] != '}'; space()) statement();
      at_ = std::min(at_ + 1, text_.size());
    } else if (take("for") || take("while")) {
      withBody(SourceBlock::Kind::Loop, begin);
    } else if (take("switch")) {
      withBody(SourceBlock::Kind::Switch, begin);
    } else if (take("if")) {
      withBody(SourceBlock::Kind::Branch, begin);
    } else if (take("do")) {
      SourceBlock block{.kind = SourceBlock::Kind::Loop, .first = lineAt(begin), .head = {}, .text = {}};
      statement();
      if (take("while")) block.head = head();
      finish(std::move(block), begin);
    } else {
      simple();
    }
    --depth_;
  }

  std::string head() {
    space();
    const std::size_t begin = at_;
    if (at_ >= text_.size() || text_[at_] != '(') return {};
    at_ = closing(text_, at_);
    return std::string(text_.substr(begin + 1, at_ - begin - 2));
  }

  void withBody(SourceBlock::Kind kind, std::size_t begin) {
    SourceBlock block{.kind = kind, .first = lineAt(begin), .head = head(), .text = {}};
    statement();
    const std::size_t end = at_;
    if (kind == SourceBlock::Kind::Branch && take("else")) {
      space();
      block.otherwise = lineAt(at_);
      statement();
    } else {
      at_ = end;
    }
    finish(std::move(block), begin);
  }

  void finish(SourceBlock block, std::size_t begin) {
    block.last = lineAt(at_ == 0 ? 0 : at_ - 1);
    block.text = text_.substr(begin, at_ - begin);
    blocks_.push_back(std::move(block));
  }

  void simple() {
    for (; at_ < text_.size() && text_[at_] != ';' && text_[at_] != '}'; ++at_)
      if (text_[at_] == '(' || text_[at_] == '{' || text_[at_] == '[') at_ = closing(text_, at_) - 1;
    if (at_ < text_.size() && text_[at_] == ';') ++at_;
  }

  const std::string_view text_;
  std::vector<SourceBlock>& blocks_;
  std::size_t at_ = 0, counted_ = 0;
  unsigned line_ = 1;
  int depth_ = 0;
};

}  // namespace

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool hasWord(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !isWordCharacter(text[at - 1])) && (end >= text.size() || !isWordCharacter(text[end]))) return true;
  }
  return false;
}

std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && isWordCharacter(text[end])) ++end;
    if (end > at && !std::isdigit(static_cast<unsigned char>(text[at]))) words.emplace_back(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

KernelSource::KernelSource(std::string_view source, const std::string& kernel) {
  const std::string text = asNumbered(source, kernel);
  const std::string clean = withoutInactive(withoutComments(text), activeLines(linesOf(text)));
  for (const std::string_view line : linesOf(clean)) code_.emplace_back(line);
  for (const std::string_view line : linesOf(text)) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
    indents_.push_back(begin + static_cast<std::size_t>(
                                   std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(begin), '\t')));
    shown_.emplace_back(line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin));
  }
  BlockReader(clean, blocks_).run();
  findKernel(clean, kernel);
  findArrays();
}

void KernelSource::findKernel(const std::string& clean, const std::string& kernel) {
  for (std::size_t at = clean.find(kernel); at != clean.npos; at = clean.find(kernel, at + 1)) {
    std::size_t open = at + kernel.size();
    if ((at > 0 && isWordCharacter(clean[at - 1])) || (open < clean.size() && isWordCharacter(clean[open]))) continue;
    while (open < clean.size() && std::isspace(static_cast<unsigned char>(clean[open]))) ++open;
    if (open >= clean.size() || clean[open] != '(') continue;
    const std::size_t close = BlockReader::closing(clean, open);
    std::size_t begin = close;
    while (begin < clean.size() && std::isspace(static_cast<unsigned char>(clean[begin]))) ++begin;
    if (begin >= clean.size() || clean[begin] != '{') continue;
    const std::size_t end = BlockReader::closing(clean, begin);
    parameters_ = clean.substr(open + 1, close - open - 2);
    body_ = clean.substr(at, end - at);
    const auto lineAt = [&](std::size_t to) {
      return 1 +
             static_cast<unsigned>(std::count(clean.begin(), clean.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    };
    first_ = lineAt(at);
    last_ = lineAt(end - 1);
    return;
  }
}

void KernelSource::findArrays() {
  static const Pattern declaration(R"(^\s*((?:__)?local\s+|(?:__)?private\s+)?([A-Za-z_]\w*)\s+([A-Za-z_]\w*)\s*\[)");
  static const Pattern more(R"(,\s*([A-Za-z_]\w*)\s*\[)");
  static const Pattern parameter(R"((?:^|,)\s*(?:__)?local\s+([^,]*?)(\w+)\s*(?:,|$))");
  // A comma ends one and begins the next.
  for (std::string_view left = parameters_; const auto match = parameter.search(left);) {
    arrays_.push_back({.name = (*match)[2], .type = (*match)[1], .line = first_, .isLocal = true});
    left.remove_prefix(match->end(2));
  }
  for (unsigned line = first_; line != 0 && line <= std::min(last_, lines()); ++line) {
    const std::string& text = code(line);
    const auto found = declaration.search(text);
    if (!found || (*found)[2] == "return") continue;
    const bool isLocal = (*found)[1].find("local") != std::string::npos;
    arrays_.push_back({.name = (*found)[3], .type = (*found)[2], .line = line, .isLocal = isLocal});
    for (const PatternMatch& each : more.all(text))
      arrays_.push_back({.name = each[1], .type = (*found)[2], .line = line, .isLocal = isLocal});
  }
}

const std::string& KernelSource::shown(unsigned line) const {
  static const std::string none;
  return line == 0 || line > shown_.size() ? none : shown_[line - 1];
}

std::string KernelSource::indented(unsigned line) const {
  return line == 0 || line > shown_.size() ? std::string() : std::string(indents_[line - 1], ' ') + shown_[line - 1];
}

const std::string& KernelSource::code(unsigned line) const {
  static const std::string none;
  return line == 0 || line > code_.size() ? none : code_[line - 1];
}

const SourceBlock* KernelSource::innermost(unsigned line, SourceBlock::Kind kind) const {
  const SourceBlock* inner = nullptr;
  for (const SourceBlock& block : blocks_) {
    if (block.kind != kind || !block.contains(line)) continue;
    if (!inner || block.last - block.first < inner->last - inner->first) inner = &block;
  }
  return inner;
}

const SourceBlock* KernelSource::loopOf(unsigned line) const { return innermost(line, SourceBlock::Kind::Loop); }

const SourceBlock* KernelSource::branchOf(unsigned line) const { return innermost(line, SourceBlock::Kind::Branch); }

const SourceBlock* KernelSource::blockAt(unsigned line, SourceBlock::Kind kind) const {
  for (const unsigned at : {line, line + 1})
    for (const SourceBlock& block : blocks_)
      if (block.kind == kind && block.first == at) return &block;
  return nullptr;
}

std::string KernelSource::macro(const std::string& name) const {
  for (const std::string& line : shown_) {
    if (!line.starts_with('#') || !hasWord(line, name)) continue;
    const std::vector<std::string> words = wordsOf(line);
    if (words.size() < 2 || words[0] != "define" || words[1] != name) continue;
    return line.substr(line.find(name) + name.size());
  }
  return {};
}

std::string KernelSource::namedType(const std::string& name) const {
  const Pattern named(fmt::format(R"(\btypedef\s+([^;{{}}]*\w)\s+{}\s*(?:\[[^;]*\]\s*)?;)", Pattern::literally(name)));
  for (unsigned line = 1; line <= lines(); ++line) {
    if (!hasWord(code(line), name)) continue;
    // The word may stand in a line ahead of the name.
    const unsigned before = line > 1 && !hasWord(code(line), "typedef") ? line - 1 : line;
    const std::string text = before == line ? code(line) : code(before) + " " + code(line);
    if (const auto match = named.search(text)) return (*match)[1];
  }
  return {};
}

std::string KernelSource::definitionOf(const std::string& variable) const {
  const Pattern made(fmt::format(R"([A-Za-z_]\w*\s+(?:\w+\s*=[^;]*,\s*)?{}\s*=[^=])", Pattern::literally(variable)));
  for (unsigned line = first_; line != 0 && line <= std::min(last_, lines()); ++line)
    if (hasWord(code(line), variable) && made.isIn(code(line))) return code(line);
  return {};
}

std::vector<std::string> KernelSource::variablesOf(std::string_view function) const {
  std::vector<std::string> names;
  const Pattern made(fmt::format(R"(([A-Za-z_]\w*)\s*=\s*(?:\(\s*\w+\s*\)\s*)?{}\s*\()", function));
  for (const PatternMatch& each : made.all(body_)) names.push_back(each[1]);
  return names;
}

}  // namespace clarity::tools
