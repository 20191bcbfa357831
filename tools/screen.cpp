// SPDX-License-Identifier: Apache-2.0
// This file lays text out for terminals.
#include "screen.h"

#include "counts.h"
#include "support/diagnostic_colours.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace clarity::tools {
namespace {

bool hasColour(int file) {
  const char* terminal = std::getenv("TERM");
  const char* without = std::getenv("NO_COLOR");
  return ::isatty(file) && !(without && *without) && terminal && std::string_view(terminal) != "dumb";
}

// Columns on the screen: one for each code point.
size_t columns(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

// The beginning of the text of a line's last column: after its last run of spaces.
size_t lastColumn(std::string_view line, size_t width) {
  const size_t begin = line.find_first_not_of(' ');
  if (begin == line.npos) return 0;
  const size_t gap = line.substr(0, width).rfind("  ");
  return gap == line.npos || gap < begin ? begin : gap + 2;
}

// Whether a word is the unit of the number ahead of it: "%", "us", "GB/s", "GFLOP", or a prefix alone.
bool isUnit(std::string_view word) {
  word = word.substr(0, word.find_last_not_of(".,;:)") + 1);
  if (word.ends_with("/s")) word.remove_suffix(2);
  constexpr std::string_view whole[] = {"%", "s", "ms", "us", "ns", "B", "FLOP", "KiB", "MiB", "GiB"};
  if (std::ranges::find(whole, word) != std::end(whole)) return true;
  if (word.empty() || std::string_view("kKMGT").find(word[0]) == word.npos) return false;
  word.remove_prefix(1);
  return word.empty() || word == "B" || word == "FLOP";
}

// Whether a line may be broken at a space: not between a number and its unit.
bool canBreakAt(std::string_view line, size_t space) {
  const std::string_view rest = line.substr(space + 1);
  const bool isBehindNumber = space > 0 && line[space - 1] >= '0' && line[space - 1] <= '9';
  return !isBehindNumber || !isUnit(rest.substr(0, rest.find(' ')));
}

std::string wrappedLine(std::string_view whole, size_t width) {
  std::string line(whole), result;
  const std::string indent(std::min(lastColumn(line, width), width / 2), ' ');
  while (columns(line) > width) {
    size_t space = line.rfind(' ', width);
    while (space != line.npos && space > indent.size() && !canBreakAt(line, space)) space = line.rfind(' ', space - 1);
    if (space == line.npos || space <= indent.size()) space = line.find(' ', std::max(width, indent.size() + 1));
    if (space == line.npos) break;
    const size_t rest = line.find_first_not_of(' ', space);
    result.append(line, 0, line.find_last_not_of(' ', space) + 1).append("\n");
    if (rest == line.npos) return result.substr(0, result.size() - 1);
    line = indent + line.substr(rest);
  }
  return result + line;
}

}  // namespace

size_t screenWidth() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0)
    return std::clamp<size_t>(size.ws_col, 40, 140);
  const char* const wanted = std::getenv("COLUMNS");
  const auto columns = wanted ? parseCount(wanted) : std::nullopt;
  return columns ? std::clamp<size_t>(*columns, 40, 1000) : 80;
}

bool standardOutputHasColour() { return hasColour(STDOUT_FILENO); }
bool standardErrorHasColour() { return hasColour(STDERR_FILENO); }

std::string wrapped(std::string_view text, size_t width) {
  std::string result;
  for (;;) {
    const size_t end = std::min(text.find('\n'), text.size());
    result += wrappedLine(text.substr(0, end), width);
    if (end == text.size()) return result;
    result += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string shortened(const std::string& text, size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 2) + "..";
}

void printError(std::string_view text) noexcept { (void)std::fwrite(text.data(), 1, text.size(), stderr); }

void standInForClosed() noexcept {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest number that is free is this one, because those below are taken.
    (void)::open("/dev/null", (file == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
  }
}

void printLog(std::string_view log) {
  printError((standardErrorHasColour() ? support::coloured(log) : std::string(log)) +
             (log.ends_with('\n') ? "" : "\n"));
}

}  // namespace clarity::tools
