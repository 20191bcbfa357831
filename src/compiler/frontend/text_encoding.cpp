// SPDX-License-Identifier: Apache-2.0
// This file looks at the first bytes of a source.
#include "compiler/frontend/text_encoding.h"

#include <algorithm>
#include <cstddef>

namespace clarity::compiler {
namespace {

using namespace std::string_view_literals;

/// Whether the first characters are of ASCII, of `width` bytes each, all but the one at `place` zero.
bool isWidened(std::string_view source, std::size_t width, std::size_t place) {
  constexpr std::size_t looked = 8;
  const std::size_t characters = std::min(source.size() / width, looked);
  for (std::size_t at = 0; at < characters * width; ++at)
    if ((source[at] != 0) != (at % width == place)) return false;
  return characters >= 2;
}

}  // namespace

std::string_view wideEncodingOf(std::string_view source) {
  if (source.starts_with("\xff\xfe\0\0"sv) || source.starts_with("\0\0\xfe\xff"sv)) return "UTF-32";
  if (source.starts_with("\xff\xfe"sv) || source.starts_with("\xfe\xff"sv)) return "UTF-16";
  if (isWidened(source, 4, 0) || isWidened(source, 4, 3)) return "UTF-32";
  return isWidened(source, 2, 0) || isWidened(source, 2, 1) ? "UTF-16" : "";
}

}  // namespace clarity::compiler
