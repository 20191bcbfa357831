// SPDX-License-Identifier: Apache-2.0
// This file parses sizes.
#include "counts.h"

#include "command.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clarity::tools {
namespace {

std::optional<size_t> multiply(size_t a, size_t b) {
  size_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// 1000, 2^20, 4k
std::optional<size_t> parseFactor(std::string_view text) {
  size_t unit = 1;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K': unit = size_t{1} << 10; break;
      case 'm':
      case 'M': unit = size_t{1} << 20; break;
      case 'g':
      case 'G': unit = size_t{1} << 30; break;
      default: break;
    }
    if (unit > 1) text.remove_suffix(1);
  }
  size_t value = 0;
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop == text.data()) return std::nullopt;
  if (stop != end && *stop == '^') {
    size_t exponent = 0;
    const char* begin = stop + 1;
    auto [last, wrong] = std::from_chars(begin, end, exponent);
    if (wrong != std::errc() || last != end || last == begin) return std::nullopt;
    const size_t base = value;
    value = exponent == 0 ? 1 : base;
    for (size_t i = 1; i < exponent && base > 1; ++i) {  // ends by overflow after 63 steps at most
      const auto next = multiply(value, base);
      if (!next) return std::nullopt;
      value = *next;
    }
  } else if (stop != end) {
    return std::nullopt;
  }
  return multiply(value, unit);
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::optional<size_t> parseCount(std::string_view text) {
  size_t product = 1;
  for (const std::string& part : split(text, '*')) {
    const auto factor = parseFactor(part);
    const auto next = factor ? multiply(product, *factor) : std::nullopt;
    if (!next) return std::nullopt;
    product = *next;
  }
  return product;
}

std::optional<std::vector<size_t>> parseShape(std::string_view text, char separator) {
  std::vector<size_t> shape;
  size_t elements = 1;
  for (const std::string& part : split(text, separator)) {
    const auto size = parseCount(part);
    const auto next = size ? multiply(elements, *size) : std::nullopt;
    if (!next) return std::nullopt;
    elements = *next;
    shape.push_back(*size);
  }
  return shape;
}

std::vector<size_t> parseRange(const std::string& option, const std::string& text, bool zeroAllowed) {
  std::string plain = text;
  std::ranges::replace(plain, ',', 'x');
  const auto shape = parseShape(plain);
  if (!shape || shape->size() > 3)
    throw UsageError(fmt::format("{} {}: expected one to three sizes, such as 1024, 512,512 or 2^20", option, text));
  if (!zeroAllowed && std::ranges::find(*shape, size_t{0}) != shape->end())
    throw UsageError(fmt::format("{} {}: a size cannot be 0", option, text));
  return *shape;
}

std::string shapeText(const std::vector<size_t>& sizes) { return fmt::format("{}", fmt::join(sizes, "x")); }

}  // namespace clarity::tools
