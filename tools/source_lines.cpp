// SPDX-License-Identifier: Apache-2.0
// This file follows `#line` through a program's source.
#include "source_lines.h"

#include "kernel_source.h"
#include "pattern.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clarity::tools {
namespace {

/// Numbers that are larger name no line of a kernel.
constexpr std::size_t mostLines = 100'000;

struct NumberedLine {
  std::string file;
  std::size_t number = 0;
  std::string_view text;
};

/// Whether a comment that begins with a slash and an asterisk is open behind a line.
bool isCommentBehind(std::string_view line, bool isComment) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::string_view two = line.substr(at, 2);
    if (!isComment && two == "//") return false;
    if (two != (isComment ? "*/" : "/*")) continue;
    isComment = !isComment;
    ++at;
  }
  return isComment;
}

/// Follows `#if` and its like, as far as numbers tell which lines they leave out.
class Conditions {
public:
  bool isActive() const {
    return std::ranges::none_of(open_, [](State state) { return state != State::Taken && state != State::Unknown; });
  }

  void read(std::string_view line) {
    static const Pattern directive(R"(^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b\s*([01]?)\s*(?:$|/|([^\s])))");
    const auto match = directive.search(line);
    if (!match) return;
    const std::string word = (*match)[1];
    const bool isNumber = word == "if" && match->end(2) > match->begin(2) && !match->has(3);
    if (word.starts_with("if"))
      open_.push_back(!isNumber ? State::Unknown : (*match)[2] == "1" ? State::Taken : State::NotYet);
    else if (open_.empty())
      return;
    else if (word == "endif")
      open_.pop_back();
    else if (open_.back() == State::Taken)
      open_.back() = State::Over;
    else if (open_.back() == State::NotYet)
      open_.back() = word == "else" ? State::Taken : State::Unknown;
  }

private:
  enum class State { Unknown, Taken, NotYet, Over };  // of which side is read
  std::vector<State> open_;
};

std::vector<NumberedLine> numberedLines(std::string_view source) {
  static const Pattern directive(R"rx(^\s*#\s*(?:line\s+)?(\d{1,9})(?:\s+"([^"]*)")?)rx");
  std::vector<NumberedLine> lines;
  std::string file;
  std::size_t next = 1;
  const std::vector<std::string_view> all = linesOf(source);
  const std::vector<bool> active = activeLines(all);
  bool isComment = false;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const std::string_view line = all[at];
    const bool wasComment = std::exchange(isComment, isCommentBehind(line, isComment));
    const auto match = !active[at] || wasComment || line.find('#') == line.npos ? std::nullopt : directive.search(line);
    if (!match) {
      lines.push_back({file, next++, line});
      continue;
    }
    next = std::stoul((*match)[1]);
    if (match->has(2)) file = (*match)[2];
  }
  return lines;
}

/// The file that has the definition of a kernel; nothing: it is nowhere.
std::optional<std::string> fileWith(const std::vector<NumberedLine>& lines, const std::string& kernel) {
  constexpr std::size_t linesAhead = 4;  // attributes may stand between the word and the name
  for (std::size_t at = 0; at < lines.size(); ++at) {
    if (!hasWord(lines[at].text, kernel)) continue;
    for (std::size_t before = at - std::min(at, linesAhead); before <= at; ++before)
      if (hasWord(lines[before].text, "kernel") || hasWord(lines[before].text, "__kernel")) return lines[at].file;
  }
  return std::nullopt;
}

}  // namespace

std::vector<bool> activeLines(const std::vector<std::string_view>& lines) {
  Conditions conditions;
  std::vector<bool> active;
  bool isComment = false;
  for (const std::string_view line : lines) {
    if (!std::exchange(isComment, isCommentBehind(line, isComment)) && line.find('#') != line.npos)
      conditions.read(line);
    active.push_back(conditions.isActive());
  }
  return active;
}

std::string asNumbered(std::string_view source, const std::string& kernel) {
  if (source.find('#') == source.npos) return std::string(source);
  const std::vector<NumberedLine> lines = numberedLines(source);
  const std::vector<std::string_view> all = linesOf(source);
  const std::optional<std::string> file = fileWith(lines, kernel);
  if (lines.size() == all.size() || !file) return std::string(source);
  std::vector<std::string_view> placed;
  for (const NumberedLine& line : lines) {
    if (line.file != *file || line.number == 0 || line.number > mostLines) continue;
    placed.resize(std::max(placed.size(), line.number));
    placed[line.number - 1] = line.text;
  }
  std::string text;
  for (const std::string_view line : placed) text.append(line).append("\n");
  return text;
}

}  // namespace clarity::tools
