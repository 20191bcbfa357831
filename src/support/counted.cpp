// SPDX-License-Identifier: Apache-2.0
// This file puts the nouns behind "1" in the singular.
#include "support/counted.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace clarity::support {
namespace {

constexpr std::string_view nouns[] = {
    "argument",  "bit",     "byte",  "channel",  "command", "command-queue", "constant",  "copy",   "device",
    "dimension", "element", "event", "file",     "image",   "instruction",   "iteration", "kernel", "lane",
    "launch",    "layer",   "level", "line",     "loop",    "mistake",       "other",     "packet", "pixel",
    "processor", "result",  "row",   "second",   "slice",   "sub-device",    "sub-group", "texel",  "thread",
    "time",      "unit",    "value", "variable", "word",    "work-group",    "work-item"};

bool isOfWord(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

/// Whether what ends there is the number one: not 31, 0.1, x1, 1-1 or 8 x 1.
bool isOne(std::string_view before) {
  if (!before.ends_with('1')) return false;
  before.remove_suffix(1);
  if (before.ends_with(" x ")) return false;
  return before.empty() || before.back() == ' ' || before.back() == '(' || before.back() == '\n';
}

}  // namespace

std::string withSingulars(std::string text) {
  for (std::size_t blank = text.find(' '); blank != text.npos; blank = text.find(' ', blank + 1)) {
    if (!isOne(std::string_view(text).substr(0, blank))) continue;
    std::size_t end = blank + 1;
    // "1 more lines".
    if (text.compare(end, 5, "more ") == 0) end += 5;
    const std::size_t begin = end;
    while (end < text.size() && isOfWord(text[end])) ++end;
    std::string_view word = std::string_view(text).substr(begin, end - begin);
    if (!word.ends_with('s')) continue;
    word.remove_suffix(1);
    if (std::ranges::find(nouns, word) != std::end(nouns)) text.erase(end - 1, 1);
  }
  return text;
}

}  // namespace clarity::support
