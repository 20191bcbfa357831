// SPDX-License-Identifier: Apache-2.0
// This file implements the checks and texts of options that CLI11 has none or unclear ones for.
#include "option_text.h"

#include "command.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {

CLI::Validator oneOf(std::vector<std::string> words) {
  const std::string list = fmt::format("{{{}}}", fmt::join(words, ","));
  const auto check = [words = std::move(words)](std::string& given) -> std::string {
    if (std::ranges::find(words, given) != words.end()) return {};
    if (const std::string meant = didYouMean(given, words); !meant.empty())
      return fmt::format("there is no '{}'{}", given, meant);
    return words.size() == 1 ? fmt::format("there is no '{}', only {}", given, words[0])
                             : fmt::format("'{}' is none of {}", given, fmt::join(words, ", "));
  };
  return {check, list};
}

CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most) {
  const auto check = [=](std::string& given) -> std::string {
    std::uint64_t value = 0;
    const char* const end = given.data() + given.size();
    const auto [stop, error] = std::from_chars(given.data(), end, value);
    if (error == std::errc() && stop == end && value >= least && value <= most) return {};
    return fmt::format("'{}' is not a whole number from {} to {}", given, least, most);
  };
  return {check, ""};
}

CLI::Validator positiveNumber() {
  const auto check = [](std::string& given) -> std::string {
    double value = 0;
    const char* const end = given.data() + given.size();
    const auto [stop, error] = std::from_chars(given.data(), end, value);
    if (error == std::errc() && stop == end && value > 0 && std::isfinite(value)) return {};
    return fmt::format("'{}' is not a number above 0", given);
  };
  return {check, ""};
}

std::string valueName(const CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(":{"));  // what follows lists the words that it may be
}

std::string flagValueName(const CLI::Option& option) {
  const std::string names = option.get_name(false, true);
  if (!names.contains('{')) return {};
  return names.contains("{-}") ? "FILE" : "LIST";
}

std::string describe(const CLI::Option& option) {
  std::string more;
  if (option.get_type_size() != 0 && !option.get_default_str().empty())
    more = fmt::format(" (default: {})", option.get_default_str());
  if (!option.get_envname().empty()) more += fmt::format(" (or environment variable {})", option.get_envname());
  std::string text = option.get_description();
  size_t end = std::min(text.find('\n'), text.size());
  if (end > 0 && text[end - 1] == ':') --end;
  return text.insert(end, more);
}

std::string plainText(const CLI::ParseError& error) {
  const std::string text = error.what();
  const auto before = [&](std::string_view mark) { return text.substr(0, text.find(mark)); };
  constexpr std::string_view noValue = ": 1 required ", missing = " missing";
  if (const size_t at = text.find(noValue); at != text.npos && text.ends_with(missing)) {
    const size_t begin = at + noValue.size();
    std::string value = text.substr(begin, text.size() - missing.size() - begin);
    return fmt::format("{} needs a value: {}", before(noValue), value.substr(0, value.find(":{")));
  }
  if (text.contains(": At Most 1 required")) return fmt::format("{} was given more than once", before(": At Most"));
  // Options with values have checks of their own.
  constexpr std::string_view notConverted = "Could not convert: ";
  if (text.starts_with(notConverted))
    return fmt::format("{} takes no value", before(" = ").substr(notConverted.size()));
  return text;
}

}  // namespace clarity::tools
