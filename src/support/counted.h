// SPDX-License-Identifier: Apache-2.0
// This file puts numbers before nouns: "1 byte", "2 bytes".
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace clarity::support {

/// A number with its noun, which gets an s for every number but one, where it is formatted: so that a sentence for an
/// error costs nothing until there is one.
struct Counted {
  std::uint64_t count;
  std::string_view noun;  ///< the noun for one: "byte"
};

/// A sentence for a person in which "1 bytes" is "1 byte", for the nouns that are counted in sentences of the driver.
std::string withSingulars(std::string text);

}  // namespace clarity::support

template <>
struct fmt::formatter<clarity::support::Counted> {
  constexpr auto parse(format_parse_context& context) { return context.begin(); }
  auto format(const clarity::support::Counted& what, format_context& context) const {
    return fmt::format_to(context.out(), "{} {}{}", what.count, what.noun, what.count == 1 ? "" : "s");
  }
};
