// SPDX-License-Identifier: Apache-2.0
// This file implements the lookup in the embedded library. make_pages.py writes pages.inc at build time: the position
// of every page in the embedded bytes, and the pages of every builtin by kind.
#include "builtins/builtins.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

// Bytes from embedded.S.
extern "C" const char clarity_builtins_pages_begin[];
extern "C" const char clarity_base_header_begin[];
extern "C" const char clarity_base_header_end[];

namespace clarity::builtins {
namespace {

struct Place {
  std::string_view chapter;
  std::uint32_t offset;
  std::uint32_t size;
};

#define CLARITY_PAGE(chapter, offset, size) Place{chapter, offset, size},
constexpr Place kPlaces[] = {
#include "pages.inc"
};
#undef CLARITY_PAGE

constexpr std::uint16_t kNoPage = 0xffff;

struct Builtin {
  std::string_view name;
  std::array<std::uint16_t, 4> pages;  ///< by kind: 1 for floating-point, 2 for vectors
};

#define CLARITY_BUILTIN(name, integer, floating, integers, floatings) \
  Builtin{name, {integer, floating, integers, floatings}},
constexpr Builtin kBuiltins[] = {
#include "pages.inc"
};
#undef CLARITY_BUILTIN
static_assert(std::ranges::is_sorted(kBuiltins, {}, &Builtin::name));

/// The name and the parameters of _Z<length><name><parameters>; a name of another form has no parameters.
std::pair<std::string_view, std::string_view> split(std::string_view name) {
  if (!name.starts_with("_Z")) {
    return {name, {}};
  }
  std::size_t length = 0;
  auto [rest, error] = std::from_chars(name.data() + 2, name.data() + name.size(), length);
  std::string_view tail = name.substr(static_cast<std::size_t>(rest - name.data()));
  if (error != std::errc{} || length > tail.size()) {
    return {};
  }
  return {tail.substr(0, length), tail.substr(length)};
}

void drop(std::string_view& text, std::string_view prefix) {
  if (text.starts_with(prefix)) {
    text.remove_prefix(prefix.size());
  }
}

/// From the element type of the first parameter, or of what that points to, on.
std::string_view firstElement(std::string_view parameters) {
  std::string_view first = parameters;
  if (first.starts_with('P')) {
    first.remove_prefix(1);
    if (first.starts_with("U3AS")) {
      first.remove_prefix(std::min<std::size_t>(5, first.size()));
    }
    drop(first, "V");
    drop(first, "K");
    drop(first, "U7_Atomic");
  }
  if (first.starts_with("Dv")) {
    first.remove_prefix(std::min(first.find('_'), first.size() - 1) + 1);
  }
  return first;
}

/// The kind of a function, by the same rule as key_of in make_pages.py: is its first parameter, or what that points to,
/// made of floating-point numbers, and is any parameter a vector?
unsigned kindOf(std::string_view parameters) {
  std::string_view first = firstElement(parameters);
  bool floating = first.starts_with('f') || first.starts_with('d') || first.starts_with("Dh");
  return (floating ? 1 : 0) + (parameters.find("Dv") != std::string_view::npos ? 2 : 0);
}

}  // namespace

std::size_t pageCount() { return std::size(kPlaces); }

Page page(std::size_t number) {
  const Place& place = kPlaces[number];
  return {place.chapter, {clarity_builtins_pages_begin + place.offset, place.size}};
}

std::optional<std::size_t> pageOf(std::string_view mangledName) {
  auto [name, parameters] = split(mangledName);
  const auto* found = std::ranges::lower_bound(kBuiltins, name, {}, &Builtin::name);
  if (found == std::end(kBuiltins) || found->name != name) {
    return std::nullopt;
  }
  std::uint16_t number = found->pages[kindOf(parameters)];
  return number == kNoPage ? std::nullopt : std::optional<std::size_t>(number);
}

std::string_view floatFunction(std::string_view mangledName) {
  auto [name, parameters] = split(mangledName);
  return mangledName.starts_with("_Z") && firstElement(parameters).starts_with('f') ? name : std::string_view();
}

std::string relaxedForm(std::string_view mangledName) {
  constexpr std::string_view kPrefix = "__clarity_relaxed_";
  auto [name, parameters] = split(mangledName);
  if (floatFunction(mangledName).empty()) {
    return {};  // there are relaxed forms of float functions only
  }
  std::string relaxed = "_Z" + std::to_string(kPrefix.size() + name.size());
  relaxed.append(kPrefix).append(name).append(parameters);
  return pageOf(relaxed) ? relaxed : std::string();
}

std::string_view baseHeader() {
  return {clarity_base_header_begin, static_cast<std::size_t>(clarity_base_header_end - clarity_base_header_begin)};
}

}  // namespace clarity::builtins
