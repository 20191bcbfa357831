// SPDX-License-Identifier: Apache-2.0
// This file finds lines of a source by the numbers that the preprocessor gives them.
#include "device/source_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>

namespace clarity::device {
namespace {

constexpr std::size_t mostColumns = 80;
constexpr std::string_view blanks = " \t\r\v\f";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// `#line 12 "file"` or `# 12 "file"`: what the next line is. The file is empty if it stays.
struct LineDirective {
  std::uint32_t line = 0;
  std::string_view file;
};

std::optional<LineDirective> directiveIn(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = trimmed(line.substr(1));
  if (line.starts_with("line")) line = trimmed(line.substr(4));
  LineDirective result;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), result.line);
  if (error != std::errc()) return std::nullopt;
  line = trimmed(line.substr(static_cast<std::size_t>(end - line.data())));
  if (line.starts_with('"')) result.file = line.substr(1, line.find('"', 1) - 1);
  return result;
}

/// The line of a text that counts as this line of this file.
std::optional<std::string_view> lineIn(std::string_view text, std::string_view own, std::string_view file,
                                       std::uint32_t wanted) {
  std::string_view current = own;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (number == wanted && current == file) return line;
    if (const auto directive = directiveIn(line)) {
      number = directive->line - 1;
      if (!directive->file.empty()) current = directive->file;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

/// No more than fits, and no part of a character.
std::string cut(std::string_view text) {
  if (text.size() <= mostColumns) return std::string(text);
  std::size_t end = mostColumns - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace

void SourceText::add(std::string file, std::shared_ptr<const std::string> text) {
  const File added(std::move(file), std::move(text));
  if (std::ranges::find(files_, added) == files_.end()) files_.push_back(added);
}

void SourceText::add(const SourceText& other) {
  for (const auto& [file, text] : other.files_) add(file, text);
}

std::string SourceText::line(std::string_view file, std::uint32_t line) const {
  std::optional<std::string_view> found;
  for (const auto& [name, text] : files_) {
    if (!text && name == file) return {};
    const auto here = text ? lineIn(*text, name, file, line) : std::nullopt;
    if (here && found && trimmed(*here) != trimmed(*found)) return {};
    if (here) found = here;
  }
  return found ? cut(trimmed(*found)) : std::string();
}

}  // namespace clarity::device
